"""Compare a ladder of products of matrices in machine code with an H200, and FMUL with a power of two.

    python tests/sass/products.py prepare JOB     compile the kernels with NVRTC 13.0, into a folder
    python tests/sass/products.py run JOB OUT     launch them; once as it is, once under ncu, with cupy
    python tests/sass/products.py collect OUT     make data/products_h200.json.gz of what came out
    python tests/sass/products.py check           simulate them all, and print where they differ

The kernels are those of ``tests/truth/times/held_out/gemm.cu`` at 256 x 256. For the files see
``random_machine_code``.
"""

from __future__ import annotations

import csv
import gzip
import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT), str(HERE), str(ROOT / "tests" / "truth" / "times")]

from held_out import gemms  # noqa: E402
from random_machine_code import PROVENANCE, STRUCTURAL, counts_by_kernel, digest  # noqa: E402

import warpview as wv  # noqa: E402
from warpview.diagnostics import SourceText  # noqa: E402
from warpview.isa.program import Program  # noqa: E402
from warpview.profile.counters import BY_KEY  # noqa: E402
from warpview.run.nvrtc_program import unknown_params  # noqa: E402
from warpview.sass import cubin, nvrtc  # noqa: E402
from warpview.sass.loader import Signature, load_kernel  # noqa: E402

TABLE = HERE / "data" / "products_h200.json.gz"
N = 256
LAUNCHES = [launch for launch in gemms() if launch.ladder == f"gemm {N}"]
FACTORS = ("0.5f", "0.25f", "0.125f", "4.0f", "8.0f")
SCALED = "\n".join(
    f'extern "C" __global__ void scaled_{k}(const float *a, const float *b, float *out)'
    f"{{ int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = a[i] * b[i] * {factor}; }}"
    for k, factor in enumerate(FACTORS)
)
OPERANDS = 65536


@cache
def compiled() -> tuple[bytes, dict[str, str], bytes]:
    """Return the cubin of the products, the mangled names of its kernels, and the cubin of the scaled FMULs."""
    path = LAUNCHES[0].path
    source, names = SourceText(path.name, path.read_text()), [launch.kernel for launch in LAUNCHES]
    products = nvrtc.compile_source(source, 90, names, include_folders=[path.parent])
    return products.cubin, dict(products.lowered), nvrtc.compile_source(SourceText("scaled.cu", SCALED), 90).cubin


