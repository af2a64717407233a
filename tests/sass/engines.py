"""Execute recorded machine code by the reference and by the jitted engine, and say where they differ.

python tests/sass/engines.py        compare them on every recorded kernel, however long it takes
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(Path(__file__).parent)]

from cubins import DATA, archive, loaded  # noqa: E402
from matrix_operands import KEPT, PROBES, fragments  # noqa: E402
from support.agreement import findings  # noqa: E402
from test_probes import HALVES, RESULTS, operands  # noqa: E402

import warpview as wv  # noqa: E402
from warpview import library  # noqa: E402
from warpview.devices import load_device  # noqa: E402
from warpview.diagnostics import SourceText  # noqa: E402
from warpview.isa.program import Program  # noqa: E402
from warpview.run.nvrtc_program import unknown_params  # noqa: E402
from warpview.sass.loader import Signature, load_kernel  # noqa: E402
from warpview.sim.arguments.binding import Binding, bind  # noqa: E402
from warpview.sim.arguments.values import dim3  # noqa: E402
from warpview.sim.engine import run_profile  # noqa: E402
from warpview.sim.launch import Options, Outcome  # noqa: E402
from warpview.sim.raw_counts import name_of  # noqa: E402
from warpview.sim.reference import run_reference  # noqa: E402

THREADS = 64  # of a probe: the first of those that were recorded


class Case(NamedTuple):
    """Describe a launch of a recorded kernel."""

    name: str
    program: Program
    grid: Any
    block: Any
    arguments: Sequence[Any]
    shared_bytes: int = 0


@cache
def program(archive: str, file: str, name: str) -> Program:
    """Return the program of a recorded kernel by its mangled name."""
    found = next(k for k in loaded(archive, file).kernels if k.name == name)
    return load_kernel(loaded(archive, file), found, Signature(name, unknown_params(found, []), SourceText(name, "")))


PROBE_NAMES = [name for name in RESULTS.files if name != "fchk"]
HALF_NAMES = [name for name in HALVES.files if name[:2] in ("h_", "b_", "q_")]
RARE = np.load(DATA / "rare_h200.npz")
RARE_NAMES = ["r_atom", "r_reduce", "r_switch", "r_sleep", "r_copy", "r_ldmatrix", "r_movmatrix", "r_fset", "r_named",
              "r_clock", "r_print"]  # fmt: skip
RARE_THREADS, RARE_SEED = 256, 100
ALL_PROBES = sorted({*PROBE_NAMES, *HALF_NAMES, *PROBES, *RARE_NAMES})


@cache
def probe(name: str) -> Case:
    """Return a probe of instructions, with the operands that an H200 had."""
    if name in PROBES:
        matrices = [np.ascontiguousarray(x[list(KEPT[:2])]) for x in fragments(name)]
        return Case(name, program("half_matrix_sm90.zip", "matrix.cubin", name), 2, 32, matrices)
    if name in RARE_NAMES:
        columns = operands(RARE_SEED + RARE_NAMES.index(name))
        arguments = [np.zeros(4 * RARE_THREADS, np.uint32), *(c[:RARE_THREADS] for c in columns), RARE_THREADS]
        return Case(name, program("rare_sm90.zip", "rare.cubin", name), 1, RARE_THREADS, arguments)
    if name in PROBE_NAMES:
        archive, file, seed = "library_sm90.zip", "probes.cubin", PROBE_NAMES.index(name)
    else:
        file = "integers.cubin" if name.startswith("q_") else "half.cubin"
        archive, seed = "half_matrix_sm90.zip", len(name) + ord(name[0])
    values = [column[:THREADS] for column in operands(seed)]
    return Case(name, program(archive, file, name), 1, THREADS, [np.zeros(4 * THREADS, np.uint32), *values, THREADS])


@cache
def random_launches() -> dict[str, Any]:
    """Return the launches of the recorded random kernels, by name."""
    table = json.loads(gzip.decompress((DATA / "random_h200.json.gz").read_bytes()))
    return {launch["kernel"]: launch for launch in table["launches"]}


def random_kernel(name: str) -> Case:
    launch, inputs = random_launches()[name], np.load(DATA / "random_results_h200.npz")
    grid, block = launch["grid"], launch["block"]
    outputs = [np.full(grid * block * 18, -1, np.int64), np.full(grid * block * 4, -1.0), np.zeros(8, np.uint32)]
    arguments = [inputs["in_i"], inputs["in_f"], *outputs, 256, 1.25]
    return Case(name, program("random_sm90.zip", "random.cubin", name), grid, block, arguments)


@cache
def library_names() -> dict[str, Any]:
    """Return where the code of each library kernel without constants is, by key."""
    names = json.loads(archive("library_sm90.zip").read("names.json"))
    chosen = [e for e in library.kernels() if e.family != "mistakes" and not library.constants(e, "step")]
    return {entry.key: names[entry.key] for entry in chosen if entry.key in names}


def library_launch(key: str) -> Case:
    """Return the first small launch of a library kernel."""
    entry, place = library.entry(key), library_names()[key]
    launch = entry.presets["step"].launches[0]
    arguments = [
        wv.Uninitialised(value.shape, value.dtype) if isinstance(value, library.Blank) else value
        for value in library.launch_arguments(entry, "step")[0].values()
    ]
    kernel = program("library_sm90.zip", place["cubin"], place["names"][launch.kernel])
    return Case(key, kernel, launch.grid, launch.block, arguments, launch.shared_bytes)


def executed(case: Case, engine: Any, options: Options | None = None, device: str = "h200") -> tuple[Binding, Outcome]:
    """Return the memory and the outcome of a launch by an engine."""
    grid, block = dim3(case.grid, "grid"), dim3(case.block, "block")
    cluster = case.program.cluster or (1, 1, 1)
    bound = bind(case.program, grid, block, case.arguments, case.shared_bytes, cluster=cluster)
    return bound, engine(case.program, load_device(device), bound.launch, bound.memory, options or Options(races=False))


def differences(case: Case) -> list[str]:
    """Return where the engines differ: counts of each instruction, registers, memory, findings."""
    program = case.program
    reference, jitted = (executed(case, engine)[1] for engine in (run_reference, run_profile))
    found = [
        f"{name_of(column)} at {pc}: {reference.counts[pc, column]} and {jitted.counts[pc, column]}"
        for pc, column in zip(*np.nonzero(reference.counts != jitted.counts), strict=True)
    ]
    rows = {str(row): row for row in range(program.rows32)} if program.native is None else program.native.registers
    found += [
        f"register {name}"
        for name, row in rows.items()
        if not np.array_equal(reference.registers32[:, row], jitted.registers32[:, row])  # type: ignore[index]
    ]
    if not np.array_equal(reference.memory.data, jitted.memory.data):
        found.append("memory")
    if findings(reference) != findings(jitted):
        found.append(f"findings {findings(reference)} and {findings(jitted)}")
    return found


def compare_all() -> None:
    count = 0
    cases = (*map(probe, ALL_PROBES), *map(random_kernel, random_launches()), *map(library_launch, library_names()))
    for case in cases:
        count += 1
        if wrong := differences(case):
            print(case.name, wrong[:4], flush=True)
    print(f"{count} launches compared")


if __name__ == "__main__":
    compare_all()
