"""Screen a running launch for races: find the words that two threads may have accessed without an order between them.

Each granule of memory has a shadow word with the history of its accesses. The screen misses no race, but takes no
account of fences and atomics, nor of warp barriers of part of a warp. What it suspects is looked into by a second
execution that logs the accesses to the suspected words; see sim/checks.

A shadow word says who accessed the granule last, and by what kinds of access:

- ``LANE``, ``WARP``: the last to do so; ``SEGMENT``: how often that warp had met as a whole before, modulo 16;
- ``SEVERAL_LANES``, ``SEGMENT_KINDS``: other lanes of the warp, and the kinds of access, in that segment;
- ``SEVERAL_WARPS``, ``EPOCH_KINDS``: other warps of the block, and the kinds, since the last block barrier;
- in global memory ``SEVERAL_BLOCKS``, ``BLOCK_KINDS``: other blocks, and the kinds, since the launch began.

In shared memory bits 22 to 30 are the epoch (block barriers so far) of the last access, and bit 31 says that the byte
has been written. In global memory the upper 32 bits are its span: blocks and block barriers are counted in one, so that
a span below a block's first is another block's.
"""

from __future__ import annotations

from llvmlite import ir

from warpview.isa.types import FULL
from warpview.sim.jit.access_kinds import ATOMIC, BLOCK_KINDS, READ, WRITE
from warpview.sim.jit.compile import jit
from warpview.sim.jit.lanes import (
    LANES,
    V32,
    V64,
    bits_mask,
    constant,
    copy_in_64,
    copy_out_64,
    gather_64,
    lane_intrinsic,
    load_row,
    mask_bits,
    rows_differ_64,
    scatter_64,
    splat,
    store_row,
)  # fmt: skip
from warpview.sim.jit.raw import load_i64, load_u32, lowest, store_32
from warpview.sim.jit.records import addresses_at, block_at, finding_at, physical_at, shadow_row_at, suspect_at
from warpview.sim.jit.state import FINDING, SUSPECT
from warpview.sim.launch import FindingKind

LANE_BITS, WARP_SHIFT, SEGMENT_SHIFT = 0x1F, 5, 10
SEVERAL_LANES, SEGMENT_KINDS = 1 << 14, 15
EPOCH_KINDS, SEVERAL_WARPS = 18, 1 << 21
EPOCH_SHIFT, LAST_EPOCH, WRITTEN = 22, (1 << 9) - 1, 1 << 31
SEVERAL_BLOCKS, SPAN_SHIFT = 1 << 25, 32
WARP_BITS, OWNER_BITS = 0x1F << WARP_SHIFT, 0x1FF << WARP_SHIFT
SEGMENTS = 16
RACE = int(FindingKind.RACE)
SUSPECT_BYTES, FINDING_BYTES = SUSPECT.itemsize, FINDING.itemsize
SUSPECTS_AN_INSTRUCTION = 256
ROW32, ROW64 = 4 * LANES, 8 * LANES


