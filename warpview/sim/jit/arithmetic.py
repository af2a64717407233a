"""Emit the arithmetic unit: one intrinsic with a case for every operation and type.

The cases are those of ``actions``, made from the tables of ``integer`` and ``floating``; decoded instructions hold the
number of theirs.
"""

from __future__ import annotations

from llvmlite import ir

from warpview.isa.ops import OPS, Op
from warpview.isa.types import Type
from warpview.sim.jit import floating, half, integer
from warpview.sim.jit.actions import ACTIONS, NativeAction
from warpview.sim.jit.lanes import I32, I64, V32, V64, lane_intrinsic, load_row, splat, store_where
from warpview.sim.jit.native_doubles import rounded_fma


def _operand_type(act: NativeAction, letter: str) -> Type:
    if letter == "w":
        return Type.U64
    return {"t": act.type, "s": act.stype, "p": Type.U32, "u": Type.U32}[letter]


def _result(builder, act: NativeAction, operands):
    """Return the value of an action on its operands, as vectors."""
    if act.op == Op.CVT:
        return floating.convert(builder, act.type, act.stype, *operands)
    if act.op == Op.CVT16:
        return half.convert(builder, act.type, act.stype, act.mod, *operands)
    if act.op in (Op.OP16, Op.FMA16):
        return half.function(builder, act.mod, *operands)
    if act.op == Op.SETP:
        return floating.compare(builder, act.type, act.mod, *operands)
    if act.op == Op.SHF:
        return integer.funnel_shift(builder, act.mod, *operands)
    if act.op == Op.PRMT:
        return integer.permute(builder, act.type, *operands)
    if act.op == Op.FMA and act.mod:
        return rounded_fma(integer.Vectors(builder), *operands, act.mod)
    if act.type.is_float:
        return floating.compute(builder, act.op, act.type, *operands)
    return integer.INTEGER[act.op](builder, act.type, *operands)


def _value(builder, act: NativeAction, sources):
    """Return the bits of an action's result, from the rows of its operands."""
    letters = OPS[act.op].srcs
    operands = []
    for letter, address in zip(letters, sources, strict=False):
        vector = floating.vector_of(_operand_type(act, letter))
        operands.append(load_row(builder, address, vector))
    result = _result(builder, act, operands)
    return result if result.type in (V32, V64) else floating.pattern(builder, result)


@lane_intrinsic(6)
def arithmetic(builder, number, dst, a, b, c, mask):
    """Execute an action: the row at ``dst`` from those at ``a``, ``b`` and ``c``, in the lanes of the mask."""
    done = builder.append_basic_block("done")
    choice = builder.switch(number, done)
    writes: dict[ir.VectorType, list] = {V32: [], V64: []}  # by the type of a row: its values and their blocks
    for n, act in enumerate(ACTIONS):
        block = builder.append_basic_block(f"{act.op.name}_{act.type.name}")
        choice.add_case(ir.Constant(I64, n), block)
        builder.position_at_end(block)
        value = _value(builder, act, (a, b, c))
        writes[value.type].append((value, builder.block))
    for vector, values in writes.items():
        write = builder.append_basic_block("write")
        for _, block in values:
            builder.position_at_end(block)
            builder.branch(write)
        builder.position_at_end(write)
        result = builder.phi(vector)
        for value, block in values:
            result.add_incoming(value, block)
        store_where(builder, result, dst, mask)
        builder.branch(done)
    builder.position_at_end(done)


@lane_intrinsic(4)
def narrow(builder, row, n_bits, is_signed, mask):
    """Wrap the lanes of a mask to the low ``n_bits`` (8 or 16) and extend them again."""
    shift = splat(builder, builder.sub(ir.Constant(I32, 32), builder.trunc(n_bits, I32)), V32)
    raised = builder.shl(load_row(builder, row, V32), shift)
    signed = builder.icmp_signed("!=", is_signed, ir.Constant(I64, 0))
    wrapped = builder.select(signed, builder.ashr(raised, shift), builder.lshr(raised, shift))
    store_where(builder, wrapped, row, mask)
