"""Execute the texture and surface instructions of NVIDIA's machine code: each lane fetches what the descriptor says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from warpview.isa.textures import COORDINATES, DESCRIPTOR_BYTES, Fetch, Outside, Shape
from warpview.isa.types import Space
from warpview.sass.operation import SassOperation
from warpview.sass.texture_operands import TextureOperation, texture_operation
from warpview.sim.launch import FindingKind
from warpview.sim.raw_counts import Raw
from warpview.sim.reference.accesses import BlockMemory
from warpview.sim.reference.native.lane import Lane
from warpview.sim.reference.registers import lanes_of
from warpview.sim.reference.splits import lowest_lane
from warpview.sim.rules import textures as rules


class FetchingWarp(Protocol):
    """Provide the state of a warp that the functions read and write."""

    @property
    def block_memory(self) -> BlockMemory:
        """Return the memory of the warp's block."""

    def lane(self, operation: SassOperation, lane: int) -> Lane:
        """Return the operands of a lane."""

    def report(self, kind: FindingKind, lane: int, address: int, space: int = 0) -> None:
        """Report a finding of the instruction that is executed."""

    def add_to(self, column: Raw, count: int) -> None:
        """Add to a count of the instruction that is executed."""

    def stop(self) -> None:
        """End the launch, as a trap does."""


def texture(warp: FetchingWarp, operation: SassOperation, on: int) -> None:
    """Execute a texture or surface instruction for the lanes ``on``."""
    what, memory = texture_operation(operation), warp.block_memory.globals
    first = lowest_lane(on)
    handle = warp.lane(operation, first).word("o")
    if not _is_usable(warp, handle):
        warp.report(FindingKind.OUT_OF_BOUNDS, first, handle, Space.GLOBAL)
        warp.stop()
        return
    accessed: dict[int, list[int]] = {}
    for lane in lanes_of(on):
        x = warp.lane(operation, lane)
        if what.fetch in (Fetch.READ, Fetch.WRITE):
            accessed[lane] = _access_surface(warp, x, what, handle)
        else:
            accessed[lane] = _fetch(warp, x, what, handle)
    _count(warp, what, handle, accessed, rules.field(memory, handle, rules.TEXEL_BYTES))


def _is_usable(warp: FetchingWarp, handle: int) -> bool:
    """Return whether a descriptor and the texels that it names lie in allocations."""
    memory = warp.block_memory.globals
    if handle % 4 or memory.fault(handle, 4, writes=False) or not memory.holds(handle, DESCRIPTOR_BYTES):
        return False
    if not rules.is_sound(memory, handle):
        return False
    data = rules.load(memory, handle + rules.DATA, 8)
    end = rules.end_of(memory, handle)
    return 0 < data < end < 1 << 40 and memory.holds(data, end - data)


def _coordinates(x: Lane, what: TextureOperation) -> list[int]:
    """Return the words of the coordinates: those of the first vector, then of the second."""
    first = x.operand("a").span
    count = COORDINATES[what.shape]
    return [x.word("a", k) if k < first else x.word("b", k - first) for k in range(count)]


def _place(x: Lane, what: TextureOperation, memory: rules.ReadableMemory, handle: int) -> rules.Place:
    words = _coordinates(x, what)
    if what.fetch == Fetch.ELEMENT:
        return rules.element_place(memory, handle, (words[0] ^ 0x80000000) - 0x80000000)
    layer = words.pop(-1 if what.layer_is_last else 0) if what.shape in (Shape.LINES, Shape.PLANES, Shape.CUBES) else 0
    floats = [rules.float_of(word) for word in words]
    if what.shape in (Shape.LINE, Shape.LINES):
        floats.append(0.0 if what.shape == Shape.LINE else 0.5)
    u, v, w = (*floats, 0.0, 0.0)[:3]
    is_between = what.fetch == Fetch.GATHER or bool(rules.field(memory, handle, rules.IS_LINEAR))
    return rules.place_of(memory, handle, int(what.shape), layer, u, v, w, int(is_between))


