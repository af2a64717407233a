"""Instructions change the lanes that they are on, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from warpview.isa.ops import Op
from warpview.isa.types import Type
from warpview.sim.engine import warm_up
from warpview.sim.jit import arithmetic
from warpview.sim.jit import compile as jit
from warpview.sim.jit.machine import aligned


@jit.unit(4)
def one_operation(number, row, narrow_bits, mask):
    """An action of one source on the rows at ``row`` (result) and 256 bytes on (source)."""
    arithmetic.arithmetic(number, row, row + 256, row + 256, row + 256, mask)
    if narrow_bits:
        arithmetic.narrow(row, narrow_bits, 0, mask)
    return 0


@pytest.mark.parametrize("mask", [0, 1, 0x80000000, 0x0000FFFF, 0x5A5A1234, 0xFFFFFFFF])
@pytest.mark.parametrize("bits", [0, 8, 16])
def test_lanes_that_are_off_keep_their_values(mask, bits):
    warm_up()
    memory = aligned(512).view(np.uint32)
    result, source = memory[:32], memory[64:96]
    result[:] = 0xFFFFFFE0 + np.arange(32, dtype=np.uint32)
    source[:] = np.arange(32) * 0x01010101
    before = result.copy()
    act = arithmetic.action(Op.NOT, Type.U32, Type.U32, 0)
    jit.entry(one_operation)(arithmetic.NUMBERS[act], memory.ctypes.data, bits, mask)
    on = mask >> np.arange(32) & 1 == 1
    kept = 0xFFFFFFFF if not bits else (1 << bits) - 1
    assert np.array_equal(result, np.where(on, ~source & kept, before))


def test_every_action_has_a_case_of_its_own():
    assert len(arithmetic.NUMBERS) == len(arithmetic.ACTIONS)
