"""Give the texture and surface instructions of NVIDIA's machine code their operands."""

from __future__ import annotations

from typing import Protocol

from warpview.sass.operation import SassOperation
from warpview.sass.texture_operands import texture_operation, texture_words
from warpview.sim.reference import textures
from warpview.sim.reference.native.lane import Lane
from warpview.sim.reference.registers import lanes_of


class NativeFetchingWarp(textures.FetchingWarp, Protocol):
    """Provide the state of a warp of machine code."""

    def lane(self, operation: SassOperation, lane: int) -> Lane:
        """Return the operands of a lane."""


def texture(warp: NativeFetchingWarp, operation: SassOperation, on: int) -> None:
    """Execute a texture or surface instruction for the lanes ``on``."""
    textures.texture(warp, _Operands(warp, operation), texture_operation(operation), on)
    for lane in lanes_of(on):
        warp.lane(operation, lane).give_predicate("u", False)  # whether a texel is missing from memory: none is sparse


class _Operands:
    """Read and write the registers of a texture instruction."""

    def __init__(self, warp: NativeFetchingWarp, operation: SassOperation) -> None:
        stored = operation.operands["s"].span if "s" in operation.operands else 0
        self._warp, self._operation = warp, operation
        self._places = [*texture_words(operation), *(("s", k) for k in range(stored))]

    def handle(self, lane: int) -> int:
        return self._lane(lane).word("o")

    def words(self, lane: int) -> list[int]:
        x = self._lane(lane)
        return [x.word(letter, k) for letter, k in self._places]

    def give(self, lane: int, k: int, value: int) -> None:
        """Write the k-th result: two lie in the first vector, then two in the second one, those of a surface in one."""
        is_apart = "e" in self._operation.operands and k > 1
        self._lane(lane).give(value, "e" if is_apart else "d", k % 2 if is_apart else k)

    def _lane(self, lane: int) -> Lane:
        return self._warp.lane(self._operation, lane)
