"""Number the variants of operations, such as the comparison of a SETP, for the ``mod`` of an instruction."""

from __future__ import annotations

from enum import IntEnum


class Cmp(IntEnum):
    """Name the ``mod`` of SETP. Ordered for floats except NE, which is true for NaN, as in C."""

    EQ = 0
    NE = 1
    LT = 2
    LE = 3
    GT = 4
    GE = 5


class Clock(IntEnum):
    """Name the ``mod`` of CLOCK: what it counts."""

    CYCLES = 0
    NANOSECONDS = 1  # since the launch began; the warp lets others go first, since it waits for time to pass


class Rounding(IntEnum):
    """Name the ``mod`` of FMA: to the nearest, down, up or towards zero. All but the first are of F64 alone."""

    RN = 0
    RM = 1
    RP = 2
    RZ = 3


class AtomOp(IntEnum):
    """Name the ``mod`` of ATOM and RED. INC and DEC wrap as in CUDA; CAS has two operands (compare, value); ADD_F16
    adds the half in each 16 bits of a U16 or U32."""

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
    ADD_F16 = 10


KEEPS_OTHERS = 1  # the ``mod`` of an AND that keeps the other members of a word of bit fields, written or not


class MemoryScope(IntEnum):
    """Name the ``mod`` of MEMBAR and ``scope`` of an atomic: the threads among which it orders accesses (PTX: gpu,
    cta, sys)."""

    DEVICE = 0
    BLOCK = 1
    SYSTEM = 2


class BarrierScope(IntEnum):
    """Name the ``mod`` of BAR_SYNC: the threads that wait for one another."""

    BLOCK = 0
    GRID = 1


BARRIERS_A_BLOCK = 16  # PTX ISA, "bar, barrier": each CTA has barriers 0 to 15
ALL_THREADS = 0  # as the number of threads that a barrier waits for: all of the block


class NamedBarrier(IntEnum):
    """Name the ``mod`` of BAR_NAMED: wait until all have arrived, or arrive and go on."""

    SYNC = 0
    ARRIVE = 1


class CopyGroup(IntEnum):
    """Name the ``mod`` of CP_ASYNC: close the group of the copies so far, or wait until all groups are there but the
    last ones, whose number is the immediate."""

    COMMIT_GROUP = 0
    WAIT_GROUP = 1


class Spin(IntEnum):
    """Say what a branch does that leaves a loop which waits for other threads."""

    NONE = 0  # it is no such branch
    LEAVES_BY_BRANCH = 1  # lanes that branch leave the loop
    STAYS_BY_BRANCH = 2  # lanes that branch stay in it


class ShflMode(IntEnum):
    """Name the ``mod`` of SHFL."""

    IDX = 0
    UP = 1
    DOWN = 2
    BFLY = 3


class VoteMode(IntEnum):
    """Name the ``mod`` of VOTE."""

    ALL = 0
    ANY = 1
    UNI = 2
    BALLOT = 3


class MatchMode(IntEnum):
    """Name the ``mod`` of MATCH."""

    ANY = 0
    ALL = 1


class ReduxOp(IntEnum):
    """Name the ``mod`` of REDUX."""

    ADD = 0
    MIN = 1
    MAX = 2
    AND = 3
    OR = 4
    XOR = 5


class BarRedOp(IntEnum):
    """Name the ``mod`` of BAR_RED."""

    POPC = 0
    AND = 1
    OR = 2


class FunnelMode(IntEnum):
    """Name the ``mod`` of SHF: which half of the shifted 64-bit value is kept; shift taken modulo 32 or clamped."""

    LEFT_WRAP = 0
    RIGHT_WRAP = 1
    LEFT_CLAMP = 2
    RIGHT_CLAMP = 3


class Half(IntEnum):
    """Name the ``mod`` of CVT16: a format of 16 bits, and how a number is rounded to it."""

    F16_RN = 0
    F16_RM = 1  # down
    F16_RP = 2  # up
    F16_RZ = 3
    BF16_RN = 4
    BF16_RM = 5
    BF16_RP = 6
    BF16_RZ = 7

    @property
    def format(self) -> str:
        return "bf16" if self >= Half.BF16_RN else "f16"

    @property
    def rounding(self) -> str:
        return self.name[-2:].lower()


class HalfFn(IntEnum):
    """Name the ``mod`` of OP16 and FMA16: a function of numbers of 16 bits, rounded once, to nearest even."""

    ADD_F16 = 0
    ADD_BF16 = 1
    SUB_F16 = 2
    SUB_BF16 = 3
    MUL_F16 = 4
    MUL_BF16 = 5
    MIN_F16 = 6
    MIN_BF16 = 7
    MAX_F16 = 8
    MAX_BF16 = 9
    # of three arguments
    FMA_F16 = 10
    FMA_BF16 = 11

    @property
    def is_bf16(self) -> bool:
        return bool(self & 1)


class MathFn(IntEnum):
    """Name the ``mod`` of MATH1 and MATH2. F32 results are the F64 function rounded once to F32."""

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


FLUSHES = 16  # added to an Approximation that takes subnormal operands as zeros and gives zeros for them (.ftz)


class Approximation(IntEnum):
    """Name the ``mod`` of APPROX1 and APPROX2, F32 alone: functions of MUFU by their number there, and quotients."""

    COS = 0
    SIN = 1
    EX2 = 2
    LG2 = 3
    RCP = 4
    RSQRT = 5
    SQRT = 8
    TANH = 9
    # of two operands
    DIV = 10
    DIV_FULL = 11
    # .ftz; sine and cosine have subnormal operands as zeros anyway, the tangent has none
    EX2_FTZ = FLUSHES | 2
    LG2_FTZ = FLUSHES | 3
    RCP_FTZ = FLUSHES | 4
    RSQRT_FTZ = FLUSHES | 5
    SQRT_FTZ = FLUSHES | 8
    DIV_FTZ = FLUSHES | 10
    DIV_FULL_FTZ = FLUSHES | 11

    @property
    def ptx(self) -> str:
        """Return the name that PTX has for it, without the type."""
        name, *more = self.name.lower().split("_")
        return ".".join([name, *(more if "full" in more else ["approx", *more])])

    @property
    def words(self) -> str:
        """Return what is computed from the operands {1} and {2}."""
        return _WORDS[Approximation(self & ~FLUSHES)]


_WORDS = {
    Approximation.COS: "cos({1})", Approximation.SIN: "sin({1})", Approximation.EX2: "2^{1}",
    Approximation.LG2: "log2({1})", Approximation.RCP: "1 / {1}", Approximation.RSQRT: "1 / √{1}",
    Approximation.SQRT: "√{1}", Approximation.TANH: "tanh({1})", Approximation.DIV: "{1} / {2}",
    Approximation.DIV_FULL: "{1} / {2}",
}  # fmt: skip
