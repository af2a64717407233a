"""The jitted engine gives the reference's bits for every arithmetic operation and type on awkward values."""

from __future__ import annotations

import numpy as np
import pytest
from support import workshop
from support.agreement import assert_same

from warpview.devices import load_device
from warpview.frontend.builder import Builder
from warpview.frontend.ir import Value, const
from warpview.isa.modes import FLUSHES, Approximation
from warpview.isa.ops import OPS, Cmp, FunnelMode, Half, HalfFn, MathFn, Op
from warpview.isa.program import operand_type
from warpview.isa.types import Space, Type
from warpview.sim.engine import run_profile
from warpview.sim.launch import Options
from warpview.sim.reference import run_reference

THREADS = 192
T = Type
WORDS = (T.U32, T.S32, T.U64, T.S64)
NARROW = (T.U8, T.S8, T.U16, T.S16)
FLOATS = (T.F32, T.F64)
NUMBERS = (*NARROW, *WORDS, *FLOATS)

TYPES: dict[Op, tuple[Type, ...]] = {
    Op.MOV: (*NUMBERS, T.PRED),
    Op.SELP: NUMBERS,
    Op.ADD: NUMBERS,
    Op.SUB: NUMBERS,
    Op.MUL: NUMBERS,
    Op.MULHI: WORDS,
    Op.MULWIDE: (T.U32, T.S32),
    Op.MAD: (*NARROW, *WORDS),
    Op.MADWIDE: (T.U32, T.S32),
    Op.FMA: FLOATS,
    Op.DIV: (*WORDS, *FLOATS),
    Op.REM: WORDS,
    Op.MIN: (*WORDS, *FLOATS),
    Op.MAX: (*WORDS, *FLOATS),
    Op.NEG: NUMBERS,
    Op.ABS: (*NARROW, *WORDS, *FLOATS),
    Op.AND: (*NARROW, *WORDS, T.PRED),
    Op.OR: (*WORDS, T.PRED),
    Op.XOR: (*WORDS, T.PRED),
    Op.NOT: (*NARROW, *WORDS, T.PRED),
    Op.SHL: WORDS,
    Op.SHR: WORDS,
    Op.MUL24: (T.U32, T.S32),
    Op.MAD24: (T.U32, T.S32),
    Op.SAD: (T.U32, T.S32),
    Op.DP4A: (T.U32, T.S32),
    Op.POPC: (T.U32, T.U64),
    Op.CLZ: (T.U32, T.U64),
    Op.FFS: (T.U32, T.U64),
    Op.BREV: (T.U32, T.U64),
    Op.PRMT: (T.U32,),
    Op.SHF: (T.U32,),
    Op.SQRT: FLOATS,
    Op.RSQRT: FLOATS,
    Op.RCP: FLOATS,
    Op.MATH1: FLOATS,
    Op.MATH2: FLOATS,
    Op.APPROX1: (T.F32,),
    Op.APPROX2: (T.F32,),
    Op.SETP: NUMBERS,
    Op.OP16: (T.U16,),
    Op.FMA16: (T.U16,),
}
MODES: dict[Op, tuple[int, ...]] = {
    Op.SETP: tuple(Cmp),
    Op.SHF: tuple(FunnelMode),
    Op.MATH1: tuple(f for f in MathFn if f < MathFn.POW),
    Op.MATH2: tuple(f for f in MathFn if f >= MathFn.POW),
    Op.APPROX1: tuple(f for f in Approximation if f & ~FLUSHES < Approximation.DIV),
    Op.APPROX2: tuple(f for f in Approximation if f & ~FLUSHES >= Approximation.DIV),
    Op.OP16: tuple(f for f in HalfFn if f < HalfFn.FMA_F16),
    Op.FMA16: (HalfFn.FMA_F16, HalfFn.FMA_BF16),
}


