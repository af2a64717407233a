"""Emit LLVM vector code for operations on whole rows of 32 lanes.

Rows are passed by address. A lane mask selects the lanes that are written or asked about; what a mask leaves out is
never accessed in memory beyond the row itself. ``addresses`` is int64[32], one a lane.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

LANES = 32
I1, I8, I32, I64 = ir.IntType(1), ir.IntType(8), ir.IntType(32), ir.IntType(64)
BITS = ir.VectorType(I1, LANES)
V32, V64 = ir.VectorType(I32, LANES), ir.VectorType(I64, LANES)
POINTERS = ir.VectorType(I8.as_pointer(), LANES)
ROW_ALIGNMENT = 64


def lane_intrinsic(n_arguments: int, returns: bool = False):
    """Make an intrinsic of int64 arguments from ``emit(builder, *arguments)``, which gives an int64 if ``returns``."""

    def make(emit):
        result = types.int64 if returns else types.void
        signature = result(*[types.int64] * n_arguments)

        def codegen(context, builder, _signature, args):
            value = emit(builder, *args)
            return value if returns else context.get_dummy_value()

        return intrinsic(_TYPING[n_arguments](signature, codegen))

    return make


# A typing function has as many named parameters as the intrinsic has arguments.
_TYPING = {
    1: lambda *result: lambda typingctx, a: result,
    2: lambda *result: lambda typingctx, a, b: result,
    3: lambda *result: lambda typingctx, a, b, c: result,
    4: lambda *result: lambda typingctx, a, b, c, d: result,
    6: lambda *result: lambda typingctx, a, b, c, d, e, f: result,
    7: lambda *result: lambda typingctx, a, b, c, d, e, f, g: result,
}


# ------------------------------------------------------------------------------------------------ building blocks


def splat(builder, value, vector: ir.VectorType):
    """Return a vector of one value in every lane."""
    one = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.Constant(I32, 0))
    zeros = ir.Constant(ir.VectorType(I32, LANES), [0] * LANES)
    return builder.shuffle_vector(one, ir.Constant(vector, ir.Undefined), zeros)


def constant(vector: ir.VectorType, value):
    return ir.Constant(vector, [value] * LANES)


def load_row(builder, address, vector: ir.VectorType):
    return builder.load(builder.inttoptr(address, vector.as_pointer()), align=ROW_ALIGNMENT, typ=vector)


def store_row(builder, value, address, align: int = ROW_ALIGNMENT):
    builder.store(value, builder.inttoptr(address, value.type.as_pointer()), align=align)


def mask_bits(builder, mask):
    """Return the vector of bits of an int64 lane mask."""
    return builder.bitcast(builder.trunc(mask, I32), BITS)


def bits_mask(builder, bits):
    """Return the int64 lane mask of a vector of bits."""
    return builder.zext(builder.bitcast(bits, I32), I64)


def by_mask(builder, mask, all_lanes, some_lanes):
    """Emit ``all_lanes()`` for a mask of all lanes, as most are, and ``some_lanes()`` for others; return the value of
    the one that was carried out, if they have any."""
    is_full = builder.icmp_signed("==", builder.trunc(mask, I32), ir.Constant(I32, -1))
    values = []
    with builder.if_else(is_full, likely=True) as branches:
        for branch, emit in zip(branches, (all_lanes, some_lanes), strict=True):
            with branch:
                values.append((emit(), builder.block))
    if values[0][0] is None:
        return None
    result = builder.phi(values[0][0].type)
    for value, block in values:
        result.add_incoming(value, block)
    return result


def store_where(builder, value, address, mask):
    """Write the lanes of a mask to a row.

    LLVM would make masked stores of it, each of which takes an AMD Zen tens of cycles, but for the branch.
    """

    def blended():
        return builder.select(mask_bits(builder, mask), value, load_row(builder, address, value.type))

    store_row(builder, by_mask(builder, mask, lambda: value, blended), address)


def _element_pointers(builder, base, addresses):
    offsets = builder.add(load_row(builder, addresses, V64), splat(builder, base, V64))
    return builder.inttoptr(offsets, POINTERS)


def _masked(builder, name: str, overloads, result, arguments):
    """Call an ``llvm.masked`` intrinsic; the alignment of an element is one byte."""
    declared = ir.FunctionType(result, [a.type for a in arguments])
    function = builder.module.declare_intrinsic(f"llvm.masked.{name}", overloads, declared)
    return builder.call(function, arguments)


# ------------------------------------------------------------------------------------------------ questions


@lane_intrinsic(1, returns=True)
def nonzero(builder, row):
    """Return the lanes whose 32-bit value is not zero."""
    return bits_mask(builder, builder.icmp_unsigned("!=", load_row(builder, row, V32), constant(V32, 0)))


@lane_intrinsic(3, returns=True)
def lanes_beyond(builder, addresses, base, limit):
    """Return the lanes whose distance from ``base``, unsigned, is greater than ``limit``."""
    distance = builder.sub(load_row(builder, addresses, V64), splat(builder, base, V64))
    return bits_mask(builder, builder.icmp_unsigned(">", distance, splat(builder, limit, V64)))


@lane_intrinsic(2, returns=True)
def lanes_misaligned(builder, addresses, low_bits):
    """Return the lanes whose address has any of ``low_bits``."""
    rest = builder.and_(load_row(builder, addresses, V64), splat(builder, low_bits, V64))
    return bits_mask(builder, builder.icmp_unsigned("!=", rest, constant(V64, 0)))


@lane_intrinsic(3, returns=True)
def lanes_in(builder, addresses, shift, unit):
    """Return the lanes whose address lies in a unit of 2^shift bytes."""
    units = builder.lshr(load_row(builder, addresses, V64), splat(builder, shift, V64))
    return bits_mask(builder, builder.icmp_unsigned("==", units, splat(builder, unit, V64)))


@lane_intrinsic(3, returns=True)
def lanes_agreeing(builder, addresses, bits, value):
    """Return the lanes whose address has the same ``bits`` as ``value``."""
    differing = builder.xor(load_row(builder, addresses, V64), splat(builder, value, V64))
    differing = builder.and_(differing, splat(builder, bits, V64))
    return bits_mask(builder, builder.icmp_unsigned("==", differing, constant(V64, 0)))


@lane_intrinsic(2, returns=True)
def lanes_equal(builder, addresses, value):
    """Return the lanes that hold ``value`` (64 bits)."""
    return bits_mask(
        builder, builder.icmp_unsigned("==", load_row(builder, addresses, V64), splat(builder, value, V64))
    )


@lane_intrinsic(2, returns=True)
def lanes_equal_32(builder, row, value):
    """Return the lanes of a row of 32 bits that hold ``value``."""
    wanted = splat(builder, builder.trunc(value, I32), V32)
    return bits_mask(builder, builder.icmp_unsigned("==", load_row(builder, row, V32), wanted))


def _distances(builder, addresses, base, mask):
    """Return bytes from ``base`` in the lanes of the mask, else 0."""
    exact = builder.sub(load_row(builder, addresses, V64), splat(builder, base, V64))

    def some():
        return builder.select(mask_bits(builder, mask), exact, constant(V64, 0))

    return by_mask(builder, mask, lambda: exact, some)


@lane_intrinsic(4)
def distances(builder, addresses, base, mask, out):
    """Write int64[32] at ``out``: bytes from ``base`` in the lanes of the mask, else 0."""
    store_row(builder, _distances(builder, addresses, base, mask), out)


@lane_intrinsic(4, returns=True)
def distances_differ(builder, addresses, base, mask, row):
    """Return 1 where the ``distances`` differ from a row of 64 bits, else 0."""
    differing = builder.xor(_distances(builder, addresses, base, mask), load_row(builder, row, V64))
    while differing.type.count > 8:  # a register of vectors at a time
        half = differing.type.count // 2
        lower, upper = (ir.Constant(ir.VectorType(I32, half), list(range(k, k + half))) for k in (0, half))
        nothing = ir.Constant(differing.type, ir.Undefined)
        differing = builder.or_(*(builder.shuffle_vector(differing, nothing, part) for part in (lower, upper)))
    some = builder.icmp_unsigned("!=", differing, ir.Constant(differing.type, [0] * 8))
    return builder.zext(builder.icmp_unsigned("!=", builder.bitcast(some, I8), ir.Constant(I8, 0)), I64)


@lane_intrinsic(2, returns=True)
def rows_differ(builder, a, b):
    """Return the lanes in which two rows of 32 bits differ."""
    return bits_mask(builder, builder.icmp_unsigned("!=", load_row(builder, a, V32), load_row(builder, b, V32)))


@lane_intrinsic(2, returns=True)
def rows_differ_64(builder, a, b):
    """Return the lanes in which two rows of 64 bits differ."""
    return bits_mask(builder, builder.icmp_unsigned("!=", load_row(builder, a, V64), load_row(builder, b, V64)))


# ------------------------------------------------------------------------------------------------ addresses


@lane_intrinsic(3)
def wide_addresses(builder, row, offset, out):
    """Compute addresses in global or generic space: a 64-bit row plus an offset."""
    store_row(builder, builder.add(load_row(builder, row, V64), splat(builder, offset, V64)), out)


@lane_intrinsic(4)
def narrow_addresses(builder, row, shift, offset, out):
    """Compute byte offsets in another space: a 32-bit row, shifted left, plus an offset, modulo 2^32."""
    shifted = builder.shl(load_row(builder, row, V32), splat(builder, builder.trunc(shift, I32), V32))
    total = builder.add(shifted, splat(builder, builder.trunc(offset, I32), V32))
    store_row(builder, builder.zext(total, V64), out)


@lane_intrinsic(3)
def pair_addresses(builder, row, offset, out):
    """Compute addresses from two 32-bit rows, the lower half first, plus an offset."""
    low = builder.zext(load_row(builder, row, V32), V64)
    high = builder.zext(load_row(builder, builder.add(row, ir.Constant(I64, 4 * LANES)), V32), V64)
    pair = builder.or_(low, builder.shl(high, constant(V64, 32)))
    store_row(builder, builder.add(pair, splat(builder, offset, V64)), out)


@lane_intrinsic(2)
def shift_addresses(builder, addresses, offset):
    """Add an offset to every address."""
    store_row(builder, builder.add(load_row(builder, addresses, V64), splat(builder, offset, V64)), addresses)


@lane_intrinsic(3)
def split_addresses(builder, addresses, low_bits, out):
    """Take ``low_bits`` from every address: int64[32] at ``out``."""
    whole, low = load_row(builder, addresses, V64), splat(builder, low_bits, V64)
    store_row(builder, builder.and_(whole, low), out)
    store_row(builder, builder.and_(whole, builder.not_(low)), addresses)


# ------------------------------------------------------------------------------------------------ data


def _gather(vector: ir.VectorType, suffix: str):
    @lane_intrinsic(4)
    def gather(builder, row, base, addresses, mask):
        """Set row[lane] = memory at base + addresses[lane], in the lanes of the mask."""
        pointers = _element_pointers(builder, base, addresses)
        arguments = [pointers, ir.Constant(I32, 1), mask_bits(builder, mask), load_row(builder, row, vector)]
        value = _masked(builder, f"gather.{suffix}.v32p0", [], vector, arguments)
        store_row(builder, value, row)

    return gather


def _scatter(vector: ir.VectorType, suffix: str):
    @lane_intrinsic(4)
    def scatter(builder, row, base, addresses, mask):
        """Set memory at base + addresses[lane] = row[lane], in the lanes of the mask; of equal addresses the last
        wins."""
        pointers = _element_pointers(builder, base, addresses)
        arguments = [load_row(builder, row, vector), pointers, ir.Constant(I32, 1), mask_bits(builder, mask)]
        _masked(builder, f"scatter.{suffix}.v32p0", [], ir.VoidType(), arguments)

    return scatter


def gathered(builder, table, index):
    """Return a word of 64 bits for each lane: those of a table at an address, by their numbers of 64 bits."""
    offsets = builder.add(builder.shl(index, constant(V64, 3)), splat(builder, table, V64))
    everywhere = ir.Constant(BITS, [1] * LANES)
    arguments = [builder.inttoptr(offsets, POINTERS), ir.Constant(I32, 8), everywhere, constant(V64, 0)]
    return _masked(builder, "gather.v32i64.v32p0", [], V64, arguments)


def _copy_in(vector: ir.VectorType, suffix: str):
    @lane_intrinsic(3)
    def copy_in(builder, row, address, mask):
        """Set row[lane] = the lane-th element from ``address``, in the lanes of the mask."""
        pointer = builder.inttoptr(address, vector.as_pointer())

        def some():
            arguments = [pointer, ir.Constant(I32, 1), mask_bits(builder, mask), load_row(builder, row, vector)]
            return _masked(builder, f"load.{suffix}.p0", [], vector, arguments)

        store_row(builder, by_mask(builder, mask, lambda: builder.load(pointer, align=1, typ=vector), some), row)

    return copy_in


def _copy_out(vector: ir.VectorType, suffix: str):
    @lane_intrinsic(3)
    def copy_out(builder, row, address, mask):
        """Set the lane-th element from ``address`` = row[lane], in the lanes of the mask."""
        pointer, value = builder.inttoptr(address, vector.as_pointer()), load_row(builder, row, vector)

        def some():
            arguments = [value, pointer, ir.Constant(I32, 1), mask_bits(builder, mask)]
            _masked(builder, f"store.{suffix}.p0", [], ir.VoidType(), arguments)

        by_mask(builder, mask, lambda: store_row(builder, value, address, align=1), some)

    return copy_out


gather_32, gather_64 = _gather(V32, "v32i32"), _gather(V64, "v32i64")
scatter_32, scatter_64 = _scatter(V32, "v32i32"), _scatter(V64, "v32i64")
copy_in_32, copy_in_64 = _copy_in(V32, "v32i32"), _copy_in(V64, "v32i64")
copy_out_32, copy_out_64 = _copy_out(V32, "v32i32"), _copy_out(V64, "v32i64")


@lane_intrinsic(4)
def copy_in_halves_32(builder, row, lower, upper, mask):
    """Set row[lane] = the lane-th word from ``lower`` in lanes 0 to 15 of the mask, from ``upper`` in the others."""
    bits, old, found = mask_bits(builder, mask), load_row(builder, row, V32), []
    for first, address in ((0, lower), (16, builder.add(upper, ir.Constant(I64, 4 * 16)))):
        own = ir.Constant(ir.VectorType(I32, 16), list(range(first, first + 16)))
        pointer = builder.inttoptr(address, ir.VectorType(I32, 16).as_pointer())
        chosen = [builder.shuffle_vector(x, ir.Constant(x.type, ir.Undefined), own) for x in (bits, old)]
        arguments = [pointer, ir.Constant(I32, 1), *chosen]
        found.append(_masked(builder, "load.v16i32.p0", [], ir.VectorType(I32, 16), arguments))
    everything = ir.Constant(V32, list(range(LANES)))
    store_row(builder, builder.shuffle_vector(*found, everything), row)


@lane_intrinsic(3)
def fill_32(builder, row, value, mask):
    """Set row[lane] = value, in the lanes of the mask."""
    store_where(builder, splat(builder, builder.trunc(value, I32), V32), row, mask)


@lane_intrinsic(3)
def fill_64(builder, row, value, mask):
    store_where(builder, splat(builder, value, V64), row, mask)


@lane_intrinsic(3)
def permute_32(builder, out, row, sources):
    """Set out[lane] = row[sources[lane]], of rows of 32 bits; ``sources`` int64[32]."""
    _permute(builder, out, row, sources, V32, "v32i32")


@lane_intrinsic(3)
def permute_64(builder, out, row, sources):
    _permute(builder, out, row, sources, V64, "v32i64")


def _permute(builder, out, row, sources, vector: ir.VectorType, suffix: str) -> None:
    size = constant(V64, vector.element.width // 8)
    offsets = builder.add(builder.mul(load_row(builder, sources, V64), size), splat(builder, row, V64))
    everywhere = ir.Constant(BITS, [1] * LANES)
    arguments = [builder.inttoptr(offsets, POINTERS), ir.Constant(I32, 1), everywhere, constant(vector, 0)]
    store_row(builder, _masked(builder, f"gather.{suffix}.v32p0", [], vector, arguments), out)


def _copy_lanes(vector: ir.VectorType):
    @lane_intrinsic(3)
    def copy_lanes(builder, out, row, mask):
        """Set out[lane] = row[lane], in the lanes of the mask."""
        store_where(builder, load_row(builder, row, vector), out, mask)

    return copy_lanes


copy_lanes_32, copy_lanes_64 = _copy_lanes(V32), _copy_lanes(V64)