class _Shadow:
    """Wrap a row of shadow words, and what is done with it, as vectors of ``vector.element``."""

    def __init__(self, builder, vector: ir.VectorType, row) -> None:
        self.b, self.vector, self.row = builder, vector, row
        self.old = load_row(builder, row, vector)
        self.zero = constant(vector, 0)
        self.is_global = vector.element.width == 64
        self.beside = 0 if self.is_global else WRITTEN  # bits that say nothing of who accessed the word

    def number(self, value):
        """Return an int64 argument in every lane."""
        element = self.vector.element
        return splat(self.b, value if element.width == 64 else self.b.trunc(value, element), self.vector)

    def bits(self, mask: int):
        return self.b.and_(self.old, constant(self.vector, mask))

    def is_set(self, mask: int):
        return self.b.icmp_unsigned("!=", self.bits(mask), self.zero)

    def kinds(self, shift: int):
        return self.b.and_(self.b.lshr(self.old, constant(self.vector, shift)), constant(self.vector, 7))

    def where(self, condition, value):
        return self.b.select(condition, value, self.zero)

    def any(self, kinds):
        return self.b.icmp_unsigned("!=", kinds, self.zero)

    def conflict(self, others, kinds):
        """Return lanes with ``others`` where kinds do not go together."""
        writes = self.any(self.b.and_(kinds, constant(self.vector, WRITE)))
        mixed = self.b.icmp_unsigned("==", kinds, constant(self.vector, READ | ATOMIC))
        return self.b.and_(others, self.b.or_(writes, mixed))

    def placed(self, kinds, shift: int):
        return self.b.shl(kinds, constant(self.vector, shift))

    def flag(self, condition, mask: int):
        return self.where(condition, constant(self.vector, mask))

    def within_block(self, same_time, own, kind, repeated, by_lanes):
        """Return (races, new low bits) of an access by the warp and segment ``own``, as far as its own block is
        concerned; ``same_time`` are the lanes whose shadow is of this block and epoch, ``by_lanes`` those that may race
        with others of the warp."""
        b = self.b
        lane = ir.Constant(self.vector, list(range(LANES)))
        epoch_kinds = self.where(same_time, self.kinds(EPOCH_KINDS))
        several_warps = b.and_(same_time, self.is_set(SEVERAL_WARPS))
        same_warp = b.icmp_unsigned("==", self.bits(WARP_BITS), b.and_(own, constant(self.vector, WARP_BITS)))
        other_warp = b.and_(self.any(epoch_kinds), b.or_(several_warps, b.not_(same_warp)))
        same_segment = b.and_(same_time, b.icmp_unsigned("==", self.bits(OWNER_BITS), own))
        segment_kinds = self.where(same_segment, self.kinds(SEGMENT_KINDS))
        same_lane = b.icmp_unsigned("==", self.bits(LANE_BITS), lane)
        other_lane = b.and_(self.any(segment_kinds), b.or_(self.is_set(SEVERAL_LANES), b.not_(same_lane)))
        epoch_kinds, segment_kinds = b.or_(epoch_kinds, kind), b.or_(segment_kinds, kind)
        among_lanes = b.and_(self.conflict(other_lane, segment_kinds), by_lanes)
        races = b.or_(self.conflict(other_warp, epoch_kinds), among_lanes)
        new = b.or_(own, b.select(other_lane, self.bits(LANE_BITS), lane))
        new = b.or_(new, self.flag(b.or_(other_lane, repeated), SEVERAL_LANES))
        new = b.or_(new, self.placed(segment_kinds, SEGMENT_KINDS))
        # Once several warps are known no more is needed than the kinds: the word then stays as it is.
        new = b.select(several_warps, self.bits((1 << EPOCH_KINDS) - 1), new)
        new = b.or_(new, self.placed(epoch_kinds, EPOCH_KINDS))
        return races, b.or_(new, self.flag(other_warp, SEVERAL_WARPS))

    def quiet(self, fresh, same_time, own, kind, repeated, more):
        """Return (lanes, new words) of accesses that are told at once not to race: the first in a while (``fresh``),
        one more by the same lane, or one more read where there have been many. ``more`` are bits that a new word has
        beside."""
        b, kinds = self.b, 7 << SEGMENT_KINDS | 7 << EPOCH_KINDS | (7 << BLOCK_KINDS if self.is_global else 0)
        kind_bits = b.or_(self.placed(kind, SEGMENT_KINDS), self.placed(kind, EPOCH_KINDS))
        if self.is_global:
            kind_bits = b.or_(kind_bits, self.placed(kind, BLOCK_KINDS))
        lane = ir.Constant(self.vector, list(range(LANES)))
        first = b.or_(b.or_(b.or_(lane, own), self.flag(repeated, SEVERAL_LANES)), b.or_(kind_bits, more))
        ignored = b.select(repeated, self.zero, constant(self.vector, kinds))
        differing = b.and_(b.xor(self.old, first), b.not_(b.or_(ignored, constant(self.vector, self.beside))))
        same = b.icmp_unsigned("==", differing, self.zero)
        only_reads = b.icmp_unsigned("==", b.or_(self.kinds(EPOCH_KINDS), kind), constant(self.vector, READ))
        same_owner = b.icmp_unsigned("==", self.bits(OWNER_BITS), own)
        several = b.or_(self.is_set(SEVERAL_WARPS), b.and_(same_owner, self.is_set(SEVERAL_LANES)))
        one_of_many = b.and_(b.and_(same_time, only_reads), several)
        again = b.or_(self.old, b.select(one_of_many, self.zero, kind_bits))
        return b.or_(fresh, b.or_(same, one_of_many)), b.select(fresh, first, again)


