"""Measure for how many cycles loads and stores of global memory keep the first-level cache of a GPU busy.

python l1.py TABLE.csv (with cupy, on the GPU)

One block repeats an access of 4, 8 or 16 bytes a lane whose lines are in the cache, at PLACES that lie whole lines
apart. The table has the byte offsets of the lanes, the lines that they touch, and the cycles for each access of a warp.
"""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROUNDS, WARPS = 32, 32
STEP, FLIP = 4096, 32768
PLACES = [flip + STEP * k for flip in (0, FLIP) for k in range(8)]
ALIGNED = 1 << 22
Offsets = NDArray[np.int64]

LOAD = """unsigned v{k}[{words}];
asm volatile("ld.global.ca{type} {registers}, [%{words}];" : {outputs} : "l"(p + {offset}));"""
STORE = """asm volatile("st.global{type} [%{words}], {registers};" :: {inputs}, "l"(p + {offset}));"""
KERNEL = """extern "C" __global__ void __launch_bounds__(1024) {name}(unsigned *sink, long long *cycles,
                                                                  const int *offsets, char *data, int rounds)
{{
    unsigned sum = 0, z = threadIdx.x;
    unsigned long long p = (unsigned long long)data + offsets[threadIdx.x % 32];
    for (int pass = 0; pass < 2; pass++) {{
        __syncthreads();
        long long start = clock64();
        #pragma unroll 1
        for (int r = 0; r < rounds; r++) {{
            {body}
            p ^= {flip};
        }}
        __syncthreads();
        if (threadIdx.x == 0)
            *cycles = clock64() - start;
    }}
    sink[threadIdx.x] = sum;
}}
"""


def kernel(kind: str, width: int) -> str:
    """Return the CUDA C++ of the loop for a 'load' or 'store' of ``width`` bytes a lane."""
    words = width // 4
    registers = ", ".join(f"%{j}" for j in range(words))
    registers = f"{{{registers}}}" if words > 1 else registers
    type_ = {1: ".u32", 2: ".v2.u32", 4: ".v4.u32"}[words]
    body = []
    for k in range(8):
        outputs = ", ".join(f'"=r"(v{k}[{j}])' for j in range(words))
        inputs = ", ".join(f'"r"(z + {j})' for j in range(words))
        text = (LOAD if kind == "load" else STORE).format(
            k=k, words=words, type=type_, registers=registers, outputs=outputs, inputs=inputs, offset=STEP * k
        )
        body.append(text + (f"sum ^= {' ^ '.join(f'v{k}[{j}]' for j in range(words))};" if kind == "load" else ""))
    return KERNEL.format(name=f"{kind}_{width}", body="\n".join(body), flip=FLIP)


def patterns(width: int) -> dict[str, Offsets]:
    """Return byte offsets of the lanes, int64[32], by name: in a row, strided, in groups of lanes, and random."""
    lane = np.arange(32)
    found = {"row": lane * width, "one": 0 * lane, "reversed": (31 - lane) * width, "swapped": (lane ^ 1) * width}
    strides = (8, 16, 32, 36, 64, 68, 128, 132, 136, 144, 160, 256, 260, 264, 272, 288, 512, 516, 1024, 1028, 4100)
    found |= {f"stride_{s}": lane * s for s in strides if s % width == 0}
    for stride in (width, 2 * width, 128, 132, 144, 160):
        for m in (2, 4, 8, 16):
            if stride % width == 0:
                found[f"repeated_{m}_{stride}"] = lane % m * stride
                found[f"shared_{m}_{stride}"] = lane // m * stride
                found[f"rows_{m}_{stride}"] = lane % m * width + lane // m * stride
    found |= {f"shifted_{k}": (lane + k) * width for k in (1, 3)}
    generator = np.random.default_rng(9)
    for n in (4, 16, 64):
        found |= {f"words_{n}_{k}": generator.integers(0, n, 32) * width for k in range(3)}
    for n in (2, 4, 8, 16, 32, 64):
        for k in range(3):
            found[f"lines_{n}_{k}"] = (
                generator.integers(0, n, 32) * 128 + generator.integers(0, 128 // width, 32) * width
            )
    return found


def cases() -> Iterator[tuple[str, int, Offsets]]:
    """Return each kind of access, width and pattern once."""
    for kind in ("load", "store"):
        for width in (4, 8, 16):
            known: set[bytes] = set()
            for offsets in patterns(width).values():
                if offsets.tobytes() not in known:
                    known.add(offsets.tobytes())
                    yield kind, width, offsets


def main() -> None:
    import cupy

    module = cupy.RawModule(code="".join(kernel(kind, width) for kind in ("load", "store") for width in (4, 8, 16)))
    sink, cycles = cupy.zeros(1024, np.uint32), cupy.zeros(1, np.int64)
    raw = cupy.zeros(2 * ALIGNED, np.uint8)
    data = raw[-raw.data.ptr % ALIGNED :]
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    name, driver = subprocess.run(query, check=True, capture_output=True, text=True).stdout.strip().split(", ")
    with Path(sys.argv[1]).open("w", newline="") as file:
        file.write(f"# device: {name}\n# driver: {driver}\n# by times/queues/l1.py\n")
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["kind", "width", "offsets", "cycles"])
        for kind, width, offsets in cases():
            args = (sink, cycles, cupy.asarray(offsets.astype(np.int32)), data, np.int32(ROUNDS))
            times = []
            for _ in range(5):
                module.get_function(f"{kind}_{width}")((1,), (32 * WARPS,), args)
                times.append(int(cycles.get()[0]))
            each = sorted(times)[2] / (8 * ROUNDS * WARPS)
            table.writerow([kind, width, " ".join(map(str, offsets)), f"{each:.3f}"])


if __name__ == "__main__":
    main()
