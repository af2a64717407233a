"""Compare all that two engines did: every counter, finding, memory byte, register and printed line."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpview.isa.program import Program
from warpview.isa.types import Type
from warpview.sim.launch import Outcome, RawFinding
from warpview.sim.raw_counts import name_of


def assert_same(program: Program, reference: Outcome, other: Outcome) -> None:
    """Raise AssertionError that names the first difference."""
    assert findings(reference) == findings(other), f"findings: {findings(reference)} and {findings(other)}"
    assert reference.aborted == other.aborted
    _same_counts(program, reference.counts, other.counts)
    # What is not a number has one pattern in F32, but where it may come from doubles, which keep digits of operands.
    loose = [np.float64, np.float32] if Type.F64 in program.row_types64 else [np.float64]
    _same_bytes(reference.memory.data, other.memory.data, loose)
    assert (reference.memory.written is None) == (other.memory.written is None)
    if reference.memory.written is not None and other.memory.written is not None:
        different = np.nonzero(reference.memory.written != other.memory.written)[0]
        assert not len(different), f"written words differ: {different[:8].tolist()}"
    assert repr(reference.printed) == repr(other.printed)  # repr, because NaN is not equal to itself
    _same_registers(program.row_types32, reference.registers32, other.registers32, loose)
    _same_registers(program.row_types64, reference.registers64, other.registers64, loose)


def findings(outcome: Outcome) -> list[tuple[int, ...]]:
    """All that a finding says, in a fixed order; addresses as 64-bit patterns."""

    def key(f: RawFinding) -> tuple[int, ...]:
        g = f.other
        other = () if g is None else (g.pc, g.block, g.thread, _one_nan(g.value), g.issue)
        race = (_one_nan(f.value), f.issue, f.n_elements, *f.elements, *other)
        return f.pc, f.kind, f.block, f.thread, f.address % (1 << 64), f.space, f.count, *race

    return sorted(key(f) for f in outcome.findings)


def _one_nan(pattern: int) -> int:
    """Return the bits of a value; those of one and the same NaN where they are a NaN's, whose sign and payload may
    differ as in memory and registers."""
    magnitudes = (0x7F800000, pattern & 0x7FFFFFFF), (0x7FF << 52, pattern & ~(1 << 63))
    is_nan = [infinity < magnitude for infinity, magnitude in magnitudes]
    return 0x7FFFFFFF if is_nan[pattern >> 32 != 0] else pattern


def _same_counts(program: Program, a: NDArray[np.int64], b: NDArray[np.int64]) -> None:
    for pc, column in zip(*np.nonzero(a != b), strict=True):
        raise AssertionError(
            f"{name_of(column)} of {program.instructions[pc].op.name} at {pc}: {a[pc, column]} and {b[pc, column]}"
        )


def _same_bytes(a: NDArray[np.uint8], b: NDArray[np.uint8], loose: list[type[np.floating[Any]]]) -> None:
    """Compare memory; what is not a number is equal to any other one in the ``loose`` types."""
    size = len(a) // 8 * 8
    a, b = a[:size].copy(), b[:size].copy()
    for float_type in loose:
        x, y = a.view(float_type), b.view(float_type)
        both_nan = np.repeat(np.isnan(x) & np.isnan(y), x.itemsize)
        a[both_nan] = b[both_nan] = 0
    different = np.nonzero(a != b)[0]
    assert not len(different), f"memory differs at {different[:8].tolist()}"


def _same_registers(
    types: tuple[Type, ...],
    a: NDArray[np.generic] | None,
    b: NDArray[np.generic] | None,
    loose: list[type[np.floating[Any]]],
) -> None:
    assert a is not None
    assert b is not None
    assert a.shape == b.shape, f"registers: {a.shape} and {b.shape}"
    for row, type_ in enumerate(types):
        x, y = np.ascontiguousarray(a[:, row]), np.ascontiguousarray(b[:, row])
        equal = x == y
        as_float = np.float64 if type_ == Type.F64 else np.float32
        if type_.is_float and as_float in loose:
            equal |= np.isnan(x.view(as_float)) & np.isnan(y.view(as_float))
        for warp, lane in zip(*np.nonzero(~equal), strict=True):
            raise AssertionError(
                f"register {row} ({type_}) of lane {lane} of warp {warp}: {x[warp, lane]} and {y[warp, lane]}"
            )
