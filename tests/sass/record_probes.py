"""Run the probes and the kernel library's machine code on this machine's NVIDIA GPU; needs cupy, numpy and ncu.

    python tests/sass/record_probes.py probes JOB OUT     results of every probe, as OUT/probes.npz
    python tests/sass/record_probes.py halves JOB OUT     results of half.cubin, integers.cubin and matrix.cubin
    python tests/sass/record_probes.py pairs JOB OUT      results of pairs.cubin
    python tests/sass/record_probes.py narrow JOB OUT     results of narrow.cubin, whose kernels narrow.json lists
    python tests/sass/record_probes.py mufu JOB OUT       differences of MUFU from the correctly rounded results
    python tests/sass/record_probes.py library JOB OUT PRESET   launches of the library: run this one under ncu

JOB is a folder of cubins for sm_90, compiled from the ``probes*.cu`` beside this script and from the library, with the
names of their kernels as JSON.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import cupy
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
N = 8192


def operands(seed: int) -> list[np.ndarray]:
    """uint32[N], three times: random bits, mixed with special values, neighbours and equal pairs."""
    rng = np.random.default_rng(seed)
    special = np.array(
        [0, 0x80000000, 1, 0x80000001, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001, 0x7F800001, 0x3F800000,
         0xBF800000,
         0x007FFFFF, 0x00800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x4F000000, 0xCF000000, 0x4F800000, 0x5F000000, 0xDF000000,
         0x7FFFFFFF, 0xFFFFFFFF, 0x0000FFFF, 0x3F000000, 0x40490FDB, 0x33800000, 0x4B000000, 0x4B800000, 0x7FF00000,
         0xFFF00000, 0x7FEFFFFF, 0x00100000, 0x000FFFFF, 0x41E00000, 0x43E00000, 0x3FE00000, 31, 32, 33, 63, 64],
        dtype=np.uint32)  # fmt: skip
    columns = []
    for _ in range(3):
        column = rng.integers(0, 1 << 32, N, dtype=np.uint32)
        column[: N // 8] = rng.choice(special, N // 8)
        moderate = rng.uniform(-8, 8, N // 4).astype(np.float32).view(np.uint32)
        column[N // 8 : N // 8 + N // 4] = moderate
        exponents = rng.integers(100, 150, N // 4).astype(np.uint32) << 23
        column[N // 2 : N // 2 + N // 4] = exponents | rng.integers(0, 1 << 23, N // 4, dtype=np.uint32)
        columns.append(column)
    order = rng.permutation(N)
    columns[1] = columns[1][order]
    columns[1][::17] = columns[0][::17]
    columns[2][::13] = columns[1][::13]
    return columns


def run_probes(job: Path, out: Path) -> None:
    module = cupy.RawModule(path=str(job / "probes.cubin"))
    names = json.loads((job / "probes.json").read_text())
    results = {}
    for number, name in enumerate(names):
        a, b, c = (cupy.asarray(column) for column in operands(number))
        o = cupy.zeros(4 * N, dtype=cupy.uint32)
        module.get_function(name)((N // 256,), (256,), (o, a, b, c, np.int32(N)))
        results[name] = o.get()
    module = cupy.RawModule(path=str(job / "fchk.cubin"))
    pairs = np.array([(x << 23 | p, y << 23 | q) for x in range(256) for y in range(256)
                      for p in (0, 0x7FFFFF, 0x400000) for q in (0, 0x7FFFFF)], dtype=np.uint32)  # fmt: skip
    a, b = cupy.asarray(pairs[:, 0].copy()), cupy.asarray(pairs[:, 1].copy())
    o = cupy.zeros(len(pairs), dtype=cupy.uint32)
    module.get_function("divide")((len(pairs) // 256,), (256,), (o, a, b, np.int32(len(pairs))))
    results["fchk"] = np.packbits(o.get() == 0x7FC12345)
    np.savez_compressed(out / "probes.npz", **results)


def run_halves(job: Path, out: Path) -> None:
    from matrix_operands import KEPT, PROBES, WARPS, fragments

    results = {}
    for file in ("half", "integers"):
        module = cupy.RawModule(path=str(job / f"{file}.cubin"))
        for name in json.loads((job / f"{file}.json").read_text()):
            a, b, c = (cupy.asarray(column) for column in operands(len(name) + ord(name[0])))
            o = cupy.zeros(4 * N, dtype=cupy.uint32)
            module.get_function(name)((N // 256,), (256,), (o, a, b, c, np.int32(N)))
            results[name] = o.get()[:1024]
    module = cupy.RawModule(path=str(job / "matrix.cubin"))
    for name in PROBES:
        a, b, c = (cupy.asarray(np.ascontiguousarray(x)) for x in fragments(name))
        module.get_function(name)((WARPS,), (32,), (a, b, c))
        results[name] = c.get()[list(KEPT)]
    np.savez_compressed(out / "half_matrix_h200.npz", **results)


# Kernels of pairs.cubin; the seed of the operands is 200 and the place in this list.
PAIRS = ("s_sums", "s_limits", "s_three", "s_relu", "s_which", "s_bf16", "s_atomics", "s_single", "s_reduce",
         "s_halves", "s_mask")  # fmt: skip


def run_pairs(job: Path, out: Path) -> None:
    module, results, threads = cupy.RawModule(path=str(job / "pairs.cubin")), {}, 256
    for number, name in enumerate(PAIRS):
        values = [cupy.asarray(column[:threads]) for column in operands(200 + number)]
        o = cupy.zeros(4 * threads, dtype=cupy.uint32)
        module.get_function(name)((1,), (threads,), (o, *values, np.int32(threads)))
        results[name] = o.get()
    np.savez_compressed(out / "pairs_h200.npz", **results)


def run_narrow(job: Path, out: Path) -> None:
    module, results = cupy.RawModule(path=str(job / "narrow.cubin")), {}
    for number, name in enumerate(json.loads((job / "narrow.json").read_text())):
        values = [cupy.asarray(column) for column in operands(500 + number)]
        o = cupy.zeros(4 * N, dtype=cupy.uint32)
        module.get_function(name)((N // 256,), (256,), (o, *values, np.int32(N)))
        results[name] = o.get()[: 4096 if name == "o_contended" else 1024]
    np.savez_compressed(out / "narrow_h200.npz", **results)


def run_mufu(job: Path, out: Path) -> None:
    source = r"""