def _fetch(warp: FetchingWarp, x: Lane, what: TextureOperation, handle: int) -> list[int]:
    """Fetch the components of a lane; return the addresses of the texels that are read."""
    memory = warp.block_memory.globals
    place = _place(x, what, memory, handle)
    read = [k for k in range(8) if rules.weight(place, k)] if what.fetch != Fetch.GATHER else [0, 1, 2, 3]
    addresses = [a for a in (rules.texel_address(memory, handle, place, k) for k in read) if a >= 0]
    size = rules.field(memory, handle, rules.TEXEL_BYTES)
    if warp.block_memory.options.check and not all(memory.initialised(address, size) for address in addresses):
        warp.report(FindingKind.UNINITIALISED, x.lane, addresses[0], Space.GLOBAL)
    for k, component in enumerate(what.components):
        if what.fetch == Fetch.GATHER:
            value = rules.gathered(memory, handle, place, what.gathered, component)
        else:
            value = rules.sampled(memory, handle, place, component)
        x.give(value, "d" if k < 2 else "e", k % 2)
    x.give_predicate("u", False)  # whether a texel is missing from memory: none is sparse
    return addresses


def _access_surface(warp: FetchingWarp, x: Lane, what: TextureOperation, handle: int) -> list[int]:
    """Read or write bytes of a surface for a lane; return their address, if it is inside."""
    memory = warp.block_memory.globals
    signed = [(word ^ 0x80000000) - 0x80000000 for word in _coordinates(x, what)]
    column, row, slice_ = signed[0], signed[1] if len(signed) > 1 else 0, signed[2] if len(signed) > 2 else 0
    if what.shape == Shape.LINES:
        row, slice_ = 0, row
    address = rules.surface_address(memory, handle, column, row, slice_, what.bytes, int(what.outside))
    words = -(-what.bytes // 4)
    if address < 0:
        if what.outside == Outside.TRAP:
            warp.report(FindingKind.OUT_OF_BOUNDS, x.lane, column, Space.GLOBAL)
            warp.stop()
        if what.fetch == Fetch.READ:
            for k in range(words):
                x.give(0, k=k)
        return []
    if what.fetch == Fetch.READ:
        _read_surface(warp, x, what, address)
        return [address]
    for k in range(words):
        size = min(what.bytes, 4)
        memory.write(address + 4 * k, size, x.word("s", k) & (1 << 8 * size) - 1)
    return [address]


def _read_surface(warp: FetchingWarp, x: Lane, what: TextureOperation, address: int) -> None:
    memory = warp.block_memory.globals
    if warp.block_memory.options.check and not memory.initialised(address, what.bytes):
        warp.report(FindingKind.UNINITIALISED, x.lane, address, Space.GLOBAL)
    for k in range(-(-what.bytes // 4)):
        x.give(memory.read(address + 4 * k, min(what.bytes, 4)), k=k)


# ------------------------------------------------------------------------------------------------ counters


def _count(
    warp: FetchingWarp, what: TextureOperation, handle: int, accessed: dict[int, list[int]], texel_bytes: int
) -> None:
    """Count the requests of an instruction, and the sectors of each: distinct ones of some lanes together."""
    memory = warp.block_memory.globals
    is_filtered = what.fetch == Fetch.SAMPLE and bool(rules.field(memory, handle, rules.IS_LINEAR))
    lanes_a_request, lanes_a_pass, times = rules.passes(
        int(what.fetch), int(what.shape), texel_bytes if what.bytes == 0 else what.bytes, int(is_filtered)
    )
    warp.add_to(Raw.REQUESTS, len({lane // lanes_a_request for lane in accessed}))
    for lanes in _groups(accessed, lanes_a_pass):
        sectors = {rules.sector_of(memory, handle, address) for lane in lanes for address in accessed[lane]}
        warp.add_to(Raw.SECTORS, times * len(sectors))


def _groups(accessed: dict[int, list[int]], size: int) -> Iterator[list[int]]:
    """Yield the lanes that take part of each group of ``size``."""
    for first in range(0, 32, size):
        lanes = [lane for lane in range(first, first + size) if lane in accessed]
        if lanes:
            yield lanes
