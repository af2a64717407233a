"""Implement cuBLAS: its functions on vectors and matrices are carried out with numpy, in the order of their streams.

Matrices lie column by column. An operation is no launch and has no counters. The timeline shows the least time that the
device needs, for its arithmetic or its bytes at full speed.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from warpview.host.arena import MemoryBlock
from warpview.host.channel import Request
from warpview.host.context import RuntimeContext, Values, answers
from warpview.host.timing import KERNEL_US
from warpview.isa.work import Work
from warpview.run.roofline import Roof
from warpview.sim.access_ranges import AccessRanges, rectangle

SUCCESS, INVALID_VALUE, EXECUTION_FAILED = 0, 7, 13  # of cublasStatus_t
TYPES: dict[int, np.dtype[np.floating]] = {0: np.dtype(np.float32), 1: np.dtype(np.float64)}  # by cudaDataType
ON_DEVICE = 1  # of cublasPointerMode_t

Array = NDArray[np.floating]
Compute = Callable[[], float | None]


class _InvalidCallError(Exception):
    """An argument is wrong: the call gives ``status``."""

    def __init__(self, status: int = INVALID_VALUE) -> None:
        self.status = status


@dataclass
class _Operation:
    """Collect the arguments of a call, in their order, and what it reads and writes."""

    context: RuntimeContext
    name: str
    type: np.dtype[np.floating]
    factors_on_device: bool
    words: list[int]
    reads: list[NDArray[np.int64]] = field(default_factory=list)
    writes: list[NDArray[np.int64]] = field(default_factory=list)
    written: list[tuple[MemoryBlock, int, int]] = field(default_factory=list)
    bytes: int = 0
    arithmetic: int = 0  # floating-point operations

    def word(self) -> int:
        return self.words.pop(0)

    def integer(self) -> int:
        word = self.word()
        return word - (1 << 64) if word >> 63 else word

    def count(self) -> int:
        """Return a size, which may not be negative."""
        n = self.integer()
        if n < 0:
            raise _InvalidCallError
        return n

    def factor(self) -> Callable[[], float]:
        """Return a factor as it will be when the operation runs."""
        word = self.word()
        if self.factors_on_device:
            place = self._view(word, 1, self.type.itemsize, 1, writes=False)
            return lambda: float(place[0, 0])
        (value,) = struct.unpack("<d", struct.pack("<Q", word))
        return lambda: value

    def vector(self, n: int, *, writes: bool = False) -> Array:
        """Return a vector of ``n`` elements; a negative increment counts from its end."""
        address, step = self.word(), self.integer()
        if not step:
            raise _InvalidCallError
        row: Array = self._view(address, n, abs(step) * self.type.itemsize, 1, writes=writes)[0]
        return row if step > 0 else row[::-1]

    def matrix(self, rows: int, columns: int, *, writes: bool = False) -> Array:
        """Return a matrix with its leading dimension."""
        address, leading = self.word(), self.integer()
        return self.matrix_at(address, rows, columns, leading, writes=writes)

    def matrix_at(self, address: int, rows: int, columns: int, leading: int, *, writes: bool = False) -> Array:
        if leading < max(rows, 1):
            raise _InvalidCallError
        return self._view(address, columns, leading * self.type.itemsize, rows, writes=writes)

    def _view(self, address: int, columns: int, pitch: int, rows: int, *, writes: bool) -> Array:
        """Return device memory as a matrix [rows, columns] whose columns are ``pitch`` bytes apart."""
        item = self.type.itemsize
        if not rows or not columns:
            return np.zeros((rows, columns), dtype=self.type)
        size = (columns - 1) * pitch + rows * item
        block = self.context.arena.holding(address)
        if block is None or address + size > block.end:
            what = (
                f"at {address:#x}, which is not device memory" if block is None else f"past the end of '{block.name}'"
            )
            self.context.find("out of bounds", f"{self.name} uses {size} bytes {what}")
            raise _InvalidCallError(EXECUTION_FAILED)
        (self.writes if writes else self.reads).append(rectangle(address, pitch, rows * item, columns))
        self.bytes += rows * columns * item
        if writes:
            self.written.append((block, address, size))
        flat = self.context.arena.view(address, size)
        return np.ndarray((rows, columns), self.type, flat.data, strides=(item, pitch))

    def ranges(self) -> AccessRanges:
        """Return what the operation accesses."""
        return AccessRanges(*(_joined(parts) for parts in (self.reads, self.writes)))


def _joined(parts: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Return ranges in ascending order, where they overlap as one."""
    merged: list[list[int]] = []
    for begin, end in sorted(tuple(row) for part in parts for row in part.tolist()):
        if merged and begin <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([begin, end])
    return np.array(merged, dtype=np.int64).reshape(-1, 2)


