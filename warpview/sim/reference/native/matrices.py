"""Define the matrix instructions of NVIDIA's machine code: which registers hold the matrices that they multiply."""

from __future__ import annotations

from warpview.sass.matrices import TF32, has_four_bits, matrix_spans, pieces_of_metadata
from warpview.sass.meanings import XOR_OF_BITS
from warpview.sass.operation import SassOperation
from warpview.sim.reference.matrix_products import (
    FORMATS,
    ColumnOf,
    product_of_bits,
    product_of_bytes,
    product_of_doubles,
    product_of_floats,
    product_of_nibbles,
    transposed,
)
from warpview.sim.reference.native.exchange import ExchangingWarp
from warpview.sim.reference.quad_products import Quads, product_of_quads

Words = list[list[int]]  # of each lane


def _operands(warp: ExchangingWarp, operation: SassOperation) -> tuple[Words, Words, Words]:
    """Return the words of A, B and C."""
    spans = matrix_spans(operation.row.meaning, operation.modifiers)
    assert spans is not None
    a, b, c = (
        [[warp.lane(operation, lane).word(letter, k) for k in range(count)] for lane in range(32)]
        for letter, count in zip("abc", spans[1:], strict=True)
    )
    return a, b, c


def _give(warp: ExchangingWarp, operation: SassOperation, results: Words) -> None:
    for lane, words in enumerate(results):
        for k, word in enumerate(words):
            warp.lane(operation, lane).give(word, k=k)


def hmma(warp: ExchangingWarp, operation: SassOperation, on: int) -> None:
    format_ = FORMATS[operation.modifiers["format"]]
    _give(warp, operation, product_of_floats(*_operands(warp, operation), format_))


def hmmaquad(warp: ExchangingWarp, operation: SassOperation, on: int) -> None:
    m = operation.modifiers
    quads = Quads(m["step"], bool(m["columns"] & 1), bool(m["columns"] & 2), bool(m["floats"]), bool(m["cfloats"]))
    _give(warp, operation, product_of_quads(*_operands(warp, operation), quads))


def imma(warp: ExchangingWarp, operation: SassOperation, on: int) -> None:
    m = operation.modifiers
    operands = _operands(warp, operation)
    _give(warp, operation, product_of_bytes(*operands, m["asigned"], m["bsigned"], bool(m["sat"])))


def bmma(warp: ExchangingWarp, operation: SassOperation, on: int) -> None:
    """Multiply matrices of elements of one or four bits."""
    m, operands = operation.modifiers, _operands(warp, operation)
    if "operation" in m:
        results = product_of_bits(*operands, by_xor=m["operation"] == XOR_OF_BITS)
    else:
        results = product_of_nibbles(*operands, m["asigned"], m["bsigned"], bool(m["sat"]))
    _give(warp, operation, results)


def _column_of(warp: ExchangingWarp, operation: SassOperation) -> ColumnOf:
    """Return the columns of A whose elements a sparse product stores: two of four neighbours, one of two of TF32, pairs
    of elements of four bits like elements of eight.

    The lanes that have the metadata hold 16 bits of the rows g and g + 8 each, the lower row's in the lower half; of
    integers 32 bits of one of them, in turn."""
    m, meaning = operation.modifiers, operation.row.meaning
    first = operation.operands["Z"].index * pieces_of_metadata(meaning, m)
    words = [warp.lane(operation, lane).word("z") for lane in range(32)]

    def bits(row: int, place: int) -> int:
        group, upper = 4 * (row % 8) + first, row // 8
        if meaning == "immasp":
            return words[group + place // 32 * 2 + upper] >> place % 32
        return words[group + place // 16] >> 16 * upper + place % 16

    if meaning == "hmmasp" and m["format"] == TF32:
        return lambda row, k: 2 * k + (bits(row, 4 * k) >> 1 & 1)
    if meaning == "immasp" and has_four_bits(m):
        return lambda row, k: 2 * (k // 4 * 4 + (bits(row, 2 * (k // 2)) & 3)) + k % 2
    return lambda row, k: k // 2 * 4 + (bits(row, 2 * k) & 3)


def hmmasp(warp: ExchangingWarp, operation: SassOperation, on: int) -> None:
    format_ = FORMATS[operation.modifiers["format"]]
    _give(warp, operation, product_of_floats(*_operands(warp, operation), format_, _column_of(warp, operation)))


def immasp(warp: ExchangingWarp, operation: SassOperation, on: int) -> None:
    m = operation.modifiers
    product = product_of_nibbles if has_four_bits(m) else product_of_bytes
    signs = m["asigned"], m["bsigned"]
    _give(warp, operation, product(*_operands(warp, operation), *signs, bool(m["sat"]), _column_of(warp, operation)))


def dmma(warp: ExchangingWarp, operation: SassOperation, on: int) -> None:
    a, b, c = (
        [[lane[k] | lane[k + 1] << 32 for k in range(0, len(lane), 2)] for lane in words]
        for words in _operands(warp, operation)
    )
    results = product_of_doubles(a, b, c)
    _give(warp, operation, [[word for x in lane for word in (x & 0xFFFFFFFF, x >> 32)] for lane in results])


def movm(warp: ExchangingWarp, operation: SassOperation, on: int) -> None:
    """Transpose a matrix of 8 x 8 halves."""
    words = transposed([warp.lane(operation, lane).word("a") for lane in range(32)])
    _give(warp, operation, [[word] for word in words])
