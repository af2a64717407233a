"""Instructions change the lanes that they are on, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from warpview.isa.ops import Op
from warpview.isa.types import Type
from warpview.sim.jit import actions, arithmetic, floating, integer
from warpview.sim.jit.compile import UNITS, object_code, unit
from warpview.sim.jit.machine import aligned
from warpview.sim.jit.machine_code import Linker


@unit(4)
def one_operation(number, row, narrow_bits, mask):
    """An action of one source on the rows at ``row`` (result) and 256 bytes on (source)."""
    arithmetic.arithmetic(number, row, row + 256, row + 256, row + 256, mask)
    if narrow_bits:
        arithmetic.narrow(row, narrow_bits, 0, mask)
    return 0


UNIT = UNITS.pop("one_operation")  # at once: it is no part of the simulator
NOTS = tuple(actions.action(Op.NOT, type_, type_, 0) for type_ in (Type.U32, Type.U64))


@pytest.fixture(scope="module")
def compiled():
    """The unit with two of the hundreds of actions, which all write their result in one of two places, by its width."""
    linker = Linker()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arithmetic, "ACTIONS", NOTS)
        linker.add(object_code(UNIT))
    return linker.function("one_operation", 4)


@pytest.mark.parametrize("mask", [0, 1, 0x80000000, 0x0000FFFF, 0x5A5A1234, 0xFFFFFFFF])
@pytest.mark.parametrize("bits", [0, 8, 16])
def test_lanes_that_are_off_keep_their_values(compiled, mask, bits):
    memory = aligned(512).view(np.uint32)
    result, source = memory[:32], memory[64:96]
    result[:] = 0xFFFFFFE0 + np.arange(32, dtype=np.uint32)
    source[:] = np.arange(32) * 0x01010101
    before = result.copy()
    compiled(0, memory.ctypes.data, bits, mask)
    on = mask >> np.arange(32) & 1 == 1
    kept = 0xFFFFFFFF if not bits else (1 << bits) - 1
    assert np.array_equal(result, np.where(on, ~source & kept, before))


@pytest.mark.parametrize("mask", [0, 1, 0x80000000, 0x0000FFFF, 0x5A5A1234, 0xFFFFFFFF])
def test_lanes_of_64_bits_that_are_off_keep_their_values(compiled, mask):
    memory = aligned(512).view(np.uint64)
    result, source = memory[:32], memory[32:64]
    result[:] = (1 << 63) + np.arange(32, dtype=np.uint64)
    source[:] = np.arange(32, dtype=np.uint64) * 0x0101010101010101
    before = result.copy()
    compiled(1, memory.ctypes.data, 0, mask)
    on = mask >> np.arange(32) & 1 == 1
    assert np.array_equal(result, np.where(on, ~source, before))


def test_every_action_has_a_case_of_its_own():
    assert len(actions.NUMBERS) == len(actions.ACTIONS)


def test_every_operation_on_numbers_has_a_meaning():
    """One that is in a table of cases and not in that of meanings would fail in the compiling process alone."""
    of_integers = {*actions.SIGNLESS, *actions.SIGNED, *actions.ONLY_32, *actions.BY_WIDTH}
    assert of_integers == set(integer.INTEGER)
    assert set(actions.FLOAT) == set(floating.FLOAT)
