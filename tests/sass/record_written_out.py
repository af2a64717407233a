"""Time the operations that NVRTC writes out, as machine code of each architecture, and write the table of them.

    python tests/sass/record_written_out.py [--operation NAME]

An operation is computed over and over by one warp of a device of that architecture, which gives its latency, and by as
many warps as a multiprocessor holds, which gives the cycles that it takes of a scheduler. The table goes to
``assets/devices/written_out.csv``; ``test_written_out.py`` times a part of it again.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

import warpview as wv  # noqa: E402
from warpview.devices import Device, load_device  # noqa: E402
from warpview.isa.modes import MathFn as F  # noqa: E402
from warpview.isa.ops import Unit  # noqa: E402
from warpview.isa.program import Program  # noqa: E402
from warpview.sim.arguments.binding import bind  # noqa: E402
from warpview.sim.engine_sm import run_sm  # noqa: E402
from warpview.sim.history.events import SmOptions  # noqa: E402
from warpview.sim.launch import Options  # noqa: E402
from warpview.sim.raw_counts import Raw  # noqa: E402

TABLE = ROOT / "assets" / "devices" / "written_out.csv"
HEADER = """\
# What operations take that NVRTC 13 writes out, by architecture: cycles until the result is there, cycles of a
# scheduler, instructions, and "branches" where special numbers have a way of their own; for numbers that are neither
# zero nor denormal, infinite or (of 64 bits) below 2^32. Made by tests/sass/record_written_out.py.
"""
DEVICES = {75: "rtx2080", 80: "a100", 86: "rtx3090", 89: "rtx4090", 90: "h200", 100: "b200", 120: "rtx5090"}
TYPES = {
    "float": np.float32, "double": np.float64, "int": np.int32, "unsigned": np.uint32, "long long": np.int64,
    "unsigned long long": np.uint64,
}  # fmt: skip
EXCLUSIVE_OR = " ^ y"  # which is not drawn into products and shifts, as a sum is
AGAIN, ROUNDS = 16, (2, 8)  # times that an operation stands in the loop, and rounds of it
BRANCHES = ("BSSY", "CALL")  # by which an operation has a way of its own for special numbers
SOURCE = """
__global__ void kernel(TYPE *data, TYPE y, int rounds)
{
    __shared__ TYPE shared[1024];
    shared[threadIdx.x] = y;
    TYPE x = data[threadIdx.x];
    #pragma unroll 1
    for (int k = 0; k < rounds; k++) {
        VALUES
    }
    data[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
"""


class Operation(NamedTuple):
    """Describe an operation of x: its type, the code of it and of what keeps it in range, where x starts, and y."""

    type: str
    expression: str
    kept: str = ""
    start: float = 7
    y: float = 1


def _functions() -> dict[str, Operation]:
    """Return the functions of floats and of doubles."""
    found = {}
    for function in FUNCTIONS:
        name = function.name.lower()
        call = f"{name}{{}}(x, y)" if function in (F.POW, F.ATAN2, F.HYPOT) else f"{name}{{}}(x)"
        if function != F.EXP2:  # which is an approximation
            found[f"{name}.f32"] = Operation("float", call.format("f"), " * y + 0.5f", 0.5, 0.01)
        found[f"{name}.f64"] = Operation("double", call.format(""), " * y + 0.5", 0.5, 0.01)
    return found


FUNCTIONS = (F.SIN, F.COS, F.TAN, F.ASIN, F.ACOS, F.ATAN, F.SINH, F.COSH, F.TANH, F.EXP, F.EXP2, F.EXP10, F.EXPM1,
             F.LOG, F.LOG2, F.LOG10, F.LOG1P, F.CBRT, F.ERF, F.ERFC, F.TGAMMA, F.LGAMMA, F.POW, F.ATAN2,
             F.HYPOT)  # fmt: skip
FAR, NEAR = 100000000000, 1 << 30
OPERATIONS = {
    "div.f32": Operation("float", "x / y", y=1.0001), "rcp.f32": Operation("float", "1.0f / x"),
    "sqrt.f32": Operation("float", "sqrtf(x)"), "rsqrt.f32": Operation("float", "__frsqrt_rn(x)"),
    "rsqrt.approx.f32": Operation("float", "rsqrtf(x)"),
    "ex2.approx.f32": Operation("float", "exp2f(x)", " * y + 0.5f", 0.5, 0.01),
    "lg2.approx.f32": Operation("float", "__log2f(x)"),
    "sin.approx.f32": Operation("float", "__sinf(x)"),
    "cos.approx.f32": Operation("float", "__cosf(x)"),
    "div.approx.f32": Operation("float", "__fdividef(y, x)"),
    "div.f64": Operation("double", "x / y", y=1.0001), "rcp.f64": Operation("double", "1.0 / x"),
    "sqrt.f64": Operation("double", "sqrt(x)"), "rsqrt.f64": Operation("double", "rsqrt(x)"),
    "div.s64": Operation("long long", "x / y", f" + {FAR}0000000ll", y=3),
    "div.u64": Operation("unsigned long long", "x / y", f" + {FAR}0000000ull", y=3),
    "rem.s64": Operation("long long", "x % y", f" + {FAR}ll", y=FAR + 1),
    "rem.u64": Operation("unsigned long long", "x % y", f" + {FAR}ull", y=FAR + 1),
    "div.s32.constant": Operation("int", "x / 7", EXCLUSIVE_OR, y=NEAR),
    "rem.s32.constant": Operation("int", "x % 1001", EXCLUSIVE_OR, y=NEAR),
    "div.u32.constant": Operation("unsigned", "x / 10", EXCLUSIVE_OR, y=NEAR),
    "rem.u32.constant": Operation("unsigned", "x % 1001", EXCLUSIVE_OR, y=NEAR),
    "div.s64.constant": Operation("long long", "x / 1003", EXCLUSIVE_OR, y=FAR),
    "rem.s64.constant": Operation("long long", "x % 1000003ll", EXCLUSIVE_OR, y=FAR),
    "div.u64.constant": Operation("unsigned long long", "x / 1003", EXCLUSIVE_OR, y=FAR),
    "rem.u64.constant": Operation("unsigned long long", "x % 1000003ull", EXCLUSIVE_OR, y=FAR),
    **_functions(),
    "add_shared.f32": Operation("float", "(atomicAdd(&shared[threadIdx.x], y), x)", start=0),
    "add_shared.f64": Operation("double", "(atomicAdd(&shared[threadIdx.x], y), x)", start=0),
}  # fmt: skip


class Figures(NamedTuple):
    """Hold what an operation takes: cycles until its result is there, those of its scheduler, and instructions."""

    latency: float
    cycles: float
    instructions: float
    branches: bool


def figures(operation: Operation, compiler: str, architecture: int) -> Figures:
    """Return what an operation takes on the device of an architecture, by a compiler, with what keeps it in range."""
    source = SOURCE.replace("TYPE", operation.type)
    source = source.replace("VALUES", f"x = {operation.expression}{operation.kept};" * AGAIN)
    device = load_device(DEVICES[architecture])
    program = wv.compile(source, "kernel", compiler=compiler, device=device.key)
    lone, many = (_difference(program, operation, device, threads) for threads in (32, device.max_threads))
    warps = device.max_threads // 32 / device.schedulers
    return Figures(lone[0], many[0] / warps, lone[1], _branches(program))


def _branches(program: Program) -> bool:
    """Return whether each time that an operation is written out has a way of its own for special numbers."""
    native = [i.native.mnemonic for i in program.instructions if i.native is not None]
    return sum(name.startswith(BRANCHES) for name in native) >= AGAIN


def sequence(operation: Operation, architecture: int) -> Figures:
    """Return what an operation takes by NVRTC's code, less what keeps it in range, as that takes as written: of logic,
    which would be joined in a row, one instruction."""
    whole, device = figures(operation, "nvrtc", architecture), load_device(DEVICES[architecture])
    kept: Iterable[float] = (0, 0, 0)
    if operation.kept == EXCLUSIVE_OR:
        kept = device.latency[Unit.ALU], device.issue_cycles[Unit.ALU], 1
    elif operation.kept:
        kept = figures(operation._replace(expression="x"), "warpview", architecture)[:3]
    return Figures(*(a - b for a, b in zip(whole[:3], kept, strict=True)), whole.branches)


def _difference(program: Program, operation: Operation, device: Device, threads: int) -> tuple[float, float]:
    """Return the cycles and warp instructions of one more operation where a multiprocessor has so many threads."""
    per_block = min(threads, 512)
    kind, found = TYPES[operation.type], []
    for rounds in ROUNDS:
        shape = (device.multiprocessors * (threads // per_block), 1, 1), (per_block, 1, 1)
        data = np.full(shape[0][0] * per_block, operation.start, dtype=kind)
        bound = bind(program, *shape, [data, kind(operation.y), rounds], 0)
        options = SmOptions(record=False, estimate=True)
        result = run_sm(program, device, bound.launch, bound.memory, Options(check=False), options).result
        executed = result.counts[:, Raw.EXECUTED].sum() / (result.blocks_run * per_block // 32)
        found.append((result.cycles, executed))
    each = AGAIN * (ROUNDS[1] - ROUNDS[0])
    return (found[1][0] - found[0][0]) / each, (found[1][1] - found[0][1]) / each


def cell(found: Figures) -> str:
    """Return figures as the table has them."""
    numbers = [str(max(1, round(number))) for number in found[:3]]
    return " ".join([*numbers, "branches"] if found.branches else numbers)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--operation", choices=OPERATIONS, help="print the figures of one operation alone")
    chosen = parser.parse_args().operation
    rows = []
    for name in [chosen] if chosen else OPERATIONS:
        rows.append([name, *(cell(sequence(OPERATIONS[name], architecture)) for architecture in DEVICES)])
        print(", ".join(rows[-1]), flush=True)
    if not chosen:
        with TABLE.open("w", newline="") as file:
            file.write(HEADER)
            csv.writer(file, lineterminator="\n").writerows([["operation", *DEVICES], *rows])


if __name__ == "__main__":
    main()