# ------------------------------------------------------------------------------------------------ vectors
def _axpy(op: _Operation) -> Compute:
    n, alpha = op.count(), op.factor()
    x, y = op.vector(n), op.vector(n, writes=True)
    op.arithmetic = 2 * n
    return lambda: _set(y, y + op.type.type(alpha()) * x)


def _scal(op: _Operation) -> Compute:
    n, alpha = op.count(), op.factor()
    x = op.vector(n, writes=True)
    op.arithmetic = n
    return lambda: _set(x, op.type.type(alpha()) * x)


def _copy(op: _Operation) -> Compute:
    n = op.count()
    x, y = op.vector(n), op.vector(n, writes=True)
    return lambda: _set(y, x)


def _swap(op: _Operation) -> Compute:
    n = op.count()
    x, y = op.vector(n, writes=True), op.vector(n, writes=True)

    def exchange() -> None:
        kept = x.copy()
        x[...], y[...] = y, kept

    return exchange


def _dot(op: _Operation) -> Compute:
    n = op.count()
    x, y = op.vector(n), op.vector(n)
    op.arithmetic = 2 * n
    return lambda: float(x @ y)


def _nrm2(op: _Operation) -> Compute:
    n = op.count()
    x = op.vector(n)
    op.arithmetic = 2 * n
    return lambda: float(op.type.type(np.linalg.norm(x.astype(np.float64))))


def _asum(op: _Operation) -> Compute:
    n = op.count()
    x = op.vector(n)
    op.arithmetic = n
    return lambda: float(np.abs(x).sum())


def _extreme(choose: Callable[[Array], np.intp]) -> Callable[[_Operation], Compute]:
    """Return the search for an element by its size, which is numbered from 1; 0 where there is none."""

    def operation(op: _Operation) -> Compute:
        n = op.count()
        x = op.vector(n)
        return lambda: float(choose(np.abs(x)) + 1) if n else 0.0

    return operation


# ------------------------------------------------------------------------------------------------ matrices
def _gemv(op: _Operation) -> Compute:
    transposed, m, n, alpha = op.word() > 0, op.count(), op.count(), op.factor()
    a = op.matrix(m, n)
    x, beta = op.vector(m if transposed else n), op.factor()
    y = op.vector(n if transposed else m, writes=True)
    op.arithmetic = 2 * m * n
    return lambda: _combine(y, alpha(), (a.T if transposed else a) @ x, beta())


def _ger(op: _Operation) -> Compute:
    m, n, alpha = op.count(), op.count(), op.factor()
    x, y = op.vector(m), op.vector(n)
    a = op.matrix(m, n, writes=True)
    op.arithmetic = 2 * m * n
    return lambda: _combine(a, alpha(), np.outer(x, y), 1.0)


def _geam(op: _Operation) -> Compute:
    flips, m, n = (op.word() > 0, op.word() > 0), op.count(), op.count()
    alpha, a = op.factor(), op.matrix(*((n, m) if flips[0] else (m, n)))
    beta, b = op.factor(), op.matrix(*((n, m) if flips[1] else (m, n)))
    c = op.matrix(m, n, writes=True)
    op.arithmetic = 3 * m * n
    left, right = (a.T if flips[0] else a), (b.T if flips[1] else b)
    return lambda: _set(c, op.type.type(alpha()) * left + op.type.type(beta()) * right)


