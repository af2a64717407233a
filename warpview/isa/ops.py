"""Define the instruction set: one row for each operation, with all that is the same wherever it is used.

The compiler folds constants, checks types and orders operands by these rows, the reference executes by them, and
captions and the listing speak by them; only the jitted engine says again what an operation computes.

What the letters of operands and types mean is said in ``op_info``.
"""

from __future__ import annotations

import operator
from enum import IntEnum
from functools import cache

from warpview.isa import approximations, arithmetic, halves, math_functions
from warpview.isa.arithmetic import Bits, Meaning, on_numbers, on_patterns, on_typed_numbers, on_wide_numbers
from warpview.isa.matrices import MatrixMode
from warpview.isa.modes import (
    Approximation,
    AtomOp,
    BarRedOp,
    Clock,
    Cmp,
    CopyGroup,
    FunnelMode,
    Half,
    HalfFn,
    MatchMode,
    MathFn,
    MemoryScope,
    NamedBarrier,
    ReduxOp,
    Rounding,
    ShflMode,
    VoteMode,
)
from warpview.isa.op_info import OpInfo, OpKind, Unit
from warpview.isa.types import Type

__all__ = [
    "ATOMIC_OPS",
    "BLOCK_BARRIERS",
    "MATRIX_OPS",
    "MEMORY_OPS",
    "OPS",
    "SIDE_EFFECTS",
    "WARP_COLLECTIVES",
    "Approximation",
    "AtomOp",
    "BarRedOp",
    "Cmp",
    "FunnelMode",
    "Half",
    "HalfFn",
    "MatchMode",
    "MathFn",
    "MemoryScope",
    "Op",
    "OpInfo",
    "OpKind",
    "ReduxOp",
    "ShflMode",
    "Unit",
    "VoteMode",
    "operation",
]  # fmt: skip


class Op(IntEnum):
    NOP = 0
    MOV = 1
    CVT = 2
    SELP = 3
    ADD = 4
    SUB = 5
    MUL = 6
    MULHI = 7
    MULWIDE = 8
    MAD = 9
    MADWIDE = 10
    FMA = 11
    DIV = 12
    REM = 13
    MIN = 14
    MAX = 15
    NEG = 16
    ABS = 17
    AND = 18
    OR = 19
    XOR = 20
    NOT = 21
    SHL = 22
    SHR = 23
    MUL24 = 24
    MAD24 = 25
    SAD = 26
    POPC = 27
    CLZ = 28
    FFS = 29
    BREV = 30
    PRMT = 31
    SHF = 32
    SQRT = 33
    RSQRT = 34
    RCP = 35
    MATH1 = 36
    MATH2 = 37
    SETP = 38
    LD = 39
    ST = 40
    ATOM = 41
    RED = 42
    BRA = 43
    EXIT = 44
    BAR_SYNC = 45
    BAR_RED = 46
    WARPSYNC = 47
    MEMBAR = 48
    SHFL = 49
    VOTE = 50
    MATCH = 51
    REDUX = 52
    ACTIVEMASK = 53
    CLOCK = 54
    PRINTF = 55
    TRAP = 56
    NATIVE = 57
    BAR_NAMED = 58
    DP4A = 59
    CVT16 = 60
    OP16 = 61
    FMA16 = 62
    MBARRIER = 63
    MMA = 64
    MOVM = 65
    CLUSTER_ARRIVE = 66
    CLUSTER_WAIT = 67
    APPROX1 = 68
    APPROX2 = 69
    TEX = 70
    CP_ASYNC = 71


ALU, IMUL, IDIV, SFU, LSU = Unit.ALU, Unit.IMUL, Unit.IDIV, Unit.SFU, Unit.LSU
SYNC, WARP, FMA = Unit.SYNC, Unit.WARP, Unit.FMA


def _row(
    mnemonic: str, operands: str, types: str, unit: Unit, compute: Meaning | None, meaning: str, noun: str = "a value",
    sentence: str = "", **more: object,
) -> OpInfo:  # fmt: skip
    dst, _, srcs = operands.partition("<")
    return OpInfo(mnemonic, dst, tuple(srcs), types, unit, compute, meaning, noun, sentence, **more)  # type: ignore[arg-type]


