"""Execute texture and surface instructions: each lane fetches what the descriptor says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from warpview.isa.program import Instruction
from warpview.isa.textures import DESCRIPTOR_BYTES, Fetch, Outside, Shape, TextureOperation
from warpview.isa.types import Space
from warpview.sim.checks.access_log import LogKind, LogRecord
from warpview.sim.launch import FindingKind
from warpview.sim.raw_counts import Raw
from warpview.sim.reference.accesses import BlockMemory
from warpview.sim.reference.registers import LANES, lanes_of
from warpview.sim.reference.splits import lowest_lane
from warpview.sim.rules import texture_places as places
from warpview.sim.rules import textures as rules


class FetchingWarp(Protocol):
    """Provide the state of a warp that the functions read and write."""

    @property
    def index(self) -> int:
        """Return the number of the warp in its block."""

    @property
    def issued(self) -> int:
        """Return the instructions that it has issued."""

    @property
    def instruction(self) -> tuple[int, Instruction]:
        """Return the instruction that is executed, with its place."""

    @property
    def block_memory(self) -> BlockMemory:
        """Return the memory of the warp's block."""

    def report(self, kind: FindingKind, lane: int, address: int, space: int = 0) -> None:
        """Report a finding of the instruction that is executed."""

    def add_to(self, column: Raw, count: int) -> None:
        """Add to a count of the instruction that is executed."""

    def stop(self) -> None:
        """End the launch, as a trap does."""


class Operands(Protocol):
    """Give the operands of a texture instruction, lane by lane."""

    def handle(self, lane: int) -> int:
        """Return the lower word of the object."""

    def words(self, lane: int) -> Sequence[int]:
        """Return the words that it reads, in the order of ``TextureOperation``, and then those that it stores."""

    def give(self, lane: int, k: int, value: int) -> None:
        """Write the k-th result."""


def texture(warp: FetchingWarp, operands: Operands, what: TextureOperation, on: int) -> None:
    """Execute a texture or surface instruction for the lanes ``on``."""
    memory, first = warp.block_memory.globals, lowest_lane(on)
    handle = operands.handle(first)
    if not _is_usable(warp, handle):
        warp.report(FindingKind.OUT_OF_BOUNDS, first, handle, Space.GLOBAL)
        warp.stop()
        return
    if what.fetch == Fetch.QUERY:
        _query(warp, operands, what, handle, on)
        return
    accessed: dict[int, set[int]] = {}
    for lane in lanes_of(on):
        access = _access_surface if what.fetch in (Fetch.READ, Fetch.WRITE) else _fetch
        accessed[lane] = access(warp, operands, what, handle, lane)
    _count(warp, what, handle, accessed, places.field(memory, handle, places.TEXEL_BYTES))


def _is_usable(warp: FetchingWarp, handle: int) -> bool:
    """Return whether the descriptors of all levels, and the texels that they name, lie in allocations."""
    memory = warp.block_memory.globals
    level, levels = 0, 1
    while level < levels:
        texture = handle + level * DESCRIPTOR_BYTES
        if handle % 4 or memory.fault(texture, 4, writes=False) or not memory.holds(texture, DESCRIPTOR_BYTES):
            return False
        if not places.is_sound(memory, texture):
            return False
        data, end = places.load(memory, texture + places.DATA, 8), places.end_of(memory, texture)
        if not (0 < data < end < 1 << 40 and memory.holds(data, end - data)):
            return False
        level, levels = level + 1, places.field(memory, handle, places.LEVELS)
    return True


def _query(warp: FetchingWarp, operands: Operands, what: TextureOperation, handle: int, on: int) -> None:
    """Tell each lane what it asks of a level; no texel is read."""
    for lane in lanes_of(on):
        level = operands.words(lane)[0]
        for k, component in enumerate(what.components):
            operands.give(lane, k, places.told(warp.block_memory.globals, handle, level, component))


def _fetch(warp: FetchingWarp, operands: Operands, what: TextureOperation, handle: int, lane: int) -> set[int]:
    """Fetch the components of a lane; return the sectors of the texels that are read."""
    memory, words, number = warp.block_memory.globals, operands.words(lane), what.number
    level, fraction = divmod(places.level_of_lane(memory, handle, number, words), 256)
    texture = handle + level * DESCRIPTOR_BYTES
    coarser = texture + DESCRIPTOR_BYTES if fraction else texture
    place, other = (places.place_of_lane(memory, at, number, words) for at in (texture, coarser))
    sectors = _note_texels(warp, what, lane, texture, place, 256 - fraction)
    if fraction:
        sectors |= _note_texels(warp, what, lane, coarser, other, fraction)
    if what.fetch == Fetch.GATHER:
        values = [rules.gathered(memory, texture, place, what.gathered, k) for k in what.components]
    else:
        values = [rules.sampled(memory, texture, place, coarser, other, fraction, k) for k in what.components]
    for k, value in enumerate(values):
        operands.give(lane, k, value)
    return sectors