def _gemm(op: _Operation) -> Compute:
    """Multiply matrices, as many pairs as there are in a batch."""
    flips, m, n, k = (op.word() > 0, op.word() > 0), op.count(), op.count(), op.count()
    alpha, (a, lda, step_a), (b, ldb, step_b) = op.factor(), _strided(op), _strided(op)
    beta, (c, ldc, step_c) = op.factor(), _strided(op)
    count, item = op.count(), op.type.itemsize
    if min(m, n, k) and not a * b * c:
        raise _InvalidCallError(EXECUTION_FAILED)
    triples = []
    for j in range(count):
        left = op.matrix_at(a + j * step_a * item, *((k, m) if flips[0] else (m, k)), lda)
        right = op.matrix_at(b + j * step_b * item, *((n, k) if flips[1] else (k, n)), ldb)
        result = op.matrix_at(c + j * step_c * item, m, n, ldc, writes=True)
        triples.append((left.T if flips[0] else left, right.T if flips[1] else right, result))
    op.arithmetic = 2 * m * n * k * count

    def multiply() -> None:
        for left, right, result in triples:
            _combine(result, alpha(), left @ right, beta())

    return multiply


def _strided(op: _Operation) -> tuple[int, int, int]:
    """Return the address of a matrix, its leading dimension, and the elements from one of a batch to the next."""
    return op.word(), op.integer(), op.integer()


def _combine(to: Array, alpha: float, value: Array, beta: float) -> None:
    """Store alpha * value + beta * to; what is there is not read where beta is 0."""
    scaled = to.dtype.type(alpha) * value
    to[...] = scaled + to.dtype.type(beta) * to if beta else scaled


def _set(to: Array, value: Array) -> None:
    to[...] = value


_OPERATIONS: dict[str, Callable[[_Operation], Compute]] = {
    "axpy": _axpy, "scal": _scal, "copy": _copy, "swap": _swap, "dot": _dot, "nrm2": _nrm2, "asum": _asum,
    "amax": _extreme(np.argmax), "amin": _extreme(np.argmin),
    "gemv": _gemv, "ger": _ger, "geam": _geam, "gemm": _gemm, "gemmStridedBatched": _gemm,
}  # fmt: skip
_WITH_RESULT = ("dot", "nrm2", "asum", "amax", "amin")


def _named(request: Request) -> tuple[str, str, bytes]:
    """Return the function that is called, the operation that it is of all types, and the arguments."""
    name, _, arguments = request.data.partition(b"\0")
    function = name.decode()
    return function, function.removeprefix("cublas").removeprefix("I")[1:], arguments


def gives_result(request: Request) -> bool:
    """Return whether a function hands its result to the host, which waits for it."""
    return _named(request)[1] in _WITH_RESULT and request.values[2] != ON_DEVICE


@answers("blas")
def blas(context: RuntimeContext, request: Request) -> Values:
    """Answer a function: its status, and its result where it has one that goes to the host."""
    handle, type, mode = request.values
    name, what, arguments = _named(request)
    words = list(struct.unpack(f"<{len(arguments) // 8}Q", arguments))
    op = _Operation(context, name, TYPES[type], mode == ON_DEVICE, words)
    try:
        compute = _OPERATIONS[what](op)
        result = _Result.of(op) if what in _WITH_RESULT else None
    except _InvalidCallError as error:
        return [error.status]
    found: list[float] = []

    def run() -> None:
        value = compute()
        found.extend([] if value is None else [value])
        for block, address, size in op.written:
            context.arena.mark_written(block, address, size)
        if result is not None and result.place is not None:
            result.place[0, 0] = found[0]

    operation = context.scheduler.enqueue(
        context.stream(handle), "kernel", op.name, context.place, run, size=op.bytes, issued_us=context.host_us,
        duration_us=_least_us(op), writes=True, accesses=op.ranges,
    )  # fmt: skip
    if result is None or result.place is not None:
        return [SUCCESS]
    context.wait_for([operation])
    (bits,) = struct.unpack("<Q", struct.pack("<d", found[0]))
    return [SUCCESS, bits]


@dataclass(frozen=True)
class _Result:
    """Say where a result goes: into device memory, or to the host (None)."""

    place: NDArray[np.generic] | None

    @classmethod
    def of(cls, op: _Operation) -> _Result:
        address = op.word()
        if not op.factors_on_device:
            return cls(None)
        if op.name.startswith("cublasI"):
            op.type = np.dtype(np.int32)  # type: ignore[assignment]
        return cls(op.matrix_at(address, 1, 1, 1, writes=True))


def _least_us(op: _Operation) -> float:
    """Return the time of an operation at the rates that the device reaches at most."""
    roof = Roof.of(op.context.device, Work.SINGLE if op.type.itemsize == 4 else Work.DOUBLE)
    return KERNEL_US + max(op.arithmetic / roof.peak, op.bytes / roof.dram_gbps) / 1000