@lane_intrinsic(6, returns=True)
def noisy_shared_lanes(builder, row, out, epoch, own, kind, repeated):
    """Return ``screen_shared_row`` for the lanes that are told at once not to race; returns the others."""
    s = _Shadow(builder, V32, row)
    b, now, own, kind = builder, s.placed(s.number(epoch), EPOCH_SHIFT), s.number(own), s.number(kind)
    same_time = b.icmp_unsigned("==", s.bits(LAST_EPOCH << EPOCH_SHIFT), now)
    quiet, new = s.quiet(b.not_(same_time), same_time, own, kind, mask_bits(b, repeated), now)
    is_read = b.icmp_unsigned("==", kind, constant(V32, READ))
    store_row(b, b.or_(new, b.select(is_read, s.bits(WRITTEN), constant(V32, WRITTEN))), out)
    return bits_mask(b, b.not_(quiet))


@lane_intrinsic(6, returns=True)
def noisy_global_lanes(builder, row, out, span, own, kind, repeated):
    """Return ``screen_global_row`` for the lanes that are told at once not to race; returns the others."""
    s = _Shadow(builder, V64, row)
    b, now, own, kind = builder, s.placed(s.number(span), SPAN_SHIFT), s.number(own), s.number(kind)
    fresh = b.icmp_unsigned("==", s.old, s.zero)
    nobody = b.icmp_unsigned("!=", s.zero, s.zero)
    quiet, new = s.quiet(fresh, nobody, own, kind, mask_bits(b, repeated), now)
    store_row(b, new, out)
    return bits_mask(b, b.not_(quiet))


@jit
def screen_shared(row, out, epoch, own, kind, repeated, lanes, by_lanes):
    """Note an access in a row of shadow words, into the row ``out``; returns the lanes that may race."""
    if lanes & noisy_shared_lanes(row, out, epoch, own, kind, repeated):
        return lanes & screen_shared_row(row, out, epoch, own, kind, repeated, by_lanes)
    return 0


@lane_intrinsic(7, returns=True)
def screen_shared_row(builder, row, out, epoch, own, kind, repeated, by_lanes):
    """Note an access in a row of shadow words of shared memory, into the row ``out``; returns the lanes that may race.

    ``own`` is the warp and segment in their places, ``repeated`` the lanes whose bytes another lane accesses as well,
    ``by_lanes`` those that may race with others of the warp.
    """
    s = _Shadow(builder, V32, row)
    b, epoch, own, kind = builder, s.number(epoch), s.number(own), s.number(kind)
    same_time = b.icmp_unsigned("==", s.bits(LAST_EPOCH << EPOCH_SHIFT), s.placed(epoch, EPOCH_SHIFT))
    races, new = s.within_block(same_time, own, kind, mask_bits(b, repeated), mask_bits(b, by_lanes))
    is_read = b.icmp_unsigned("==", kind, constant(V32, READ))
    written = b.select(is_read, s.bits(WRITTEN), constant(V32, WRITTEN))
    store_row(b, b.or_(b.or_(new, written), s.placed(epoch, EPOCH_SHIFT)), out)
    return bits_mask(b, races)


