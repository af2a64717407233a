"""Access memory by address and count the bits of a mask, as C does with ``*(int32_t *)p`` and popcount.

Jitted code holds all integers, addresses and lane masks as int64 (a mask with its upper half zero), because numba
turns a mixture of int64 and uint64 into floats.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

I8, I16, I32, I64 = (ir.IntType(n) for n in (8, 16, 32, 64))


def record_at(record_type):
    """Make an intrinsic that sees the bytes at an address as a record."""

    @intrinsic
    def at(typingctx, address):
        def codegen(context, builder, signature, args):
            return builder.inttoptr(args[0], context.get_value_type(record_type))

        return record_type(types.int64), codegen

    return at


@intrinsic
def address_of(typingctx, record):
    """Return the address of a record."""

    def codegen(context, builder, signature, args):
        return builder.ptrtoint(args[0], I64)

    return types.int64(record), codegen


def _loader(element: ir.IntType, signed: bool):
    @intrinsic
    def load(typingctx, address):
        def codegen(context, builder, signature, args):
            value = builder.load(builder.inttoptr(args[0], element.as_pointer()), align=1, typ=element)
            if element.width == 64:
                return value
            return builder.sext(value, I64) if signed else builder.zext(value, I64)

        return types.int64(types.int64), codegen

    return load


def _storer(element: ir.IntType):
    @intrinsic
    def store(typingctx, address, value):
        def codegen(context, builder, signature, args):
            value = args[1] if element.width == 64 else builder.trunc(args[1], element)
            builder.store(value, builder.inttoptr(args[0], element.as_pointer()), align=1)
            return context.get_dummy_value()

        return types.void(types.int64, types.int64), codegen

    return store


load_u8, load_i32, load_u32, load_i64 = _loader(I8, False), _loader(I32, True), _loader(I32, False), _loader(I64, True)
load_u16, load_i16, load_i8 = _loader(I16, False), _loader(I16, True), _loader(I8, True)
store_8, store_16, store_32, store_64 = (_storer(t) for t in (I8, I16, I32, I64))


def _bit_count(name: str, has_flag: bool):
    @intrinsic
    def count(typingctx, mask):
        def codegen(context, builder, signature, args):
            operands = [I64, ir.IntType(1)] if has_flag else [I64]
            function = builder.module.declare_intrinsic(f"llvm.{name}", [I64], ir.FunctionType(I64, operands))
            return builder.call(function, [args[0], ir.Constant(ir.IntType(1), 0)] if has_flag else [args[0]])

        return types.int64(types.int64), codegen

    return count


popcount = _bit_count("ctpop", False)
lowest = _bit_count("cttz", True)  # index of the lowest set bit; 64 where none is set
leading = _bit_count("ctlz", True)


def _memory_function(name: str, second: ir.Type):
    @intrinsic
    def run(typingctx, target, source, n_bytes):
        def codegen(context, builder, signature, args):
            i1, pointer = ir.IntType(1), I8.as_pointer()
            overloads = [pointer, pointer, I64] if name == "memcpy" else [pointer, I64]
            kind = ir.FunctionType(ir.VoidType(), [pointer, second, I64, i1])
            function = builder.module.declare_intrinsic(f"llvm.{name}", overloads, kind)
            other = builder.inttoptr(args[1], pointer) if name == "memcpy" else builder.trunc(args[1], I8)
            builder.call(function, [builder.inttoptr(args[0], pointer), other, args[2], ir.Constant(i1, 0)])
            return context.get_dummy_value()

        return types.void(types.int64, types.int64, types.int64), codegen

    return run


def words_adder(count: int):
    """Make an intrinsic (target, source) that adds ``count`` adjacent int64 to others that do not overlap them."""
    words = ir.VectorType(I64, count)

    @intrinsic
    def add_words(typingctx, target, source):
        def codegen(context, builder, signature, args):
            to, given = (builder.inttoptr(address, words.as_pointer()) for address in args)
            total = builder.add(builder.load(to, align=8, typ=words), builder.load(given, align=8, typ=words))
            builder.store(total, to, align=8)
            return context.get_dummy_value()

        return types.void(types.int64, types.int64), codegen

    return add_words


copy_bytes = _memory_function("memcpy", I8.as_pointer())  # (target, source, bytes)
fill_bytes = _memory_function("memset", I8)  # (target, value, bytes)
