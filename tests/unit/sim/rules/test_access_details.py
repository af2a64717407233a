"""The views show of an access its passes, words, notes and the fewest transactions beside its counts."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from warpview.devices import load_device
from warpview.devices.schema import Cache
from warpview.sim.raw_counts import Raw, memory_counts
from warpview.sim.rules import (
    atomic_access,
    const_access,
    distributed_access,
    global_access,
    local_access,
    shared_access,
)
from warpview.sim.rules.cache import CacheModel, MemoryHierarchy

ALL = 0xFFFFFFFF
G80, GT200, FERMI, KEPLER, HOPPER = (load_device(key) for key in ("8800gtx", "fx5800", "c2050", "k40", "h200"))


def at(step: int) -> list[int]:
    return [step * lane for lane in range(32)]


@pytest.mark.parametrize(
    ("device", "width", "how", "fewest"),
    [
        (G80, 8, {}, 2),  # 16 lanes of 8 bytes are one transaction of 128 bytes
        (GT200, 8, {}, 2),
        (GT200, 16, {}, 4),
        (FERMI, 4, {}, 1),  # a line
        (KEPLER, 4, {"read_only": True}, 8),  # four lanes at a time, a sector each
        (KEPLER, 16, {"read_only": True}, 16),
        (HOPPER, 4, {}, 4),
        (HOPPER, 16, {}, 16),
    ],
)
def test_the_fewest_transactions_of_a_full_warp(device, width, how, fewest) -> None:
    assert global_access("load", at(width), ALL, width, device, **how).ideal_transactions == fewest


def test_a_half_warp_that_is_not_coalesced_is_enough() -> None:
    """CC 1.0: the condition is that of each half-warp, and both must keep it."""
    addresses = [*range(0, 64, 4), *range(68, 132, 4)]
    access = global_access("load", addresses, ALL, 4, G80)
    assert not access.coalesced
    assert memory_counts(access)[Raw.UNCOALESCED] == 1


def test_a_wide_local_access_takes_its_words_in_turn() -> None:
    """Words of the same number lie side by side: the first of all lanes in bytes 0 to 127, the second behind them."""
    access = local_access("load", [0] * 32, ALL, 8, HOPPER)
    assert [t.base for t in access.transactions] == list(range(0, 256, 32))
    assert access.ideal_transactions == 8
    assert local_access("load", [0] * 32, ALL, 8, FERMI).ideal_transactions == 2


def test_constant_memory_has_no_banks() -> None:
    access = const_access([0] * 32, ALL, 4, HOPPER)
    assert (access.banks, access.bytes_requested, access.collisions) == (1, 128, 0)


def test_a_constant_pass_serves_the_lanes_that_want_its_word() -> None:
    access = const_access([0, 8, 0, 4] * 8, 0b1111, 4, HOPPER)
    assert [(pass_.lanes, pass_.words, pass_.broadcast) for pass_ in access.wavefronts] == [
        (0b0101, ((0, 0),), True), (0b0010, ((0, 2),), False), (0b1000, ((0, 1),), False),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("element", "passes"),
    [
        (lambda lane: lane // 2, 1), (lambda lane: lane // 4 * 2 + lane % 2, 1), (lambda lane: lane // 4, 1),
        (lambda lane: lane, 2), (lambda lane: lane % 16, 2),
    ],
)  # fmt: skip
def test_loads_of_64_bits_are_merged_where_either_pairs_agree(element: Callable[[int], int], passes: int) -> None:
    """Lanes n and n^1, or n and n^2, want the same; a store takes half a warp at a time."""
    offsets = [8 * element(lane) for lane in range(32)]
    access = shared_access("load", offsets, ALL, 8, HOPPER)
    assert (len(access.wavefronts), access.ideal) == (passes, passes)
    assert shared_access("store", offsets, ALL, 8, HOPPER).ideal == 2


def test_the_degree_of_a_conflict() -> None:
    assert shared_access("load", at(4), ALL, 4, HOPPER).degree == 1
    assert shared_access("load", at(8), ALL, 4, HOPPER).degree == 2
    assert shared_access("load", at(4), 0, 4, HOPPER).degree == 1


def test_atomics_on_one_address_tell_their_passes() -> None:
    access = atomic_access("reduction", [0] * 32, 0b111, 4, HOPPER)
    assert [(t.lanes, t.group, t.note) for t in access.transactions] == [
        (1, 0, ""), (2, 0, "pass 2 over this line"), (4, 0, "pass 3 over this line"),
    ]  # fmt: skip
    access = atomic_access("reduction", [0, 4, 4, 128] * 8, 0b1111, 4, HOPPER)  # the second pass begins at 4
    assert [(t.lanes, t.base, t.note) for t in access.transactions] == [
        (3, 0, ""), (4, 0, "pass 2 over this line"), (8, 128, ""),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("offsets", "mask", "width", "expected"),
    [
        # CUDA C Programming Guide 3.2, G.3.3: a request for each 32-bit word; word 17 lies in bank 1 of 16.
        ([0, 8], 0b11, 8, [(3, ((0, 0), (2, 2)), False), (3, ((1, 1), (3, 3)), False)]),
        ([0, 0, 4], 0b111, 4, [(7, ((0, 0), (1, 1)), True)]),
        ([68], 1, 4, [(1, ((1, 17),), False)]),
    ],
)
def test_words_of_a_pass_on_cc_1(offsets, mask, width, expected) -> None:
    access = shared_access("load", [*offsets, *[0] * (32 - len(offsets))], mask, width, G80)
    assert [(w.lanes, w.words, w.broadcast) for w in access.wavefronts] == expected


def test_one_broadcast_word_makes_a_pass_a_broadcast() -> None:
    (wavefront,) = shared_access("load", [0, 0, 4, *[0] * 29], 0b111, 4, HOPPER).wavefronts
    assert wavefront.broadcast
    assert wavefront.words == ((0, 0), (1, 1))


def test_the_extra_pass_of_fermi_moves_no_words() -> None:
    last = shared_access("load", at(16), ALL, 16, FERMI).wavefronts[-1]
    assert (last.words, last.broadcast) == ((), False)


def test_only_kept_writes_are_written_back() -> None:
    """A line of one set is thrown out by the next: of its sectors those are written back that a write left there."""

    def evicted(*writes: tuple[int, bool]) -> int:
        model = CacheModel(Cache(bytes=128, line=128, sector=32, ways=1))
        model.read(0)
        for address, allocate in writes:
            model.write(address, allocate)
        model.read(128)
        return model.counts.written_back

    assert evicted((0, False)) == 0
    assert evicted((0, True), (4, True)) == 1
    assert evicted((0, True), (32, True)) == 2


def test_sectors_that_reach_dram() -> None:
    """Without an L2 every sector goes to DRAM at once; with one, when its line is thrown out."""
    old = MemoryHierarchy(G80)
    old.access(global_access("store", at(4), ALL, 4, G80))
    assert (old.dram_sectors_read, old.dram_sectors_written) == (0, 4)
    old.access(global_access("load", at(4), ALL, 4, G80))
    assert (old.dram_sectors_read, old.dram_sectors_written) == (4, 4)
    small = replace(HOPPER, l2=Cache(bytes=128, line=128, sector=32, ways=1))
    modern = MemoryHierarchy(small)
    modern.access(global_access("store", at(4), ALL, 4, small))
    assert modern.dram_sectors_written == 0
    modern.access(global_access("store", [128 + place for place in at(4)], ALL, 4, small))
    assert modern.dram_sectors_written == 4


def test_local_memory_of_a_warp_lies_from_its_offset_on() -> None:
    first, second = ([place] * 32 for place in (0, 4))
    memory = MemoryHierarchy(HOPPER)
    memory.access(local_access("load", first, ALL, 4, HOPPER), local=True, offset=128)
    assert memory.l1 is not None
    assert (memory.l1.counts.hits, memory.l1.counts.misses) == (0, 4)
    memory.access(local_access("load", second, ALL, 4, HOPPER), local=True, offset=0)
    assert (memory.l1.counts.hits, memory.l1.counts.misses) == (4, 4)


@pytest.mark.parametrize(
    ("kind", "step", "mask", "sectors", "wavefronts", "collisions"),
    [
        ("load", 4, ALL, 4, 1, 0), ("load", 4, 0b1, 1, 1, 0), ("store", 0, ALL, 1, 1, 0), ("load", 32, ALL, 32, 2, 0),
        ("reduction", 4, ALL, 4, 1, 0), ("reduction", 0, 0b111, 3, 3, 2),
    ],
)  # fmt: skip
def test_an_access_to_another_block_moves_sectors(kind, step, mask, sectors, wavefronts, collisions) -> None:
    """Of lines 0 to 7, of 128 bytes, two lie in each of the four banks of tags; an atomic takes the lanes on one word
    in turn, as on global memory."""
    access = distributed_access(kind, [step * lane for lane in range(32)], mask, 4, HOPPER)
    assert (access.sectors, access.wavefronts, access.collisions) == (sectors, wavefronts, collisions)
    assert access.bytes_requested == 4 * mask.bit_count()


def test_a_request_of_a_whole_warp_is_one_part() -> None:
    assert {t.group for t in global_access("load", at(4), ALL, 4, HOPPER).transactions} == {0}