@lane_intrinsic(7, returns=True)
def screen_global_row(builder, row, span, first, own, kind, repeated, by_lanes):
    """Note an access in a row of shadow words of global memory, into the row after it; returns the lanes that may race.

    ``first`` is the first span of the block; the others are as for shared memory.
    """
    s = _Shadow(builder, V64, row)
    b, span, first, own, kind = builder, s.number(span), s.number(first), s.number(own), s.number(kind)
    then = b.lshr(s.old, constant(V64, SPAN_SHIFT))
    now = b.icmp_unsigned("==", then, span)
    races, new = s.within_block(now, own, kind, mask_bits(b, repeated), mask_bits(b, by_lanes))
    kinds, several = s.kinds(BLOCK_KINDS), s.is_set(SEVERAL_BLOCKS)
    other_block = b.and_(s.any(kinds), b.or_(several, b.icmp_unsigned("<", then, first)))
    kinds = b.or_(kinds, kind)
    races = b.or_(races, s.conflict(other_block, kinds))
    new = b.or_(new, s.placed(span, SPAN_SHIFT))
    new = b.select(several, s.old, new)  # no more is needed than the kinds
    new = b.or_(new, b.or_(s.placed(kinds, BLOCK_KINDS), s.flag(other_block, SEVERAL_BLOCKS)))
    store_row(b, new, b.add(row, ir.Constant(ir.IntType(64), ROW64)))
    return bits_mask(b, races)


@lane_intrinsic(4)
def granule_places(builder, addresses, offset, shift, out):
    """Write byte offsets of the shadow words of the granules (of 2^shift bytes) at addresses + ``offset``."""
    at = builder.add(load_row(builder, addresses, V64), splat(builder, offset, V64))
    granules = builder.lshr(at, splat(builder, shift, V64))
    store_row(builder, builder.shl(granules, constant(V64, 3)), out)


@jit
def owner(w):
    """Return the warp and its segment, in their places in a shadow word."""
    return w.index << WARP_SHIFT | (w.segment & (SEGMENTS - 1)) << SEGMENT_SHIFT


@jit
def racing_lanes(w):
    """Return the lanes that may race with others of their warp: none of machine code, whose compiler has taken the
    barriers of a warp for orders of its instructions."""
    return 0 if w.native else FULL


@jit
def suspect(m, pc, w, lanes, offset, space, other_row):
    """Keep the words at ``offset`` from the addresses of some lanes for a closer look, each once a block. ``other_row``
    is the row of old shadow words in global memory, 0 in shared memory."""
    f = finding_at(m.findings_at + (RACE * m.n_code + pc) * FINDING_BYTES)
    block, known_at = block_at(w.block_at).block, m.suspected_global_at if other_row else m.suspected_shared_at
    while lanes and f.count < SUSPECTS_AN_INSTRUCTION and m.n_suspects < m.max_suspects:
        lane = lowest(lanes)
        lanes &= lanes - 1
        address = load_i64(addresses_at(m) + 8 * lane) + offset
        known = known_at + (address >> 2 << 2)
        if load_u32(known) != block + 1:
            store_32(known, block + 1)
            s = suspect_at(m.suspects_at + m.n_suspects * SUSPECT_BYTES)
            s.block, s.space, s.address = block, space, address
            s.other_span = load_i64(other_row + 8 * lane) >> SPAN_SHIFT if other_row else 0
            m.n_suspects += 1
            f.count += 1


@jit
def screen_global(m, pc, w, lanes, width, kind, contiguous, repeated, space):
    """Note an access of global memory at the machine's addresses."""
    block, row, places = block_at(w.block_at), shadow_row_at(m), physical_at(m)
    a, granule = addresses_at(m), 1 << m.race_shift
    own = owner(w)
    for offset in range(0, width, granule):
        if contiguous and width == granule:
            first = lowest(lanes)
            place = m.race_at + (load_i64(a + 8 * first) >> m.race_shift << 3) - 8 * first
            copy_in_64(row, place, lanes)
        else:
            granule_places(a, offset, m.race_shift, places)
            gather_64(row, m.race_at, places, lanes)
        races = 0
        if lanes & noisy_global_lanes(row, row + ROW64, m.span, own, kind, repeated):
            races = lanes & screen_global_row(row, m.span, block.first_span, own, kind, repeated, racing_lanes(w))
        if kind == WRITE:
            races |= repeated & lanes
        if races:
            for word in range(0, granule, 4):  # a granule of 8 or 16 bytes is several words
                suspect(m, pc, w, races, offset + word, space, row)
        if lanes & rows_differ_64(row, row + ROW64):
            if contiguous and width == granule:
                copy_out_64(row + ROW64, place, lanes)
            else:
                scatter_64(row + ROW64, m.race_at, places, lanes)
