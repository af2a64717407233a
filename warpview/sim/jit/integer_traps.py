"""Detect integer operations that C++ leaves undefined, lane by lane: overflow, a shift beyond the width, division by
zero, an index outside a member array.

Which instructions are looked at is decided beforehand (sim/checks/integer_traps.py).
"""

from __future__ import annotations

from warpview.sim.checks.trap_codes import Trap
from warpview.sim.jit.checks import report
from warpview.sim.jit.compile import jit
from warpview.sim.jit.lanes import (
    V32,
    V64,
    bits_mask,
    constant,
    lane_intrinsic,
    lanes_equal_32,
    load_row,
    splat,
)  # fmt: skip
from warpview.sim.jit.raw import load_i32, load_i64, lowest, popcount
from warpview.sim.jit.records import finding_at
from warpview.sim.jit.state import FINDING
from warpview.sim.launch import FindingKind

FINDING_BYTES = FINDING.itemsize
ADD, SUB, MUL, MAD = int(Trap.ADD), int(Trap.SUB), int(Trap.MUL), int(Trap.MAD)
SHIFT_32, SHIFT_64 = int(Trap.SHIFT_32), int(Trap.SHIFT_64)
DIVISION_32, DIVISION_64 = int(Trap.DIVISION_32), int(Trap.DIVISION_64)
INDEX_32, INDEX_64 = int(Trap.INDEX_32), int(Trap.INDEX_64)
OVERFLOW, SHIFT = int(FindingKind.INTEGER_OVERFLOW), int(FindingKind.SHIFT)
DIVISION, OUT_OF_BOUNDS = int(FindingKind.DIVISION_BY_ZERO), int(FindingKind.OUT_OF_BOUNDS)


def _wide(builder, row):
    return builder.sext(load_row(builder, row, V32), V64)


def _unfit(builder, value):
    """Return the lanes whose 64-bit value is not a signed 32-bit one."""
    return bits_mask(builder, builder.icmp_signed("!=", builder.sext(builder.trunc(value, V32), V64), value))


@lane_intrinsic(2, returns=True)
def sums_beyond(builder, a, b):
    """Return the lanes whose sum of signed 32-bit values overflows."""
    return _unfit(builder, builder.add(_wide(builder, a), _wide(builder, b)))


@lane_intrinsic(2, returns=True)
def differences_beyond(builder, a, b):
    """Return the lanes whose difference of signed 32-bit values overflows."""
    return _unfit(builder, builder.sub(_wide(builder, a), _wide(builder, b)))


@lane_intrinsic(3, returns=True)
def products_beyond(builder, a, b, c):
    """Return the lanes whose product of signed 32-bit values, or it plus a third row, overflows."""
    product = builder.mul(_wide(builder, a), _wide(builder, b))
    total = builder.add(product, _wide(builder, c))
    return builder.or_(_unfit(builder, product), _unfit(builder, total))


@lane_intrinsic(2, returns=True)
def product_beyond(builder, a, b):
    """Return the lanes whose product of signed 32-bit values overflows."""
    return _unfit(builder, builder.mul(_wide(builder, a), _wide(builder, b)))


@lane_intrinsic(2, returns=True)
def counts_beyond(builder, row, width):
    """Return the lanes whose shift count is not below ``width``."""
    limit = splat(builder, builder.trunc(width, V32.element), V32)
    return bits_mask(builder, builder.icmp_unsigned(">=", load_row(builder, row, V32), limit))


@lane_intrinsic(1, returns=True)
def zeros_64(builder, row):
    """Return the lanes whose 64-bit value is zero."""
    return bits_mask(builder, builder.icmp_unsigned("==", load_row(builder, row, V64), constant(V64, 0)))


def _outside(builder, value, low, high):
    """Return the lanes whose 64-bit value is not from ``low`` to ``high - 1``."""
    below = bits_mask(builder, builder.icmp_signed("<", value, splat(builder, low, V64)))
    return builder.or_(below, bits_mask(builder, builder.icmp_signed(">=", value, splat(builder, high, V64))))


@lane_intrinsic(3, returns=True)
def indices_outside(builder, row, low, high):
    """Return the lanes whose signed 32-bit value is not from ``low`` to ``high - 1``."""
    return _outside(builder, _wide(builder, row), low, high)


@lane_intrinsic(3, returns=True)
def wide_indices_outside(builder, row, low, high):
    """Return the lanes whose signed 64-bit value is not from ``low`` to ``high - 1``."""
    return _outside(builder, load_row(builder, row, V64), low, high)


@jit
def trapped_lanes(ins, a, b, c):
    """Return the lanes whose operands an instruction must not have."""
    trap = ins.trap
    if trap == ADD:
        return sums_beyond(a, b)
    if trap == SUB:
        return differences_beyond(a, b)
    if trap == MUL:
        return product_beyond(a, b)
    if trap == MAD:
        return products_beyond(a, b, c)
    if trap == SHIFT_32:
        return counts_beyond(b, 32)
    if trap == SHIFT_64:
        return counts_beyond(b, 64)
    if trap == DIVISION_32:
        return lanes_equal_32(b, 0)
    if trap == INDEX_32:
        return indices_outside(a, ins.low, ins.high)
    if trap == INDEX_64:
        return wide_indices_outside(a, ins.low, ins.high)
    return zeros_64(b)


@jit
def kind_of(trap):
    """Return the kind of finding that a check gives."""
    if trap >= INDEX_32:
        return OUT_OF_BOUNDS
    return OVERFLOW if trap <= MAD else SHIFT if trap <= SHIFT_64 else DIVISION


@jit
def check_integers(m, w, ins, pc, on):
    """Report the lanes whose operands an instruction must not have. ``address`` and ``value`` of the finding are the
    first two operands of the first such lane."""
    a, b, c = w.registers_at + ins.a, w.registers_at + ins.b, w.registers_at + ins.c
    wrong = on & trapped_lanes(ins, a, b, c)
    if wrong == 0:
        return
    kind = kind_of(ins.trap)
    lane = lowest(wrong)
    is_first = finding_at(m.findings_at + (kind * m.n_code + pc) * FINDING_BYTES).count == 0
    left = load_i64(a + 8 * lane) if ins.is_wide else load_i32(a + 4 * lane)
    report(m, kind, pc, w, lane, left, 0, popcount(wrong))
    if is_first and ins.trap < INDEX_32:
        right = load_i64(b + 8 * lane) if ins.trap == DIVISION_64 else load_i32(b + 4 * lane)
        finding_at(m.findings_at + (kind * m.n_code + pc) * FINDING_BYTES).value = right
