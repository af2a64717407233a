"""Compare 300 random kernels in machine code with an H200: results, counters, and the counts of each instruction.

    python tests/sass/random_machine_code.py prepare JOB        compile the kernels with NVRTC 13.0, into a folder
    python tests/sass/random_machine_code.py run JOB OUT        launch them; run this one under ncu, with cupy
    python tests/sass/random_machine_code.py collect OUT        make data/random_300_h200.json.gz of what came out
    python tests/sass/random_machine_code.py check              simulate them all, and print where they differ

The kernels are ``write_kernel(Random(1000 + k), ordered=False, defined=True)`` of
``tests/agreement/random_kernels.py``. ``collect`` reads ``results.npz``, which ``run`` writes, and the pages ``raw``
and ``source`` of Nsight Compute's report as ``raw.csv`` and ``source.csv``.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "agreement")]

from random_kernels import RandomKernel, write_kernel  # noqa: E402

import warpview as wv  # noqa: E402
from warpview.diagnostics import SourceText  # noqa: E402
from warpview.profile.counters import BY_KEY  # noqa: E402
from warpview.run.nvrtc_program import unknown_params  # noqa: E402
from warpview.sass import cubin, nvrtc  # noqa: E402
from warpview.sass.loader import Signature, load_kernel  # noqa: E402

TABLE = Path(__file__).parent / "data" / "random_300_h200.json.gz"
KERNELS = 300
OUTPUTS = ("out_l", "out_d", "counters")
COLUMNS = ("Instructions Executed", "Thread Instructions Executed", "Predicated-On Thread Instructions Executed")
STRUCTURAL = ("inst_", "thread_", "branches", "divergent_", "registers_", "global_", "shared_", "local_")
PROVENANCE = "NVIDIA H200, Nsight Compute 2025.3.1, NVRTC 13.0.88"


def kernel(number: int) -> RandomKernel:
    """Return a random kernel by its number."""
    return write_kernel(Random(1000 + number), ordered=False, defined=True)


def compiled(numbers: Iterable[int]) -> bytes:
    """Return the cubin of some kernels for sm_90; each is named after its number."""
    texts = [
        kernel(k).text.replace("random_kernel", f"random_kernel_{k}").replace("__global__", 'extern "C" __global__')
        for k in numbers
    ]
    return nvrtc.compile_source(SourceText("random.cu", "\n".join(texts)), 90).cubin


def digest(values: NDArray[Any]) -> str:
    """Return the first half of the SHA-256 of an array's bytes."""
    return hashlib.sha256(np.ascontiguousarray(values).tobytes()).hexdigest()[:32]


@cache
def table() -> dict[str, Any]:
    """Return what was recorded, by number: digests of the code and of the results, counters, counts."""
    found: dict[str, Any] = json.loads(gzip.decompress(TABLE.read_bytes()))
    return found


def simulated(number: int, loaded: cubin.Cubin) -> dict[str, Any]:
    """Return of the simulator what ``table`` has of the hardware, in the same form."""
    chosen, name = kernel(number), f"random_kernel_{number}"
    found = next(k for k in loaded.kernels if k.name == name)
    program = load_kernel(loaded, found, Signature(name, unknown_params(found, []), SourceText(name, "")))
    arguments = list(chosen.arguments().values())
    run = wv.simulate(program, chosen.grid, chosen.block, arguments, device="h200", check=False)
    return {
        "code": digest(np.frombuffer(found.code, np.uint8)),
        "results": [digest(np.asarray(run.buffers[f"arg{k}"])) for k in (2, 3, 4)],
        "counters": [run.counters[key] for key in table()["keys"]],
        "instructions": run.counts[: len(found.code) // 16, :3].tolist(),
    }


def prepare(job: Path) -> None:
    job.mkdir(parents=True, exist_ok=True)
    (job / "random.cubin").write_bytes(compiled(range(KERNELS)))
    launches = [(k.grid, k.block) for k in map(kernel, range(KERNELS))]
    (job / "launches.json").write_text(json.dumps(launches))


def launch(job: Path, out: Path) -> None:
    import cupy

    module = cupy.RawModule(path=str(job / "random.cubin"))
    results: dict[str, NDArray[Any]] = {}
    for number, (grid, block) in enumerate(json.loads((job / "launches.json").read_text())):
        values = kernel(number).arguments()
        passed = {name: cupy.asarray(v) if isinstance(v, np.ndarray) else v for name, v in values.items()}
        passed |= {"n": np.int32(values["n"]), "x": np.float32(values["x"])}
        module.get_function(f"random_kernel_{number}")((grid,), (block,), tuple(passed.values()))
        results |= {f"{number}_{name}": passed[name].get() for name in OUTPUTS}
    np.savez_compressed(out / "results.npz", **results)


def collect(out: Path) -> None:
    raw = {row["Kernel Name"].split("(")[0]: row for row in csv.DictReader((out / "raw.csv").open()) if row["ID"]}
    keys = [k for k in BY_KEY if k.startswith(STRUCTURAL) and BY_KEY[k].nsight in next(iter(raw.values()))]
    counts = dict(counts_by_kernel(out / "source.csv"))
    results, loaded = np.load(out / "results.npz"), cubin.load(compiled(range(KERNELS)))
    code = {k.name: k.code for k in loaded.kernels}
    rows = []
    for number in range(KERNELS):
        name = f"random_kernel_{number}"
        rows.append({
            "code": digest(np.frombuffer(code[name], np.uint8)),
            "results": [digest(results[f"{number}_{output}"]) for output in OUTPUTS],
            "counters": [int(float(raw[name][BY_KEY[key].nsight].replace(",", ""))) for key in keys],
            "instructions": counts[name],
        })  # fmt: skip
    text = json.dumps({"provenance": PROVENANCE, "keys": keys, "kernels": rows}, separators=(",", ":"))
    TABLE.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def counts_by_kernel(path: Path) -> Iterable[tuple[str, list[list[int]]]]:
    """Yield the counts of each instruction of each kernel, from the source page."""
    counts: list[list[int]] = []
    for row in csv.reader(path.open()):
        if row and row[0] == "Kernel Name":
            counts = []
            yield row[1].split("(")[0], counts
        elif row and row[0] == "Address":
            places = [row.index(column) for column in COLUMNS]
        elif row and row[0].startswith("0x"):
            counts.append([int(row[place]) for place in places])


def check() -> None:
    loaded = cubin.load(compiled(range(KERNELS)))
    equal = dict.fromkeys(("results", "counters", "instructions"), 0)
    for number, real in enumerate(table()["kernels"]):
        found = simulated(number, loaded)
        for what in equal:
            equal[what] += found[what] == real[what]
        pairs = zip(table()["keys"], found["counters"], real["counters"], strict=True)
        differing = {key: (ours, theirs) for key, ours, theirs in pairs if ours != theirs}
        others = [what for what in ("results", "instructions") if found[what] != real[what]]
        if differing or others:
            print(number, *others, differing, flush=True)
    print({what: f"{count} of {KERNELS}" for what, count in equal.items()})


if __name__ == "__main__":
    command, *folders = sys.argv[1:]
    {"prepare": prepare, "run": launch, "collect": collect, "check": check}[command](*map(Path, folders))