def inputs() -> dict[str, NDArray[Any]]:
    """Return three matrices, and float32 pairs of all exponents, half of them with products near the least float."""
    random = np.random.default_rng(14)
    found: dict[str, NDArray[Any]] = {name: random.random((N, N), dtype=np.float32) for name in "ABC"}
    exponents = random.integers(0, 255, OPERANDS)
    a = random.integers(0, 1 << 23, OPERANDS) | exponents << 23 | random.integers(0, 2, OPERANDS) << 31
    others = np.clip(105 - exponents + random.integers(-4, 30, OPERANDS), 0, 254)
    others[::2] = random.integers(0, 255, OPERANDS // 2)
    b = others << 23 | random.integers(0, 1 << 23, OPERANDS)
    return found | {"a": a.astype(np.uint32).view(np.float32), "b": b.astype(np.uint32).view(np.float32)}


def program(data: bytes, name: str) -> Program:
    loaded = cubin.load(data)
    kernel = next(k for k in loaded.kernels if k.name == name)
    return load_kernel(loaded, kernel, Signature(name, unknown_params(kernel, []), SourceText(name, "")))


@cache
def table() -> dict[str, Any]:
    """Return what was recorded: of each product its counters, counts and the digest of its result."""
    found: dict[str, Any] = json.loads(gzip.decompress(TABLE.read_bytes()))
    return found


def simulated(number: int) -> dict[str, Any]:
    """Return of the simulator what ``table`` has of a product on the hardware, in the same form."""
    launch, values = LAUNCHES[number], inputs()
    found = program(compiled()[0], compiled()[1][launch.kernel])
    arguments = [N, np.float32(1.5), values["A"], values["B"], np.float32(0.5), values["C"]]
    run = wv.simulate(found, launch.grid, launch.block, arguments, device="h200", check=False)
    return {
        "kernel": launch.kernel,
        "result": digest(np.asarray(run.buffers["arg5"])),
        "counters": [run.counters[key] for key in table()["keys"]],
        "instructions": run.counts[:, :3].tolist(),
    }


def scaled(number: int) -> str:
    """Return the digest of what an FMUL with a power of two gives."""
    values = inputs()
    arguments = [values["a"], values["b"], np.zeros(OPERANDS, np.float32)]
    run = wv.simulate(program(compiled()[2], f"scaled_{number}"), OPERANDS // 256, 256, arguments, device="h200")
    return digest(np.asarray(run.buffers["arg2"]))


def prepare(job: Path) -> None:
    job.mkdir(parents=True, exist_ok=True)
    (job / "products.cubin").write_bytes(compiled()[0])
    (job / "scaled.cubin").write_bytes(compiled()[2])
    (job / "names.json").write_text(json.dumps(compiled()[1]))


def launch_all(job: Path, out: Path) -> None:
    import cupy

    results: dict[str, NDArray[Any]] = {}
    module, names = cupy.RawModule(path=str(job / "products.cubin")), json.loads((job / "names.json").read_text())
    for number, launch in enumerate(LAUNCHES):
        given = {name: cupy.asarray(value) for name, value in inputs().items()}
        passed = (np.int32(N), np.float32(1.5), given["A"], given["B"], np.float32(0.5), given["C"])
        module.get_function(names[launch.kernel])(launch.grid, launch.block, passed)
        results[f"product_{number}"] = given["C"].get()
    module = cupy.RawModule(path=str(job / "scaled.cubin"))
    for number in range(len(FACTORS)):
        written = cupy.zeros(OPERANDS, np.float32)
        module.get_function(f"scaled_{number}")((OPERANDS // 256,), (256,), (given["a"], given["b"], written))
        results[f"scaled_{number}"] = written.get()
    np.savez_compressed(out / "results.npz", **results)


def collect(out: Path) -> None:
    raw = [row for row in csv.DictReader((out / "raw.csv").open()) if row["ID"]]
    keys = [key for key in BY_KEY if key.startswith(STRUCTURAL) and BY_KEY[key].nsight in raw[0]]
    counts = [found for _, found in counts_by_kernel(out / "source.csv")]
    each = len(counts) // len(LAUNCHES)  # the page shows a kernel once for each of its views
    results = np.load(out / "results.npz")
    products = [
        {
            "kernel": launch.kernel,
            "result": digest(results[f"product_{k}"]),
            "counters": [int(float(raw[k][BY_KEY[key].nsight].replace(",", ""))) for key in keys],
            "instructions": counts[each * k],
        }
        for k, launch in enumerate(LAUNCHES)
    ]
    found = [digest(results[f"scaled_{k}"]) for k in range(len(FACTORS))]
    text = json.dumps({"provenance": PROVENANCE, "keys": keys, "products": products, "scaled": found})
    TABLE.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def check() -> None:
    for number, real in enumerate(table()["products"]):
        found = simulated(number)
        same = {what: found[what] == real[what] for what in ("result", "instructions")}
        pairs = zip(table()["keys"], found["counters"], real["counters"], strict=True)
        print(real["kernel"], same, {key: (a, b) for key, a, b in pairs if a != b})
    print("scaled", [scaled(k) == real for k, real in enumerate(table()["scaled"])])


if __name__ == "__main__":
    command, *folders = sys.argv[1:]
    {"prepare": prepare, "run": launch_all, "collect": collect, "check": check}[command](*map(Path, folders))