extern "C" __global__ void sweep(signed char *o, int function, unsigned first) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = __uint_as_float(first + i), r; double e, d = x;
    switch (function) {
    case 0: asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x)); e = 1.0 / d; break;
    case 1: asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x)); e = 1.0 / sqrt(d); break;
    case 2: asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x)); e = sqrt(d); break;
    case 3: asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x)); e = log2(d); break;
    case 4: asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x)); e = exp2(d); break;
    case 5: asm("sin.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x)); e = sin(d); break;
    case 6: asm("cos.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x)); e = cos(d); break;
    default: asm("tanh.approx.f32 %0, %1;" : "=f"(r) : "f"(x)); e = tanh(d);
    }
    int difference = __float_as_int(r) - __float_as_int((float)e);
    o[i] = max(-128, min(127, difference));
}"""
    kernel = cupy.RawKernel(source, "sweep")
    results = {}
    starts = {0: [0x3F800000], 1: [0x3F800000, 0x40000000], 2: [0x3F800000, 0x40000000], 3: [0x3F800000, 0x40000000],
              4: [0x3F000000, 0x3F800000], 5: [0x3F000000], 6: [0x3F000000], 7: [0x3F000000]}  # fmt: skip
    for function, firsts in starts.items():
        for first in firsts:
            o = cupy.zeros(1 << 23, dtype=cupy.int8)
            kernel((1 << 15,), (256,), (o, np.int32(function), np.uint32(first)))
            values = o.get()
            found, counts = np.unique(values, return_counts=True)
            print("mufu", function, hex(first), dict(zip(found.tolist(), counts.tolist(), strict=True)), flush=True)
            if function < 3:
                results[f"{function}_{first:x}"] = values
    np.savez_compressed(out / "mufu.npz", **results)


def run_library(job: Path, out: Path, preset: str) -> None:
    from warpview import library

    kernels = json.loads((job / "library.json").read_text())
    print("launches:", preset, flush=True)
    results = {}
    for entry in library.kernels():
        if entry.key not in kernels or entry.family == "mistakes":
            continue
        place = kernels[entry.key]
        module = cupy.RawModule(path=str(job / place["cubin"]))
        buffers: dict[int, cupy.ndarray] = {}
        for name, values in library.constants(entry, preset).items():
            pointer = module.get_global(name)
            target = cupy.ndarray(values.shape, values.dtype, pointer)
            target.set(np.ascontiguousarray(values))
        launches = library.launch_arguments(entry, preset)
        for index, (launch, arguments) in enumerate(zip(entry.presets[preset].launches, launches, strict=True)):
            passed = []
            for value in arguments.values():
                if isinstance(value, np.ndarray):
                    if id(value) not in buffers:
                        buffers[id(value)] = cupy.asarray(value)
                    passed.append(buffers[id(value)])
                elif isinstance(value, library.Blank):
                    if id(value) not in buffers:
                        buffers[id(value)] = cupy.ndarray(value.shape, value.dtype)
                        buffers[id(value)].data.memset(0, buffers[id(value)].nbytes)
                    passed.append(buffers[id(value)])
                else:
                    passed.append(
                        value
                        if isinstance(value, (np.generic, bool))
                        else np.int32(value)
                        if isinstance(value, int)
                        else np.float32(value)
                    )
            function = module.get_function(place["names"][launch.kernel])
            if launch.shared_bytes > 48 * 1024:
                function.max_dynamic_shared_size_bytes = launch.shared_bytes
            if index >= 12:
                continue
            print("LAUNCH", entry.key, preset, index, launch.kernel, flush=True)
            function(
                launch.grid + (1,) * (3 - len(launch.grid)),
                launch.block + (1,) * (3 - len(launch.block)),
                tuple(passed),
                shared_mem=launch.shared_bytes,
            )
            cupy.cuda.runtime.deviceSynchronize()
        if preset == "step":
            for name, value in arguments.items():
                if isinstance(value, (np.ndarray, library.Blank)):
                    results[f"{entry.key}:{name}"] = buffers[id(value)].get()
    if preset == "step":
        np.savez_compressed(out / f"results_{preset}.npz", **results)


if __name__ == "__main__":
    what, job, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    if what == "probes":
        run_probes(job, out)
    elif what == "halves":
        run_halves(job, out)
    elif what == "pairs":
        run_pairs(job, out)
    elif what == "narrow":
        run_narrow(job, out)
    elif what == "mufu":
        run_mufu(job, out)
    else:
        run_library(job, out, sys.argv[4])
