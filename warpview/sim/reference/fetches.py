"""Execute the texture instructions of warpview's own set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.isa.program import Instruction
from warpview.isa.textures import TextureOperation
from warpview.isa.types import FULL, Type
from warpview.sim.launch import FindingKind
from warpview.sim.raw_counts import Raw
from warpview.sim.reference.accesses import BlockMemory
from warpview.sim.reference.registers import LANES
from warpview.sim.reference.textures import texture

if TYPE_CHECKING:
    from warpview.sim.reference.warp import Warp


def fetch(warp: Warp, instruction: Instruction, pc: int, on: int) -> None:
    """Execute a texture instruction for the lanes ``on``."""
    state = _Fetch(warp, instruction, pc)
    texture(state, state, TextureOperation.of(instruction.imm), on)


class _Fetch:
    """Give a texture instruction the state of the warp, and its operands."""

    def __init__(self, warp: Warp, instruction: Instruction, pc: int) -> None:
        self._warp, self._instruction, self._pc = warp, instruction, pc
        self._registers = warp.registers

    @property
    def index(self) -> int:
        return self._warp.index

    @property
    def issued(self) -> int:
        return self._warp.issued

    @property
    def instruction(self) -> tuple[int, Instruction]:
        return self._pc, self._instruction

    @property
    def block_memory(self) -> BlockMemory:
        return self._warp.share.memory

    def report(self, kind: FindingKind, lane: int, address: int, space: int = 0) -> None:
        memory, thread = self.block_memory, self._warp.index * LANES + lane
        memory.log.report(kind, self._pc, memory.block, thread, address, space)

    def add_to(self, column: Raw, count: int) -> None:
        self._warp.share.counts[self._pc][column] += count

    def stop(self) -> None:
        self._warp.share.asserted = True

    def handle(self, lane: int) -> int:
        return self._registers.row(Type.U32, self._instruction.srcs[0])[lane]

    def words(self, lane: int) -> list[int]:
        return [self._registers.row(Type.U32, row)[lane] for row in self._instruction.srcs[1:]]

    def give(self, lane: int, k: int, value: int) -> None:
        self._registers.row(Type.U32, self._instruction.result_rows[k])[lane] = value & FULL
