"""Count what memory accesses cost, and note what they read and write, where anybody wants to know."""

from __future__ import annotations

from warpview.isa.types import Space
from warpview.sim.jit import checks
from warpview.sim.jit.coalescing import ATOMIC, LOAD, STORE
from warpview.sim.jit.compile import jit
from warpview.sim.jit.race_screen import screen_global
from warpview.sim.jit.raw import load_i64, load_u8, lowest, popcount, store_8, store_64, words_adder
from warpview.sim.jit.records import addresses_at, event_at, event_figures_at, pattern_figures_at
from warpview.sim.raw_counts import FIGURES, FIRST_FIGURE, N_RAW, Raw
from warpview.sim.rules.partition_imbalance import LINES_OF_SLICE, PARTITION_STRIPE, line_of_slice

GLOBAL, LOCAL, CONST, GENERIC = int(Space.GLOBAL), int(Space.LOCAL), int(Space.CONST), int(Space.GENERIC)
SHARED = int(Space.SHARED)
ROW_OF_COUNTS = 8 * N_RAW
FIGURES_AT, FIGURES_BYTES = 8 * FIRST_FIGURE, 8 * len(FIGURES)
ELSEWHERE_AT, IN_LOCAL, REQUESTS = FIGURES_AT + FIGURES_BYTES, 8 * Raw.IN_LOCAL, 8 * Raw.REQUESTS
IN_OTHER_BLOCKS_AT = ELSEWHERE_AT + FIGURES_BYTES
add_figures = words_adder(len(FIGURES))
place_in_slices = jit(line_of_slice)


@jit
def checks_kind(kind):
    """Return LOAD, STORE or ATOMIC as the checks have them."""
    return checks.READ if kind == LOAD else checks.WRITE if kind == STORE else checks.ATOMIC


@jit
def add(address, amount):
    store_64(address, load_i64(address) + amount)


@jit
def count(m, ins, pc, served, space, p):
    """Add the figures of an access to the counts of its instruction and to the event; of a generic one those of its
    shared and local part apart, too."""
    e = event_at(m.event_at)
    e.space = space
    e.served |= served
    row = m.counts_at + pc * ROW_OF_COUNTS
    add_figures(row + FIGURES_AT, pattern_figures_at(p))
    add_figures(event_figures_at(e), pattern_figures_at(p))
    if space == GLOBAL:
        e.global_served, m.data_cycles = served, p.data_cycles
    elif space == CONST and ins.space != CONST:
        if e.global_served:  # one request with the lanes in global memory, where constants lie, too
            add(row + REQUESTS, -1)
            e.requests -= 1
    elif ins.space == GENERIC:
        add_figures(row + ELSEWHERE_AT, pattern_figures_at(p))
        if space == LOCAL:
            add(row + IN_LOCAL, 1)


@jit
def count_second_passes(m, ins, pc, p):
    """Count that a compare-and-swap in shared memory takes two wavefronts where others take one, none of which is a
    conflict (measured on an H200)."""
    row = m.counts_at + pc * ROW_OF_COUNTS
    for column in (Raw.WAVEFRONTS, Raw.IDEAL_WAVEFRONTS):
        add(row + 8 * column, p.wavefronts)
        if ins.space == GENERIC:
            add(row + ELSEWHERE_AT + 8 * (column - FIRST_FIGURE), p.wavefronts)


@jit
def count_in_other_blocks(m, pc, served, p):
    """Add the figures of the share of an access that lies in the shared memory of other blocks."""
    e, row = event_at(m.event_at), m.counts_at + pc * ROW_OF_COUNTS
    e.space = SHARED
    e.served |= served
    e.other_sectors += p.sectors
    e.other_wavefronts += p.wavefronts
    for place in (row + FIGURES_AT, row + IN_OTHER_BLOCKS_AT, event_figures_at(e)):
        add_figures(place, pattern_figures_at(p))


@jit
def note_global(m, pc, w, lanes, width, kind, p, access_kind):
    """Remember what was read and written, where anybody wants to know."""
    a = addresses_at(m)
    if m.reads_at:
        if kind != STORE:
            mark_words(m.reads_at, a, lanes, width, p.word_bits)
        if kind != LOAD:
            mark_words(m.writes_at, a, lanes, width, p.word_bits)
    if kind == ATOMIC and m.slices:
        note_atomics(m.slices_at + 8 * pc * m.slices, m.slices // LINES_OF_SLICE, a, lanes, p.sectors)
    elif kind != ATOMIC and m.partitions:
        at = m.partitions_at + 8 * pc * m.partitions
        note_shares(at, m.partitions, a, lanes, p.sectors)
    if m.written_at and not (m.all_hit and m.hit_initialised):
        checks.check_written(m, pc, w, a, lanes, width, checks_kind(kind), GLOBAL, m.written_at, 2, p.contiguous)
    if m.race_at and (kind != LOAD or m.hit_noted or not m.all_hit):
        screen_global(m, pc, w, lanes, width, access_kind, p.contiguous, p.repeated, GLOBAL)


@jit
def note_shares(at, partitions, a, lanes, sectors):
    """Add up, in a row of counts at ``at``, what each partition of memory has to do: a lane's share where its address
    lies."""
    share = 1024 * sectors // popcount(lanes)
    while lanes:
        stripe = load_i64(a + 8 * lowest(lanes)) // PARTITION_STRIPE
        add(at + 8 * (stripe % partitions), share)
        lanes &= lanes - 1


@jit
def note_atomics(at, slices, a, lanes, sectors):
    """Add up, in a row of counts at ``at``, what each slice of the L2 has to do for each of its lines: a lane's share
    where its address lies."""
    share = 1024 * sectors // popcount(lanes)
    while lanes:
        add(at + 8 * place_in_slices(load_i64(a + 8 * lowest(lanes)), slices), share)
        lanes &= lanes - 1


@jit
def mark_words(marks_at, a, lanes, width, word_bits):
    """Set the bits of the 32-bit words that the lanes access; ``word_bits`` is the pattern's."""
    if word_bits:
        word = load_i64(a + 8 * lowest(lanes)) >> 2
        place = marks_at + (word >> 3)
        store_64(place, load_i64(place) | word_bits << (word & 7))
        return
    words = (1 << ((width + 3) >> 2)) - 1
    while lanes:
        word = load_i64(a + 8 * lowest(lanes)) >> 2
        place = marks_at + (word >> 3)
        store_8(place, load_u8(place) | words << (word & 7))
        lanes &= lanes - 1