def _pass(type_: Type) -> Bits:
    return lambda a: a


def _select(type_: Type) -> Bits:
    return lambda a, b, p: a if p else b


# fmt: off
OPS: dict[Op, OpInfo] = {
    Op.NOP: _row("nop", "<", "ifp", ALU, None, "nothing", kind=OpKind.OTHER),
    Op.MOV: _row("mov", "t<t", "ifp", ALU, on_patterns(_pass), "copy", "a copy", "{0} becomes {1}", bits_only=True),
    Op.CVT: _row("cvt", "t<s", "if", ALU, arithmetic.convert,
        "convert; float to integer truncates and saturates, NaN as PTX has it", "a conversion",
        "{0} becomes {1}, converted to {type}"),
    Op.SELP: _row("selp", "t<ttp", "ifp", ALU, on_patterns(_select),
        "first source where the predicate holds, else the second", "a choice",
        "{0} becomes {1} in lanes where {3} holds, {2} in the others", bits_only=True),
    Op.ADD: _row("add", "t<tt", "if", ALU, on_numbers(operator.add), "sum; integers wrap", "a sum",
        "{0} becomes {1} + {2}", commutes=True, f32_unit=FMA),
    Op.SUB: _row("sub", "t<tt", "if", ALU, on_numbers(operator.sub), "difference; integers wrap", "a difference",
        "{0} becomes {1} − {2}", f32_unit=FMA),
    Op.MUL: _row("mul", "t<tt", "if", IMUL, on_numbers(operator.mul), "product; of integers the low half", "a product",
        "{0} becomes {1} × {2}", commutes=True, f32_unit=FMA),
    Op.MULHI: _row("mul.hi", "t<tt", "i", IMUL, on_typed_numbers(arithmetic.high_product),
        "high half of the integer product", "a product", "{0} becomes the high half of {1} × {2}", commutes=True),
    Op.MULWIDE: _row("mul.wide", "w<tt", "w", IMUL, on_wide_numbers(operator.mul),
        "full 64-bit product of 32-bit integers", "a product", "{0} becomes {1} × {2} in 64 bits", commutes=True),
    Op.MAD: _row("mad.lo", "t<ttt", "i", IMUL, on_numbers(arithmetic.multiply_add),
        "low half of product plus third source; integers only", "a product and sum", "{0} becomes {1} × {2} + {3}",
        commutes=True),
    Op.MADWIDE: _row("mad.wide", "w<ttw", "w", IMUL, on_wide_numbers(arithmetic.multiply_add),
        "full 64-bit product plus a 64-bit third source", "a product and sum",
        "{0} becomes {1} × {2} + {3} in 64 bits", commutes=True),
    Op.FMA: _row("fma", "t<ttt", "f", ALU, arithmetic.fused_multiply_add,
        "product plus third source, rounded once; floats only; see Rounding", "a product and sum",
        "{0} becomes {1} × {2} + {3}, rounded once", commutes=True, f32_unit=FMA, modes=Rounding),
    Op.DIV: _row("div", "t<tt", "if", IDIV, on_numbers(arithmetic.quotient, math_functions.divide),
        "quotient; integers truncate, by zero gives all ones, MIN/-1 gives MIN", "a quotient", "{0} becomes {1} / {2}",
        f32_unit=SFU),
    Op.REM: _row("rem", "t<tt", "i", IDIV, on_numbers(arithmetic.remainder),
        "integer remainder, dividend's sign; by zero all ones, MIN%-1 gives 0", "a remainder",
        "{0} becomes the remainder of {1} / {2}"),
    Op.MIN: _row("min", "t<tt", "if", ALU, on_numbers(min, arithmetic.minimum),
        "smaller; of a NaN and a number the number; -0 below +0", "a minimum",
        "{0} becomes the smaller of {1} and {2}", commutes=True),
    Op.MAX: _row("max", "t<tt", "if", ALU, on_numbers(max, arithmetic.maximum),
        "larger; of a NaN and a number the number; -0 below +0", "a maximum", "{0} becomes the larger of {1} and {2}",
        commutes=True),
    Op.NEG: _row("neg", "t<t", "if", ALU, on_patterns(arithmetic.negate), "negation", "a negative",
        "{0} becomes −{1}"),
    Op.ABS: _row("abs", "t<t", "if", ALU, on_patterns(arithmetic.absolute), "absolute value", "an absolute value",
        "{0} becomes the absolute value of {1}"),
    Op.AND: _row("and", "t<tt", "ip", ALU, on_patterns(lambda _: operator.and_), "bitwise and (also of predicates)",
        "a bitwise and", "{0} becomes {1} and {2}, bit by bit", commutes=True, untyped=True),
    Op.OR: _row("or", "t<tt", "ip", ALU, on_patterns(lambda _: operator.or_), "bitwise or (also of predicates)",
        "a bitwise or", "{0} becomes {1} or {2}, bit by bit", commutes=True, untyped=True),
    Op.XOR: _row("xor", "t<tt", "ip", ALU, on_patterns(lambda _: operator.xor),
        "bitwise exclusive or (also of predicates)", "a bitwise exclusive or",
        "{0} becomes {1} exclusive or {2}, bit by bit", commutes=True, untyped=True),
    Op.NOT: _row("not", "t<t", "ip", ALU, on_patterns(arithmetic.complement),
        "bitwise complement (of a predicate: 1 - p)", "a complement", "{0} becomes {1} with every bit inverted",
        untyped=True),
    Op.SHL: _row("shl", "t<tu", "i", ALU, on_patterns(arithmetic.shift_left),
        "left shift; a count of the width or more gives 0", "a shift", "{0} becomes {1} shifted left by {2}",
        untyped=True),
    Op.SHR: _row("shr", "t<tu", "i", ALU, on_patterns(arithmetic.shift_right),
        "right shift, arithmetic for signed types; a large count fills", "a shift",
        "{0} becomes {1} shifted right by {2}"),
    Op.MUL24: _row("mul24", "t<tt", "w", ALU, on_typed_numbers(arithmetic.multiply_add_24),
        "low 32 bits of the product of the low 24 bits (sign-extended for s32)", "a 24-bit product",
        "{0} becomes the product of the low 24 bits of {1} and {2}", commutes=True),
    Op.MAD24: _row("mad24", "t<ttt", "w", ALU, on_typed_numbers(arithmetic.multiply_add_24), "mul24 plus third source",
        "a 24-bit product and sum", "{0} becomes the product of the low 24 bits of {1} and {2}, plus {3}",
        commutes=True),
    Op.SAD: _row("sad", "t<ttt", "i", ALU, on_numbers(arithmetic.absolute_difference_add),
        "absolute difference plus third source", "an absolute difference and sum", "{0} becomes |{1} − {2}| + {3}",
        commutes=True),
    Op.POPC: _row("popc", "u<t", "i", SFU, on_patterns(arithmetic.count_ones), "number of set bits", "a count of bits",
        "{0} becomes the number of ones in {1}"),
    Op.CLZ: _row("clz", "u<t", "i", SFU, on_patterns(arithmetic.count_leading_zeros), "number of leading zeros",
        "a count of leading zeros", "{0} becomes the number of leading zeros of {1}"),
    Op.FFS: _row("ffs", "u<t", "i", SFU, on_patterns(arithmetic.find_first_set),
        "1 + index of the lowest set bit, 0 if none", "the first set bit",
        "{0} becomes the place of the lowest one in {1}, counted from 1"),
    Op.BREV: _row("brev", "t<t", "i", SFU, on_patterns(arithmetic.reverse), "bits in reverse order",
        "a reversal of bits", "{0} becomes {1} with its bits in reverse", untyped=True),
    Op.PRMT: _row("prmt", "u<uuu", "ifp", ALU, on_patterns(arithmetic.permute_bytes),
        "bytes of two words picked by a selector", "a choice of bytes",
        "{0} becomes the bytes of {1} and {2} that {3} selects", untyped=True),
    Op.SHF: _row("shf", "u<uuu", "ifp", ALU, arithmetic.funnel_shift,
        "funnel shift of (second:first) by third; see FunnelMode", "a funnel shift",
        "{0} becomes 32 bits of {2}:{1}, shifted by {3}", untyped=True, modes=FunnelMode),
    Op.SQRT: _row("sqrt.rn", "t<t", "f", SFU, on_numbers(math_functions.sqrt), "square root, correctly rounded",
        "a square root", "{0} becomes the square root of {1}"),
    Op.RSQRT: _row("rsqrt", "t<t", "f", SFU, on_numbers(arithmetic.reciprocal_root),
        "reciprocal square root: 1/sqrt in F64 rounded once", "a reciprocal square root",
        "{0} becomes 1 / the square root of {1}"),
    Op.RCP: _row("rcp.rn", "t<t", "f", SFU, on_numbers(arithmetic.reciprocal), "reciprocal, correctly rounded",
        "a reciprocal", "{0} becomes 1 / {1}"),
    Op.MATH1: _row("math", "t<t", "f", SFU, arithmetic.unary_function, "a function of one argument; see MathFn",
        "a function", "{0} becomes {how}({1})", kind=OpKind.MATH, modes=MathFn),
    Op.MATH2: _row("math", "t<tt", "f", SFU, arithmetic.binary_function, "a function of two arguments; see MathFn",
        "a function", "{0} becomes {how}({1}, {2})", kind=OpKind.MATH, modes=MathFn),
    Op.SETP: _row("setp", "p<tt", "if", ALU, arithmetic.compare, "comparison; see Cmp", "a comparison",
        "{0} becomes true in lanes where {1} {relation} {2}, false in the others", modes=Cmp),
    Op.LD: _row("ld", "t<a", "if", LSU, None, "load from address + imm", "a value",
        "{0} becomes the {type} at {1} in {space} memory", kind=OpKind.MEMORY),
    Op.ST: _row("st", "<at", "if", LSU, None, "store to address + imm", "",
        "The {type} at {0} in {space} memory becomes {1}", bits_only=True, kind=OpKind.MEMORY),
    Op.ATOM: _row("atom", "t<att", "if", LSU, None, "atomic read-modify-write that returns the old value; see AtomOp",
        "the old value",
        "The {type} at {1} in {space} memory changes atomically ({how} {2}); {0} becomes its old value", modes=AtomOp,
        kind=OpKind.MEMORY),
    Op.RED: _row("red", "<at", "if", LSU, None, "atomic read-modify-write without a result", "",
        "The {type} at {0} in {space} memory changes atomically ({how} {1})", modes=AtomOp, kind=OpKind.MEMORY),
    Op.BRA: _row("bra", "<", "ifp", Unit.BRANCH, None, "branch to target for lanes whose guard holds",
        kind=OpKind.BRANCH),
    Op.EXIT: _row("exit", "<", "ifp", Unit.BRANCH, None, "end of the threads whose guard holds", "",
        "The lanes have come to the end of the kernel", kind=OpKind.EXIT),
    Op.BAR_SYNC: _row("bar.sync", "<", "ifp", SYNC, None, "block barrier", "",
        "The warp waits until every warp of its block is here", kind=OpKind.BARRIER),
    Op.BAR_RED: _row("bar.red", "u<p", "ifp", SYNC, None, "block barrier that reduces a predicate; see BarRedOp",
        "a reduction", "{0} becomes {2} of all threads of the block, combined by {how}", kind=OpKind.BARRIER,
        modes=BarRedOp),
    Op.WARPSYNC: _row("bar.warp.sync", "<u", "ifp", SYNC, None, "barrier of the lanes of a mask", "",
        "The lanes of {0} wait for one another", kind=OpKind.COLLECTIVE),
    Op.MEMBAR: _row("membar", "<", "ifp", SYNC, None,
        "memory fence among the threads of its scope; see MemoryScope", "",
        "The writes so far become visible to other threads before any later access", kind=OpKind.OTHER),
    Op.SHFL: _row("shfl", "t<tuuu", "if", WARP, None,
        "value of another lane: value, lane or delta, width, member mask", "a value of another lane",
        "{0} becomes {1} of another lane ({how} {2})", modes=ShflMode, untyped=True, bits_only=True,
        kind=OpKind.COLLECTIVE),
    Op.VOTE: _row("vote", "u<pu", "ifp", WARP, None,
        "vote over a predicate: predicate, member mask; 0 or 1, or the ballot", "a vote",
        "{0} becomes the vote over {1} ({how})", modes=VoteMode,
        kind=OpKind.COLLECTIVE),
    Op.MATCH: _row("match", "u<tu", "if", WARP, None, "mask of the lanes with an equal value: value, member mask",
        "a mask of lanes", "{0} becomes the mask of the lanes that have the same {1} ({how})", modes=MatchMode,
        untyped=True, bits_only=True, kind=OpKind.COLLECTIVE),
    Op.REDUX: _row("redux", "t<tu", "i", WARP, None, "integer reduction over the lanes of a mask", "a reduction",
        "{0} becomes {1} of the lanes of {2}, combined by {how}", modes=ReduxOp, kind=OpKind.COLLECTIVE),
    Op.ACTIVEMASK: _row("activemask", "u<", "ifp", WARP, None, "the lanes that execute this instruction",
        "a mask of lanes", "{0} becomes the mask of the lanes that are here", kind=OpKind.OTHER),
    Op.CLOCK: _row("clock", "t<", "if", ALU, None,
        "clock; see Clock (a cycle is, in profile, a warp instruction that this warp has issued)", "the clock",
        "{0} becomes the clock, in {how}", kind=OpKind.OTHER, modes=Clock),
    Op.PRINTF: _row("printf", "<", "ifp", SYNC, None, "formatted output; imm is the index in Program.prints",
        kind=OpKind.OTHER),
    Op.TRAP: _row("trap", "<", "ifp", SYNC, None, "assertion failed; imm is the index in Program.asserts",
        kind=OpKind.OTHER),
    Op.NATIVE: _row("native", "<", "ifp", ALU, None, "an instruction of another set that is none of the above",
        kind=OpKind.NATIVE_VECTOR),
    Op.BAR_NAMED: _row("bar", "<uu", "ifp", SYNC, None,
        "barrier with a number, for a number of threads (0: all of the block); see NamedBarrier", "",
        "The warp arrives at barrier {0} ({how}), which waits for {1} threads (0: all)", kind=OpKind.BARRIER,
        modes=NamedBarrier),
    Op.DP4A: _row("dp4a", "t<ttt", "w", IMUL, on_typed_numbers(arithmetic.dot_product_of_bytes),
        "dot product of four bytes, those of s32 signed, plus third source", "a dot product and sum",
        "{0} becomes {3} + the dot product of the bytes of {1} and {2}", commutes=True),
    Op.CVT16: _row("cvt", "t<s", "hf", ALU, halves.convert, "convert to or from 16 bits; see Half", "a conversion",
        "{0} becomes {1}, converted ({how})", modes=Half),
    Op.OP16: _row("half", "t<tt", "h", FMA, halves.binary_function, "a function of numbers of 16 bits; see HalfFn",
        "a function", "{0} becomes {how}({1}, {2})", modes=HalfFn),
    Op.FMA16: _row("fma", "t<ttt", "h", FMA, halves.multiply_add, "product plus third source; see HalfFn",
        "a product and sum", "{0} becomes {1} × {2} + {3}, rounded once", modes=HalfFn),
    Op.MBARRIER: _row("mbarrier", "t<at", "i", LSU, None, "operation on a barrier in shared memory",
        "the state before", "The barrier at {1} in {space} memory changes; {0} gets its old state", kind=OpKind.MEMORY),
    Op.MMA: _row("mma", "t<", "if", WARP, None,
        "product of two matrices of the warp, plus a third: registers of A, of B, of C, member mask; see MatrixProduct",
        "its part of a product of matrices", "The warp multiplies two matrices and adds a third ({how})",
        modes=MatrixMode, kind=OpKind.COLLECTIVE),
    Op.MOVM: _row("movmatrix", "u<uu", "i", WARP, None,
        "transpose of 8 x 8 pieces of 16 bits, of which a lane has two neighbours of a row: pair, member mask",
        "its part of a transposed matrix", "{0} becomes the lane's part of the matrix in {1}, transposed", untyped=True,
        kind=OpKind.COLLECTIVE),
    Op.CLUSTER_ARRIVE: _row("barrier.cluster.arrive", "<", "ifp", SYNC, None, "arrival at the barrier of a cluster", "",
        "The lanes arrive at the barrier of their cluster, and go on", kind=OpKind.OTHER),
    Op.CLUSTER_WAIT: _row("barrier.cluster.wait", "<", "ifp", SYNC, None,
        "barrier of a cluster, for lanes that have arrived there", "",
        "The lanes wait until all threads of the cluster have arrived at its barrier", kind=OpKind.BARRIER),
    Op.APPROX1: _row("approx", "t<t", "r", SFU, approximations.unary_function,
        "approximation of a function of one argument, as the hardware's MUFU has it; see Approximation",
        "an approximation", "{0} becomes {how}, approximately", kind=OpKind.MATH, modes=Approximation),
    Op.APPROX2: _row("approx", "t<tt", "r", SFU, approximations.quotient,
        "dividend times the approximate reciprocal of the divisor; see Approximation", "an approximate quotient",
        "{0} becomes {how}, approximately", kind=OpKind.MATH, modes=Approximation),
    Op.TEX: _row("tex", "t<u", "if", SFU, None,
        "fetch from a texture: object, then words; what is fetched is an immediate, see TextureOperation",
        "what it fetches", "{0} becomes what the lane fetches from the texture object {1}", bits_only=True,
        kind=OpKind.NATIVE_ACTION),
    Op.CP_ASYNC: _row("cp.async", "<", "ifp", SYNC, None,
        "end of a group of asynchronous copies, or a wait for all groups but the last imm; see CopyGroup", "",
        "The copies so far are a group, or the lanes wait for groups ({how})", kind=OpKind.OTHER, modes=CopyGroup),
}
# fmt: on