def values(type_: Type, seed: int) -> np.ndarray:
    """THREADS register values of a type as bytes in memory: small numbers, limits, and anything."""
    rng = np.random.default_rng(seed)
    size = type_.bytes
    if type_.is_float:
        dtype = np.dtype(f"f{size}")
        awkward = [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -2.5, np.inf, -np.inf, np.nan, 1e30, -1e-30, 3e9, -3e9, 1e19, 127.5]
        limits = [np.finfo(dtype).max, np.finfo(dtype).tiny, np.finfo(dtype).smallest_subnormal, -np.finfo(dtype).max]
        with np.errstate(all="ignore"):
            chosen = rng.choice(np.array(awkward + limits, dtype=dtype), THREADS // 2)
            near = (rng.normal(size=THREADS // 4) * 10).astype(dtype)
            patterns = rng.integers(0, 256, (THREADS // 4) * size, dtype=np.uint8).view(dtype)
        return rng.permutation(np.concatenate([chosen, near, patterns])).view(np.uint8)
    if type_ == Type.PRED:
        return rng.integers(0, 2, THREADS, dtype=np.uint8)
    bits = size * 8
    awkward = [
        0,
        1,
        2,
        3,
        5,
        7,
        31,
        32,
        33,
        63,
        64,
        (1 << bits) - 1,
        (1 << bits) - 2,
        1 << (bits - 1),
        (1 << (bits - 1)) - 1,
    ]
    chosen = rng.choice(np.array([a % (1 << bits) for a in awkward], dtype=f"u{size}"), THREADS // 2)
    patterns = rng.integers(0, 256, (THREADS // 2) * size, dtype=np.uint8).view(f"u{size}")
    return rng.permutation(np.concatenate([chosen, patterns])).view(np.uint8)


def compare(build, buffers: list[np.ndarray]) -> None:
    """Run the kernel on both engines, and compare everything."""
    program = workshop.Kernel(build, pointers=len(buffers)).program()
    outcomes = []
    for engine in (run_reference, run_profile):
        launch, memory = workshop.prepare(program, buffers, (1, 1, 1), (THREADS, 1, 1))
        outcomes.append(engine(program, load_device("h200"), launch, memory, Options()))
    assert not outcomes[0].findings
    assert_same(program, *outcomes)


def predicate(b: Builder, value: Value) -> Value:
    return b.emit(Op.SETP, T.U32, value, const(T.U32, 0), mod=Cmp.NE)


def store(b: Builder, k: workshop.Kernel, buffer: int, row: int, value: Value) -> None:
    """Store to a table of 8 bytes for each thread and row."""
    if value.type == T.PRED:
        value = b.emit(Op.CVT, T.U32, value, stype=T.PRED)
    address = k.element(buffer, workshop.TID, 8)
    b.effect(Op.ST, value.type, address, value, space=Space.GLOBAL, imm=row * THREADS * 8)


@pytest.mark.parametrize(("op", "type_"), [(op, t) for op, types in TYPES.items() for t in types], ids=str)
def test_operation(op, type_):
    letters = OPS[op].srcs
    types = [operand_type(letter, type_, T.U32, Space.NONE) for letter in letters]
    modes = MODES.get(op, (0,))

    def kernel(b, k):
        sources = [k.load(n, T.U8 if t == T.PRED else t) for n, t in enumerate(types)]
        sources = [predicate(b, s) if t == T.PRED else s for s, t in zip(sources, types, strict=True)]
        for row, mode in enumerate(modes):
            store(b, k, len(types), row, b.emit(op, type_, *sources, mod=mode))

    inputs = [values(t, 10 * op + n) for n, t in enumerate(types)]
    compare(kernel, [*inputs, np.zeros(8 * THREADS * len(modes), dtype=np.uint8)])


@pytest.mark.parametrize("source", NUMBERS, ids=str)
def test_conversions(source):

    def kernel(b, k):
        value = k.load(0, source)
        for row, target in enumerate(NUMBERS):
            store(b, k, 1, row, b.emit(Op.CVT, target, value, stype=source))

    compare(kernel, [values(source, int(source)), np.zeros(8 * THREADS * len(NUMBERS), dtype=np.uint8)])


@pytest.mark.parametrize("type_", FLOATS, ids=str)
def test_conversions_of_halves(type_):

    def kernel(b, k):
        wide, bits = k.load(0, type_), k.load(1, T.U16)
        for half in Half:
            store(b, k, 2, half, b.emit(Op.CVT16, T.U16, wide, stype=type_, mod=half))
            store(b, k, 2, len(Half) + half, b.emit(Op.CVT16, type_, bits, stype=T.U16, mod=half))

    inputs = [values(type_, 3), values(T.U16, 4), np.zeros(8 * THREADS * 2 * len(Half), dtype=np.uint8)]
    compare(kernel, inputs)
