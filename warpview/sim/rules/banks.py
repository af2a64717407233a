"""Count the passes over the banks ("wavefronts") in which shared memory serves an access, by compute capability."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from warpview.devices import Device
from warpview.sim.rules.access import Wavefront
from warpview.sim.rules.atomics import rounds
from warpview.sim.rules.coalescing import bits, parts

WORD = 4
SERIAL = "serial"  # a ``shared_atomics`` that no device file has: that of machine code, see ``_serial_passes``


def part_lanes(offsets: Sequence[int], mask: int, width: int, device: Device, kind: str) -> int:
    """Return the lanes that are served together: as many as one pass over all banks could feed, at most a whole
    request.

    32-bit words by ``shared_group``; from CC 2.0 64-bit words by half-warps and 128-bit words by quarter-warps
    (measured on CC 9.0), except that the 8-byte banks of CC 3.x feed twice as many. From CC 7.0 a load of 64- or
    128-bit words takes twice as many lanes together if the lanes of all pairs n and n^1, or of all pairs n and n^2,
    agree on the address as far as they take part (NVIDIA on the developer forum for 7.0; measured on 9.0).
    """
    if device.shared_broadcast == "one_word":
        return device.shared_group
    lanes = min(device.shared_group, device.shared_banks * device.shared_bank_bytes // max(width, WORD))
    if device.shared_merges_pairs and kind == "load" and lanes < device.shared_group:
        return lanes * (2 if any(_pairs_agree(offsets, mask, step) for step in (1, 2)) else 1)
    return lanes


def _pairs_agree(offsets: Sequence[int], mask: int, step: int) -> bool:
    """Return whether lanes n and n^step have one offset wherever both take part."""
    both = [lane for lane in range(32) if mask >> lane & 1 and mask >> (lane ^ step) & 1]
    return all(offsets[lane] == offsets[lane ^ step] for lane in both)


def ideal(offsets: Sequence[int], mask: int, width: int, device: Device, kind: str) -> int:
    """Return the wavefronts that the width alone demands: one for each part with a lane; on CC 1.x times the 32-bit
    words."""
    words = max(1, width // WORD) if device.shared_broadcast == "one_word" else 1
    return words * sum(1 for _ in parts(mask, part_lanes(offsets, mask, width, device, kind)))


def wavefronts(offsets: Sequence[int], mask: int, width: int, device: Device, kind: str) -> list[Wavefront]:
    """Return the passes of a 'load' or 'store', or of an atomic, at byte ``offsets``."""
    if kind in ("atomic", "reduction") and device.shared_atomics != "native":
        passes = _serial_passes if device.shared_atomics == SERIAL else _locked_passes
        return passes(offsets, mask, width, device)
    if device.shared_broadcast == "one_word":
        return _one_word_passes(offsets, mask, width, device, kind == "store")
    result: list[Wavefront] = []
    for _, lanes in parts(mask, part_lanes(offsets, mask, width, device, kind)):
        result += _multicast(offsets, lanes, width, device)
        if width == 16 and device.shared_extra_pass_128:
            # "add 1 to the largest number of threads in a quarter-warp that access different addresses of one bank"
            # (CUDA C Programming Guide 3.2, G.4.3.3).
            result.append(Wavefront(bits(lanes), (), False))
    return result


def _locked_passes(offsets: Sequence[int], mask: int, width: int, device: Device) -> list[Wavefront]:
    """Return the passes of an atomic before CC 5.0: a loop of lock, update and unlock lets in one lane for each address
    a round, and each round takes the passes of a store. Native atomics merge the lanes on one word instead and take the
    passes of a load (measured on CC 9.0)."""
    result: list[Wavefront] = []
    for _, lanes in parts(mask, part_lanes(offsets, mask, width, device, "store")):
        for served in rounds(offsets, lanes):
            result += wavefronts(offsets, bits(served), width, device, "store")
    return result


def with_serial_atomics(device: Device) -> Device:
    """Return a device whose lanes take turns at a bank of shared memory, if it has atomics there without a lock."""
    return replace(device, shared_atomics=SERIAL) if device.shared_atomics == "native" else device


def _serial_passes(offsets: Sequence[int], mask: int, width: int, device: Device) -> list[Wavefront]:
    """Return the passes of an atomic of machine code and of one at a generic address: each bank serves one lane after
    the other, those on one word included (measured on CC 9.0)."""
    result: list[Wavefront] = []
    for _, lanes in parts(mask, part_lanes(offsets, mask, width, device, "store")):
        turns: list[list[int]] = []
        served: Counter[int] = Counter()
        for lane in lanes:
            bank = offsets[lane] // device.shared_bank_width % device.shared_banks
            if served[bank] == len(turns):
                turns.append([])
            turns[served[bank]].append(lane)
            served[bank] += 1
        for together in turns:
            result += wavefronts(offsets, bits(together), width, device, "store")
    return result


def _multicast(offsets: Sequence[int], lanes: Sequence[int], width: int, device: Device) -> list[Wavefront]:
    """Return the passes of CC 2.0 and later: only different words of one bank conflict, any number of lanes can read
    one word.

    In a pass each bank delivers ``shared_bank_bytes`` of one row. Where a bank is wider than the words that are dealt
    out to the banks (CC 3.x in 4-byte mode) a row holds two words of it: words i and i + 32 of an aligned 64-word
    segment do not conflict (CUDA C Programming Guide 5.5, G.5.3).
    """
    row_bytes = device.shared_banks * device.shared_bank_bytes
    rows: dict[int, dict[int, None]] = {}  # bank -> its rows, in the order of the lanes
    pieces: dict[tuple[int, int], tuple[int, set[int]]] = {}  # (bank, row) -> lanes, words
    for lane in lanes:
        for word in range(offsets[lane] // WORD, (offsets[lane] + width - 1) // WORD + 1):
            bank = word * WORD // device.shared_bank_width % device.shared_banks
            row = word * WORD // row_bytes
            rows.setdefault(bank, {})[row] = None
            served, words = pieces.get((bank, row), (0, set()))
            pieces[bank, row] = served | 1 << lane, words | {word}
    result: list[Wavefront] = []
    for turn in range(max(map(len, rows.values()))):
        chosen = [(bank, list(here)[turn]) for bank, here in sorted(rows.items()) if turn < len(here)]
        mask = 0
        for place in chosen:
            mask |= pieces[place][0]
        served_words = tuple((bank, word) for bank, row in chosen for word in sorted(pieces[bank, row][1]))
        shared = any(pieces[place][0].bit_count() > len(pieces[place][1]) for place in chosen)
        result.append(Wavefront(mask, served_words, shared))
    return result


def _one_word_passes(offsets: Sequence[int], mask: int, width: int, device: Device, store: bool) -> list[Wavefront]:
    """Return the passes of CC 1.x (CUDA C Programming Guide 3.2, G.3.3): half-warps; a wider access is a request for
    each 32-bit word of it.

    A pass of a load serves all readers of one broadcast word and one thread for each other bank. The guide leaves the
    choice open: here the word with most unserved readers (of several, that of the lowest thread) is broadcast, and in
    each other bank the lowest thread goes first.
    A pass of a store serves one address for each bank; of several threads that write it only one counts.
    """
    result: list[Wavefront] = []
    for _, lanes in parts(mask, device.shared_group):
        for piece in range(max(1, width // WORD)):
            where = {lane: offsets[lane] + piece * WORD for lane in lanes}
            while where:
                served = _one_word_pass(where, device.shared_banks, store)
                words = sorted({(where[lane] // WORD % device.shared_banks, where[lane] // WORD) for lane in served})
                result.append(Wavefront(bits(served), tuple(words), len(served) > len(words)))
                where = {lane: place for lane, place in where.items() if lane not in served}
    return result


def _one_word_pass(where: dict[int, int], banks: int, store: bool) -> list[int]:
    """Return the lanes that the next pass serves; ``where`` maps the unserved lanes, ascending, to their byte
    offsets."""
    if store:
        chosen: dict[int, int] = {}  # bank -> the address it takes
        for place in where.values():
            chosen.setdefault(place // WORD % banks, place)
        return [lane for lane, place in where.items() if chosen[place // WORD % banks] == place]
    readers = Counter(place // WORD for place in where.values())
    broadcast = max(readers, key=lambda word: readers[word])  # the first of the largest: counted in lane order
    taken = {broadcast % banks}
    served: list[int] = []
    for lane, place in where.items():
        bank = place // WORD % banks
        if place // WORD == broadcast:
            served.append(lane)
        elif bank not in taken:
            taken.add(bank)
            served.append(lane)
    return served