@cache
@cache
def operation(op: Op, type_: Type, stype: Type, mod: int) -> Bits:
    """Return the function from the patterns of the sources to the result's, of an operation that only computes."""
    compute = OPS[op].compute
    assert compute is not None, f"{op.name} does more than to compute"
    return compute(type_, stype, mod)


def _of_kind(*kinds: OpKind) -> frozenset[Op]:
    return frozenset(op for op, info in OPS.items() if info.kind in kinds)


MEMORY_OPS = _of_kind(OpKind.MEMORY)
ATOMIC_OPS = frozenset({Op.ATOM, Op.RED, Op.MBARRIER})
BLOCK_BARRIERS = _of_kind(OpKind.BARRIER)
# Operations that exchange data or wait among the lanes of their member mask.
WARP_COLLECTIVES = _of_kind(OpKind.COLLECTIVE)
MATRIX_OPS = frozenset({Op.MMA, Op.MOVM})
CLUSTER_BARRIERS = frozenset({Op.CLUSTER_ARRIVE, Op.CLUSTER_WAIT})
# Operations that a compiler may not move, nor remove although nobody reads the result.
_EFFECTS = _of_kind(OpKind.BRANCH, OpKind.EXIT, OpKind.BARRIER, OpKind.COLLECTIVE, OpKind.OTHER)
SIDE_EFFECTS = (_EFFECTS | ATOMIC_OPS | {Op.ST}) - {Op.NOP}
