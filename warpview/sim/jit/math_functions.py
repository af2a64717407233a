"""Compute MATH1 and MATH2 one lane at a time, by the C library's functions in double precision, and call the unit of
approximations."""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from warpview.isa.ops import MathFn, Op
from warpview.isa.values import NAN32
from warpview.sim.jit.approximations import approximation
from warpview.sim.jit.compile import jit, unit
from warpview.sim.jit.raw import lowest, store_32
from warpview.sim.jit.records import instruction_at

_FLOAT, _DOUBLE = ir.FloatType(), ir.DoubleType()


def _load(kind: ir.Type):
    @intrinsic
    def load(typingctx, address):
        def codegen(context, builder, signature, args):
            value = builder.load(builder.inttoptr(args[0], kind.as_pointer()), align=4, typ=kind)
            return value if kind == _DOUBLE else builder.fpext(value, _DOUBLE)

        return types.float64(types.int64), codegen

    return load


def _store(kind: ir.Type):
    @intrinsic
    def store(typingctx, address, value):
        def codegen(context, builder, signature, args):
            value = args[1] if kind == _DOUBLE else builder.fptrunc(args[1], kind)
            builder.store(value, builder.inttoptr(args[0], kind.as_pointer()), align=4)
            return context.get_dummy_value()

        return types.void(types.int64, types.float64), codegen

    return store


load_f32, load_f64 = _load(_FLOAT), _load(_DOUBLE)
store_f32, store_f64 = _store(_FLOAT), _store(_DOUBLE)

# Those that the C library has under the same name.
_OF_TWO = [f.name for f in MathFn if f >= MathFn.POW]
_OF_ONE = [f.name for f in MathFn if f < MathFn.POW and f != MathFn.EXP10]


def _emit_choice(builder, names: list[str], number, operands):
    """Call the C function whose MathFn number it is; NaN for any other number."""
    signature = ir.FunctionType(_DOUBLE, [_DOUBLE] * len(operands))
    done = builder.append_basic_block("called")
    choice = builder.switch(number, done)
    results = [(ir.Constant(_DOUBLE, float("nan")), builder.block)]
    for name in names:
        block = builder.append_basic_block(name)
        choice.add_case(ir.Constant(number.type, int(MathFn[name])), block)
        builder.position_at_end(block)
        function = builder.module.globals.get(name.lower()) or ir.Function(builder.module, signature, name.lower())
        results.append((builder.call(function, operands), block))
        builder.branch(done)
    builder.position_at_end(done)
    value = builder.phi(_DOUBLE)
    for result, block in results:
        value.add_incoming(result, block)
    return value


@intrinsic
def call_unary(typingctx, number, x):
    """Call the C function of that MathFn number, of one argument."""

    def codegen(context, builder, signature, args):
        return _emit_choice(builder, _OF_ONE, args[0], args[1:])

    return types.float64(types.int64, types.float64), codegen


@intrinsic
def call_binary(typingctx, number, x, y):
    """Call the C function of that MathFn number, of two arguments."""

    def codegen(context, builder, signature, args):
        return _emit_choice(builder, _OF_TWO, args[0], args[1:])

    return types.float64(types.int64, types.float64, types.float64), codegen


POW, EXP10, COPYSIGN = int(MathFn.POW), int(MathFn.EXP10), int(MathFn.COPYSIGN)
APPROX1, APPROX2 = int(Op.APPROX1), int(Op.APPROX2)


@jit
def unary(number, x):
    return call_binary(POW, 10.0, x) if number == EXP10 else call_unary(number, x)


@unit(3)
def math_function(instruction, registers, lanes):
    """Execute a MATH1 or MATH2 instruction; F32 results are rounded once. Approximations have a unit of their own."""
    ins = instruction_at(instruction)
    if ins.op == APPROX1 or ins.op == APPROX2:
        return approximation(instruction, registers, lanes)
    while lanes:
        lane = lowest(lanes)
        place = registers + lane * (8 if ins.is_wide else 4)
        x = load_f64(place + ins.a) if ins.is_wide else load_f32(place + ins.a)
        if ins.b >= 0:
            y = load_f64(place + ins.b) if ins.is_wide else load_f32(place + ins.b)
            result = call_binary(ins.mod, x, y)
        else:
            result = unary(ins.mod, x)
        if ins.is_wide:
            store_f64(place + ins.dst, result)
        elif result == result or ins.mod == COPYSIGN:
            store_f32(place + ins.dst, result)
        else:
            store_32(place + ins.dst, NAN32)
        lanes &= lanes - 1
    return 0
