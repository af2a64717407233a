"""The instruction set: one row an operation.

An operand letter says which register an operand is, relative to the types of the instruction:

==  =====================================================================
t   the instruction's ``type``
s   its second type, ``stype`` (the source of a conversion)
w   the 64-bit type twice as wide as ``type``
p   a predicate
u   u32
a   an address: u64 in global and generic space, u32 (a byte offset) in others
==  =====================================================================
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Unit(IntEnum):
    """The execution unit that an instruction occupies; device files give its issue cycles and latency."""

    ALU = 0  # 32-bit integer and float add, multiply, logic, compare, move
    IMUL = 1  # 32-bit integer multiply
    IDIV = 2  # integer division and remainder (a subroutine on every device)
    FP64 = 3
    SFU = 4  # reciprocal, square root, transcendental
    LSU = 5  # loads, stores and atomics in any space
    BRANCH = 6
    SYNC = 7  # barriers and fences
    WARP = 8  # shuffles, votes, matches, warp reductions


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


class Cmp(IntEnum):
    """``mod`` of SETP. Ordered for floats except NE, which is true for NaN, as in C."""

    EQ = 0
    NE = 1
    LT = 2
    LE = 3
    GT = 4
    GE = 5


class AtomOp(IntEnum):
    """``mod`` of ATOM and RED. INC and DEC wrap as in CUDA; CAS has two operands (compare, value)."""

    ADD = 0
    MIN = 1
    MAX = 2
    AND = 3
    OR = 4
    XOR = 5
    EXCH = 6
    INC = 7
    DEC = 8
    CAS = 9


class ShflMode(IntEnum):
    """``mod`` of SHFL."""

    IDX = 0
    UP = 1
    DOWN = 2
    BFLY = 3


class VoteMode(IntEnum):
    """``mod`` of VOTE."""

    ALL = 0
    ANY = 1
    UNI = 2
    BALLOT = 3


class MatchMode(IntEnum):
    """``mod`` of MATCH."""

    ANY = 0
    ALL = 1


class ReduxOp(IntEnum):
    """``mod`` of REDUX."""

    ADD = 0
    MIN = 1
    MAX = 2
    AND = 3
    OR = 4
    XOR = 5


class BarRedOp(IntEnum):
    """``mod`` of BAR_RED."""

    POPC = 0
    AND = 1
    OR = 2


class FunnelMode(IntEnum):
    """``mod`` of SHF: which half of the shifted 64-bit value is kept; shift taken modulo 32 or clamped."""

    LEFT_WRAP = 0
    RIGHT_WRAP = 1
    LEFT_CLAMP = 2
    RIGHT_CLAMP = 3


class MathFn(IntEnum):
    """``mod`` of MATH1 and MATH2. F32 results are the F64 function rounded once to F32."""

    SIN = 0
    COS = 1
    TAN = 2
    ASIN = 3
    ACOS = 4
    ATAN = 5
    SINH = 6
    COSH = 7
    TANH = 8
    EXP = 9
    EXP2 = 10
    EXP10 = 11
    EXPM1 = 12
    LOG = 13
    LOG2 = 14
    LOG10 = 15
    LOG1P = 16
    CBRT = 17
    ERF = 18
    ERFC = 19
    FLOOR = 20
    CEIL = 21
    TRUNC = 22
    ROUND = 23  # half away from zero
    RINT = 24  # half to even
    TGAMMA = 25
    LGAMMA = 26
    # of two arguments
    POW = 40
    ATAN2 = 41
    FMOD = 42
    HYPOT = 43
    COPYSIGN = 44
    FDIM = 45
    REMAINDER = 46


@dataclass(frozen=True)
class OpInfo:
    """One row of the instruction set. ``dst`` and each of ``srcs`` are operand letters (see the module)."""

    mnemonic: str
    dst: str
    srcs: tuple[str, ...]
    unit: Unit
    meaning: str


def _row(mnemonic: str, operands: str, unit: Unit, meaning: str) -> OpInfo:
    dst, _, srcs = operands.partition("<")
    return OpInfo(mnemonic, dst, tuple(srcs), unit, meaning)


OPS: dict[Op, OpInfo] = {
    Op.NOP: _row("nop", "<", Unit.ALU, "nothing"),
    Op.MOV: _row("mov", "t<t", Unit.ALU, "copy"),
    Op.CVT: _row("cvt", "t<s", Unit.ALU, "convert; float to integer truncates and saturates, NaN as PTX has it"),
    Op.SELP: _row("selp", "t<ttp", Unit.ALU, "first source where the predicate holds, else the second"),
    Op.ADD: _row("add", "t<tt", Unit.ALU, "sum; integers wrap"),
    Op.SUB: _row("sub", "t<tt", Unit.ALU, "difference; integers wrap"),
    Op.MUL: _row("mul", "t<tt", Unit.IMUL, "product; of integers the low half"),
    Op.MULHI: _row("mul.hi", "t<tt", Unit.IMUL, "high half of the integer product"),
    Op.MULWIDE: _row("mul.wide", "w<tt", Unit.IMUL, "full 64-bit product of 32-bit integers"),
    Op.MAD: _row("mad.lo", "t<ttt", Unit.IMUL, "low half of product plus third source; integers only"),
    Op.MADWIDE: _row("mad.wide", "w<ttw", Unit.IMUL, "full 64-bit product plus a 64-bit third source"),
    Op.FMA: _row("fma.rn", "t<ttt", Unit.ALU, "product plus third source, rounded once; floats only"),
    Op.DIV: _row("div", "t<tt", Unit.IDIV, "quotient; integers truncate, by zero gives all ones, MIN/-1 gives MIN"),
    Op.REM: _row("rem", "t<tt", Unit.IDIV, "integer remainder, dividend's sign; by zero all ones, MIN%-1 gives 0"),
    Op.MIN: _row("min", "t<tt", Unit.ALU, "smaller; of a NaN and a number the number; -0 below +0"),
    Op.MAX: _row("max", "t<tt", Unit.ALU, "larger; of a NaN and a number the number; -0 below +0"),
    Op.NEG: _row("neg", "t<t", Unit.ALU, "negation"),
    Op.ABS: _row("abs", "t<t", Unit.ALU, "absolute value"),
    Op.AND: _row("and", "t<tt", Unit.ALU, "bitwise and (also of predicates)"),
    Op.OR: _row("or", "t<tt", Unit.ALU, "bitwise or (also of predicates)"),
    Op.XOR: _row("xor", "t<tt", Unit.ALU, "bitwise exclusive or (also of predicates)"),
    Op.NOT: _row("not", "t<t", Unit.ALU, "bitwise complement (of a predicate: 1 - p)"),
    Op.SHL: _row("shl", "t<tu", Unit.ALU, "left shift; a count of the width or more gives 0"),
    Op.SHR: _row("shr", "t<tu", Unit.ALU, "right shift, arithmetic for signed types; a large count fills"),
    Op.MUL24: _row("mul24", "t<tt", Unit.ALU, "low 32 bits of the product of the low 24 bits (sign-extended for s32)"),
    Op.MAD24: _row("mad24", "t<ttt", Unit.ALU, "mul24 plus third source"),
    Op.SAD: _row("sad", "t<ttt", Unit.ALU, "absolute difference plus third source"),
    Op.POPC: _row("popc", "u<t", Unit.SFU, "number of set bits"),
    Op.CLZ: _row("clz", "u<t", Unit.SFU, "number of leading zeros"),
    Op.FFS: _row("ffs", "u<t", Unit.SFU, "1 + index of the lowest set bit, 0 if none"),
    Op.BREV: _row("brev", "t<t", Unit.SFU, "bits in reverse order"),
    Op.PRMT: _row("prmt", "u<uuu", Unit.ALU, "bytes of two words picked by a selector"),
    Op.SHF: _row("shf", "u<uuu", Unit.ALU, "funnel shift of (second:first) by third; see FunnelMode"),
    Op.SQRT: _row("sqrt.rn", "t<t", Unit.SFU, "square root, correctly rounded"),
    Op.RSQRT: _row("rsqrt", "t<t", Unit.SFU, "reciprocal square root: 1/sqrt in F64 rounded once"),
    Op.RCP: _row("rcp.rn", "t<t", Unit.SFU, "reciprocal, correctly rounded"),
    Op.MATH1: _row("math", "t<t", Unit.SFU, "a function of one argument; see MathFn"),
    Op.MATH2: _row("math", "t<tt", Unit.SFU, "a function of two arguments; see MathFn"),
    Op.SETP: _row("setp", "p<tt", Unit.ALU, "comparison; see Cmp"),
    Op.LD: _row("ld", "t<a", Unit.LSU, "load from address + imm"),
    Op.ST: _row("st", "<at", Unit.LSU, "store to address + imm"),
    Op.ATOM: _row("atom", "t<att", Unit.LSU, "atomic read-modify-write that returns the old value; see AtomOp"),
    Op.RED: _row("red", "<at", Unit.LSU, "atomic read-modify-write without a result"),
    Op.BRA: _row("bra", "<", Unit.BRANCH, "branch to target for lanes whose guard holds"),
    Op.EXIT: _row("exit", "<", Unit.BRANCH, "end of the threads whose guard holds"),
    Op.BAR_SYNC: _row("bar.sync", "<", Unit.SYNC, "block barrier"),
    Op.BAR_RED: _row("bar.red", "u<p", Unit.SYNC, "block barrier that reduces a predicate; see BarRedOp"),
    Op.WARPSYNC: _row("bar.warp.sync", "<u", Unit.SYNC, "barrier of the lanes of a mask"),
    Op.MEMBAR: _row("membar", "<", Unit.SYNC, "fence; no effect on values in a simulator that executes in order"),
    Op.SHFL: _row("shfl", "t<tuuu", Unit.WARP, "value of another lane: value, lane or delta, width, member mask"),
    Op.VOTE: _row("vote", "u<pu", Unit.WARP, "vote over a predicate: predicate, member mask; 0 or 1, or the ballot"),
    Op.MATCH: _row("match", "u<tu", Unit.WARP, "mask of the lanes with an equal value: value, member mask"),
    Op.REDUX: _row("redux", "t<tu", Unit.WARP, "integer reduction over the lanes of a mask"),
    Op.ACTIVEMASK: _row("activemask", "u<", Unit.WARP, "the lanes that execute this instruction"),
    Op.CLOCK: _row("clock", "t<", Unit.ALU, "cycle counter (in profile: warp instructions issued by this warp)"),
    Op.PRINTF: _row("printf", "<", Unit.SYNC, "formatted output; imm is the index in Program.prints"),
    Op.TRAP: _row("trap", "<", Unit.SYNC, "assertion failed; imm is the index in Program.asserts"),
}

# Named sets of operations, so that a property is written in one place.
MEMORY_OPS = frozenset({Op.LD, Op.ST, Op.ATOM, Op.RED})
ATOMIC_OPS = frozenset({Op.ATOM, Op.RED})
BLOCK_BARRIERS = frozenset({Op.BAR_SYNC, Op.BAR_RED})
# Operations that exchange data or wait among the lanes of their member mask.
WARP_COLLECTIVES = frozenset({Op.WARPSYNC, Op.SHFL, Op.VOTE, Op.MATCH, Op.REDUX})
# What a compiler may not remove although nobody reads the result, nor move.
SIDE_EFFECTS = frozenset(
    {Op.ST, Op.ATOM, Op.RED, Op.BRA, Op.EXIT, Op.MEMBAR, Op.CLOCK, Op.PRINTF, Op.TRAP, Op.ACTIVEMASK}
) | BLOCK_BARRIERS | WARP_COLLECTIVES  # fmt: skip
