"""Provide the barrier that a kernel's ``grid.sync()`` uses.

The driver gives a cooperative launch a few zeros in global memory, and their address in the environment registers: the
upper word in %envreg1, the lower one in %envreg2. CUDA's header cooperative_groups/details/sync.h adds to the word at
offset 4 and polls it. Environment registers are words of constant bank 0. Here the zeros are a variable of the cubin.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from warpview.sass.cubin import AddressConstant, Cubin, CubinVariable
from warpview.sass.encoding import Encoding
from warpview.sass.operation import OperandKind, SassOperation

BARRIER_WORDS = (1, 2)  # of the environment
BARRIER_BYTES = 16
NAME = "$grid_barrier"  # as constants of the compiler are named


def environment_words(operation: SassOperation, encoding: Encoding) -> Iterator[int]:
    """Yield the numbers of the environment registers that an operation reads; from sm_90 on %reserved_smem_offset_1
    lies among them."""
    start, count = encoding.environment_place, encoding.environment_words
    for operand in operation.operands.values():
        if operand.kind == OperandKind.CONSTANT and operand.index >> 16 == 0:
            for place in range(operand.index & 0xFFFF, (operand.index & 0xFFFF) + 4 * operand.span, 4):
                if 0 <= place - start < 4 * count and place != encoding.driver_shared_place:
                    yield (place - start) // 4


def reads_word(operations: Iterable[SassOperation], place: int | None) -> bool:
    """Return whether any operation reads the word at a place of constant bank 0."""
    return place is not None and any(
        operand.index <= place < operand.index + 4 * operand.span
        for operation in operations
        for operand in operation.operands.values()
        if operand.kind == OperandKind.CONSTANT
    )


def with_barrier(cubin: Cubin, taken: Iterable[int]) -> tuple[Cubin, int]:
    """Return a cubin with a barrier among its device variables, and the place in bank 4 of the barrier's address.
    ``taken`` are places there that are in use beside the cubin's own."""
    start = -(-len(cubin.device_bytes) // BARRIER_BYTES) * BARRIER_BYTES
    used = (a.offset for a in (*cubin.addresses, *cubin.pointers))
    place = -(-max([-8, *taken, *used, *cubin.system_functions]) // 8) * 8 + 8
    return replace(
        cubin,
        device_bytes=cubin.device_bytes.ljust(start + BARRIER_BYTES, b"\0"),
        device_variables=(*cubin.device_variables, CubinVariable(NAME, start, BARRIER_BYTES)),
        addresses=(*cubin.addresses, AddressConstant(place, start)),
    ), place