def _note_texels(
    warp: FetchingWarp, what: TextureOperation, lane: int, texture: int, place: places.Place, share: int
) -> set[int]:
    """Look into the texels of a level that a lane reads, and return their sectors."""
    memory, size = warp.block_memory.globals, places.field(warp.block_memory.globals, texture, places.TEXEL_BYTES)
    read = [0, 1, 2, 3] if what.fetch == Fetch.GATHER else [k for k in range(8) if rules.weight(place, k, share)]
    addresses = [a for a in (rules.texel_address(memory, texture, place, k) for k in read) if a >= 0]
    if warp.block_memory.options.check and not all(memory.initialised(address, size) for address in addresses):
        warp.report(FindingKind.UNINITIALISED, lane, addresses[0], Space.GLOBAL)
    return {rules.sector_of(memory, texture, address) for address in addresses}


def _access_surface(warp: FetchingWarp, operands: Operands, what: TextureOperation, handle: int, lane: int) -> set[int]:
    """Read or write bytes of a surface for a lane; return their sector, if it is inside."""
    memory = warp.block_memory.globals
    words = operands.words(lane)
    signed = [(word ^ 0x80000000) - 0x80000000 for word in words[: what.words]]
    column, row, slice_ = (*signed, 0, 0)[:3]
    if what.shape == Shape.LINES:
        row, slice_ = 0, row
    address = rules.surface_address(memory, handle, column, row, slice_, what.bytes, int(what.outside))
    size = min(what.bytes, 4)
    if address < 0 and what.outside == Outside.TRAP:
        warp.report(FindingKind.OUT_OF_BOUNDS, lane, column, Space.GLOBAL)
        warp.stop()
    is_checked = warp.block_memory.options.check and address >= 0 and what.fetch == Fetch.READ
    if is_checked and not memory.initialised(address, what.bytes):
        warp.report(FindingKind.UNINITIALISED, lane, address, Space.GLOBAL)
    for k in range(-(-what.bytes // 4)):
        if what.fetch == Fetch.READ:
            value = memory.read(address + 4 * k, size) if address >= 0 else 0
            operands.give(lane, k, value)
        else:
            value = words[what.words + k] & (1 << 8 * size) - 1
        if address >= 0:
            if what.fetch == Fetch.WRITE:
                memory.write(address + 4 * k, size, value)
            _note(warp, what, lane, address + 4 * k, size, value)
    return {rules.sector_of(memory, handle, address)} if address >= 0 else set()


def _note(warp: FetchingWarp, what: TextureOperation, lane: int, address: int, size: int, value: int) -> None:
    """Add an access to a surface to the log for the race check."""
    memory = warp.block_memory
    if memory.accesses is None:
        return
    kind, (pc, _) = LogKind.READ if what.fetch == Fetch.READ else LogKind.WRITE, warp.instruction
    who, when = (memory.block, warp.index * LANES + lane, pc), (warp.issued, memory.epoch)
    memory.accesses.records.append(LogRecord(kind, *who, Space.GLOBAL, address, size, value, *when, memory.block))


# ------------------------------------------------------------------------------------------------ counters


def _count(
    warp: FetchingWarp, what: TextureOperation, handle: int, accessed: dict[int, set[int]], texel_bytes: int
) -> None:
    """Count the requests of an instruction, and the sectors of each: distinct ones of some lanes together."""
    memory = warp.block_memory.globals
    is_filtered = what.fetch == Fetch.SAMPLE and bool(places.field(memory, handle, places.IS_LINEAR))
    lanes_a_request, lanes_a_pass, times = rules.passes(
        int(what.fetch), int(what.shape), texel_bytes if what.bytes == 0 else what.bytes, int(is_filtered)
    )
    warp.add_to(Raw.REQUESTS, len({lane // lanes_a_request for lane in accessed}))
    for lanes in _groups(accessed, lanes_a_pass):
        warp.add_to(Raw.SECTORS, times * len(set[int]().union(*(accessed[lane] for lane in lanes))))


def _groups(accessed: dict[int, set[int]], size: int) -> Iterator[list[int]]:
    """Yield the lanes that take part of each group of ``size``."""
    for first in range(0, 32, size):
        lanes = [lane for lane in range(first, first + size) if lane in accessed]
        if lanes:
            yield lanes
