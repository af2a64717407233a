"""Decode a recorded memory instruction: the addresses of its lanes, and how the access was carried out."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device
from warpview.isa.native import NativeInstruction
from warpview.isa.ops import MEMORY_OPS, Op
from warpview.isa.program import NONE, Instruction, Program, Special
from warpview.isa.types import GLOBAL_SPACES, RANK_SHIFT, Space
from warpview.sim import rules
from warpview.sim.checks.places import declared_array, is_null, signed
from warpview.sim.launch import FindingKind, Launch, linear_index, runs_in_clusters, shared_memory_bytes
from warpview.sim.memory import CONST_WINDOW, FIRST_ADDRESS, LOCAL_WINDOW, SHARED_WINDOW, Allocation, nearest
from warpview.sim.rules import GlobalAccess, SharedAccess
from warpview.sim.rules.coalescing import lanes_of
from warpview.trace.frame import LaneAddresses
from warpview.trace.suppressed_lanes import SuppressedLanes

_KINDS = {Op.LD: "load", Op.ST: "store", Op.ATOM: "atomic", Op.RED: "reduction", Op.MBARRIER: "atomic"}
# First address of each space in the generic address space, and of the next one.
_WINDOWS = {
    Space.SHARED: (SHARED_WINDOW, LOCAL_WINDOW),
    Space.LOCAL: (LOCAL_WINDOW, CONST_WINDOW),
    Space.CONST: (CONST_WINDOW, 2 * CONST_WINDOW),
}
# The order in which the parts of a generic access are carried out; a frame shows the first.
_ORDER = (Space.GLOBAL, Space.SHARED, Space.LOCAL, Space.CONST)


@dataclass(frozen=True)
class AccessDecoder:
    """Turn registers before an instruction into the access that it makes. ``allocations`` are those of global memory,
    ascending."""

    program: Program
    device: Device
    launch: Launch
    allocations: Sequence[Allocation]
    cached: bool = True

    def addresses(
        self, pc: int, on: int, registers32: NDArray[np.uint32], registers64: NDArray[np.uint64]
    ) -> LaneAddresses | None:
        """Return the addresses of the lanes ``on``; ``registers32[row, 32]`` and ``registers64`` as before the
        instruction.

        Of a generic access, those of the first space that it accesses. Faulting lanes are left in.
        """
        instruction = self.program.instructions[pc]
        if instruction.op not in MEMORY_OPS or not on:
            return None
        space = instruction.space
        if instruction.native is not None:
            address = _native_address(instruction, instruction.native, registers32)
        elif space in GLOBAL_SPACES:
            address = (registers64[instruction.srcs[0]] + np.uint64(instruction.imm & (1 << 64) - 1)).view(np.int64)
        else:
            address = (registers32[instruction.srcs[0]] + np.uint32(instruction.imm & 0xFFFFFFFF)).astype(np.int64)
        is_constant = instruction.native is not None and instruction.read_only and _in_constants(address, on)
        if space != Space.GENERIC and not is_constant:
            return self._placed(space, address, on, instruction.width)
        space, address, mask = self._resolved(address, on)
        if space == Space.SHARED and self._names_blocks:
            return self._in_blocks(address, mask, instruction, registers32)
        return self._placed(space, address, mask, instruction.width)

    def _placed(self, space: Space, address: NDArray[np.int64], mask: int, width: int) -> LaneAddresses:
        """Return addresses with the allocation that the lowest of them lies in, in global memory."""
        held = None
        if space == Space.GLOBAL:
            lowest = min(int(address[lane]) for lane in lanes_of(mask))
            k = bisect_right(self._bases, lowest) - 1
            held = self.allocations[k] if k >= 0 and lowest < self.allocations[k].end else None
        return LaneAddresses(space, address, mask, width, allocation=held)

    @cached_property
    def _bases(self) -> list[int]:
        return [each.base for each in self.allocations]

    @cached_property
    def _names_blocks(self) -> bool:
        """Return whether generic addresses of shared memory name the block."""
        named = self.program.native is not None or self.program.names_blocks
        return named and runs_in_clusters(self.program, self.launch)

    @cached_property
    def _clusters(self) -> NDArray[np.int64]:
        return self.launch.clusters()

    def _in_blocks(
        self, address: NDArray[np.int64], mask: int, instruction: Instruction, registers32: NDArray[np.uint32]
    ) -> LaneAddresses:
        """Return the addresses in the block's own shared memory, or else those in that of the block which the lowest
        lane names."""
        place = [int(registers32[row, 0]) for row in (Special.CTAID_X, Special.CTAID_Y, Special.CTAID_Z)]
        block = linear_index(place, self.launch.grid)
        own, ranks = self.launch.rank(block), address >> RANK_SHIFT & 0xFF
        lowest = (mask & -mask).bit_length() - 1
        rank = own if mask & _mask(ranks == own) else int(ranks[lowest])
        together = mask & _mask(ranks == rank)
        cluster = self._clusters[self.launch.position(block) // self.launch.cluster_blocks]
        other = None if rank == own or rank >= len(cluster) else int(cluster[rank])
        base = 0 if instruction.native is None else instruction.native.shared_base
        within = (address & (1 << RANK_SHIFT) - 1) - base
        return LaneAddresses(Space.SHARED, within, together, instruction.width, other, mask & ~together)

    def _resolved(self, address: NDArray[np.int64], on: int) -> tuple[Space, NDArray[np.int64], int]:
        of_lane = {s: (address >= low) & (address < high) for s, (low, high) in _WINDOWS.items()}
        of_lane[Space.GLOBAL] = ~np.logical_or.reduce(list(of_lane.values()))
        for space in _ORDER:
            mask = on & _mask(of_lane[space])
            if mask:
                return space, address - _WINDOWS.get(space, (0, 0))[0], mask
        raise AssertionError("every address lies in some space")

    def access(self, pc: int, where: LaneAddresses) -> GlobalAccess | SharedAccess | None:
        """Return how the access was carried out; None where every lane's was suppressed by a fault."""
        instruction = self.program.instructions[pc]
        mask = where.mask & _mask(self._sound(where, instruction))
        if not mask:
            return None
        kind = _KINDS[instruction.op]
        addresses = where.address.tolist()
        if where.space == Space.SHARED:
            return rules.shared_access(kind, addresses, mask, where.width, self.device)
        if where.space == Space.CONST:
            return rules.const_access(addresses, mask, where.width, self.device)
        if where.space == Space.LOCAL:
            return rules.local_access(kind, addresses, mask, where.width, self.device)
        return rules.global_access(kind, addresses, mask, where.width, self.device, self.cached, instruction.read_only)

    def suppressed(self, pc: int, where: LaneAddresses) -> SuppressedLanes | None:
        """Return which lanes' access was suppressed by a fault, and what array they miss; None where all were sound."""
        instruction = self.program.instructions[pc]
        lanes = where.mask & ~_mask(self._sound(where, instruction))
        if not lanes:
            return None
        bits = 64 if where.space == Space.GLOBAL else 32
        addresses = tuple(signed(int(where.address[lane]), bits) for lane in lanes_of(lanes))
        if where.space == Space.GLOBAL and 0 <= addresses[0] < FIRST_ADDRESS:
            null = is_null(self.program, self.launch, addresses[0])
            kind = FindingKind.NULL_POINTER if null else FindingKind.OUT_OF_BOUNDS
        else:
            kind = FindingKind.MISALIGNED if addresses[0] % where.width else FindingKind.OUT_OF_BOUNDS
        name, base, size, dims = self._array(where.space, addresses[0], where.width)
        return SuppressedLanes(lanes, kind, where.space, addresses, name, base, size, dims)

    def _array(self, space: Space, address: int, width: int) -> tuple[str, int, int, tuple[int, ...]]:
        """Return name, address, bytes of an element and extents of the array that is nearest to an address."""
        if space == Space.GLOBAL:
            near = nearest(self.allocations, address)
            if near is None:
                return "", 0, width, ()
            param = next((p for p in self.program.params if p.path == near.name and p.is_pointer), None)
            size = param.element_bytes if param is not None and param.element_bytes else width
            return near.name, near.base, size, (near.size // size,)
        array = declared_array(self.program, space, address)
        if array is None:
            return "", 0, width, ()
        dims = array.dims or (1,)
        if not dims[0]:  # it goes up to the end of the launch's memory
            row = array.element_bytes * math.prod(dims[1:])
            dims = ((self._size(space) - array.offset) // row, *dims[1:])
        return array.name, array.offset, array.element_bytes, dims

    def _size(self, space: Space) -> int:
        """Return the bytes of shared, local or constant memory."""
        return {
            Space.SHARED: shared_memory_bytes(self.program, self.launch),
            Space.LOCAL: self.program.local_bytes,
            Space.CONST: len(self.program.constant_bytes),
        }[space]

    def _sound(self, where: LaneAddresses, instruction: Instruction) -> NDArray[np.bool_]:
        """Return which lanes' access is aligned and within bounds: bool[32]."""
        first, last = where.address, where.address + where.width
        aligned = first % where.width == 0
        if where.space == Space.GLOBAL:
            return np.asarray(aligned & (first >= FIRST_ADDRESS) & self._allocated(first, last))
        size = 0 if where.space == Space.CONST and instruction.op != Op.LD else self._size(where.space)
        return np.asarray(aligned & (last <= size))

    def _allocated(self, first: NDArray[np.int64], last: NDArray[np.int64]) -> NDArray[np.bool_]:
        if not self.allocations:
            return np.zeros(len(first), dtype=np.bool_)
        ends = np.array([each.end for each in self.allocations], np.int64)
        k = np.searchsorted(self._bases, first, side="right") - 1
        return np.asarray((k >= 0) & (last <= ends[np.maximum(k, 0)]))


def _native_address(
    instruction: Instruction, native: NativeInstruction, registers: NDArray[np.uint32]
) -> NDArray[np.int64]:
    """Return the addresses of machine code: a row, or a pair of rows, plus a uniform register and an offset."""

    def value(row: int, is_pair: bool) -> NDArray[np.uint64]:
        words = registers[row : row + 1 + is_pair].astype(np.uint64)
        return np.asarray(words[0] | words[1] << np.uint64(32) if is_pair else words[0])

    is_pair = native.wide_address and not native.extended_address
    total = value(instruction.srcs[0], is_pair) + np.uint64(instruction.imm & (1 << 64) - 1)
    if native.uniform_row != NONE:
        total = total + value(native.uniform_row, native.wide_address)[0]
    return (total if native.wide_address else total & np.uint64(0xFFFFFFFF)).view(np.int64)


def _in_constants(address: NDArray[np.int64], on: int) -> bool:
    """Return whether some of the lanes ``on`` have the address of a constant."""
    low, high = _WINDOWS[Space.CONST]
    return bool(on & _mask((address >= low) & (address < high)))


def _mask(lanes: NDArray[np.bool_]) -> int:
    return int.from_bytes(np.packbits(lanes, bitorder="little").tobytes(), "little")
