"""Coalescing agrees with worked examples, from NVIDIA's guides and the lectures built on them, by capability.

A pattern is (start byte, stride in bytes, word size); transactions are written "8x32@128" = eight of 32 bytes at 128.
"""

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warpview.devices import Device, load_device
from warpview.sim.raw_counts import Raw, memory_counts
from warpview.sim.rules import GlobalAccess, global_access, local_access, local_address
from warpview.sim.rules.coalescing import PIECES, RUNS

ALL = 0xFFFFFFFF
HALF = 0xFFFF
G80, GT200, FERMI, KEPLER, HOPPER = (load_device(key) for key in ("8800gtx", "fx5800", "c2050", "k40", "h200"))


def sequence(start: int, stride: int = 4) -> list[int]:
    return [start + stride * lane for lane in range(32)]


def shown(access: GlobalAccess, group: int | None = None) -> str:
    """The transactions as text; those of one half-warp if ``group`` is given."""
    found = Counter((t.base, t.size) for t in access.transactions if group is None or t.group == group)
    return " ".join(f"{n}x{size}@{base}" if n > 1 else f"{size}@{base}" for (base, size), n in sorted(found.items()))


def load(device: Device, addresses: Sequence[int], width: int = 4, mask: int = ALL, **how: bool) -> GlobalAccess:
    return global_access("load", addresses, mask, width, device, **how)


def swapped(start: int) -> list[int]:
    """Sequential but for threads 2 and 3, which swap their words."""
    result = sequence(start)
    result[2], result[3] = result[3], result[2]
    return result


def permuted(start: int) -> list[int]:
    return [start + 4 * (lane ^ 5) for lane in range(32)]


# ---- CC 1.0 and 1.1 (Programming Guide 3.2, figure G-1; NVIDIA CUDA tutorial 2007)


@pytest.mark.parametrize(
    ("addresses", "width", "mask", "expected"),
    [
        (sequence(116), 4, HALF, "3x32@96 8x32@128 5x32@160"),
        (sequence(128), 4, ALL, "64@128 64@192"),
        (permuted(128), 4, ALL, "8x32@128 8x32@160 8x32@192 8x32@224"),
        (sequence(132), 4, ALL, "7x32@128 8x32@160 8x32@192 8x32@224 32@256"),
        (sequence(128), 4, ALL & ~0b100010, "64@128 64@192"),
        (swapped(128), 4, ALL, "8x32@128 8x32@160 64@192"),
        (sequence(32), 4, ALL, "8x32@32 8x32@64 8x32@96 8x32@128"),
        (sequence(64), 4, ALL, "64@64 64@128"),
        (sequence(0, 8), 8, ALL, "128@0 128@128"),
        (sequence(0, 16), 16, ALL, "128@0 128@128 128@256 128@384"),
        (sequence(0, 16), 16, 0xFF, "128@0"),
        ([64] * 32, 4, ALL, "32x32@64"),
        (sequence(0, 1), 1, ALL, "32x32@0"),
    ],
)
def test_strict_half_warps(addresses: list[int], width: int, mask: int, expected: str) -> None:
    access = load(G80, addresses, width, mask)
    assert shown(access) == expected
    assert shown(global_access("store", addresses, mask, width, G80)) == expected


@pytest.mark.parametrize(
    ("start", "stride", "width"),
    [(16, 4, 4), (64, 8, 8), (8, 8, 8), (32, 8, 8), (16, 16, 16), (0, 8, 4), (0, 12, 4), (0, 32, 4), (0, 128, 4),
     (0, 1, 1), (0, 2, 2)],
)  # fmt: skip
def test_strict_rule_broken_costs_one_transaction_a_thread(start: int, stride: int, width: int) -> None:
    access = load(G80, sequence(start, stride), width)
    assert [t.size for t in access.transactions] == [32] * 32
    assert not access.coalesced
    assert memory_counts(access)[Raw.UNCOALESCED] == 1


def test_strict_idle_threads_do_not_break_it() -> None:
    access = load(G80, [7] * 5 + sequence(128)[5:], 4, ALL & ~0b11111)
    assert access.coalesced
    assert shown(access) == "64@128 64@192"


# ---- CC 1.2 and 1.3 (Programming Guide 3.2, G.3.2.2; T. Stich, "Advanced CUDA Programming")


@pytest.mark.parametrize(
    ("addresses", "width", "mask", "expected"),
    [
        (sequence(116), 4, HALF, "32@96 64@128"),
        (sequence(128), 4, ALL, "64@128 64@192"),
        (permuted(128), 4, ALL, "64@128 64@192"),
        (sequence(132), 4, ALL, "128@128 64@192 32@256"),
        (sequence(128), 4, ALL & ~0b100010, "64@128 64@192"),
        (swapped(128), 4, ALL, "64@128 64@192"),
        (sequence(32), 4, ALL, "128@0 32@96 32@128"),
        (sequence(16), 4, ALL, "128@0 64@64 32@128"),
        (sequence(64), 4, ALL, "64@64 64@128"),
        (sequence(0, 8), 8, ALL, "128@0 128@128"),
        (sequence(64, 8), 8, ALL, "64@64 64@128 64@192 64@256"),
        (sequence(8, 8), 8, ALL, "128@0 32@128 128@128 32@256"),
        (sequence(32, 8), 8, ALL, "128@0 32@128 128@128 32@256"),
        (sequence(0, 16), 16, ALL, "128@0 128@128 128@256 128@384"),
        (sequence(16, 16), 16, HALF, "128@0 128@128 32@256"),
        (sequence(0, 8), 4, ALL, "128@0 128@128"),
        (sequence(0, 12), 4, ALL, "128@0 64@128 64@192 128@256"),
        (sequence(0, 32), 4, HALF, "128@0 128@128 128@256 128@384"),
        (sequence(0, 128), 4, HALF, " ".join(f"32@{128 * k}" for k in range(16))),
        ([64] * 32, 4, ALL, "2x32@64"),
        (sequence(0, 1), 1, ALL, "2x32@0"),
        (sequence(0, 2), 2, ALL, "32@0 32@32"),
    ],
)
def test_segment_protocol(addresses: list[int], width: int, mask: int, expected: str) -> None:
    access = load(GT200, addresses, width, mask)
    got = [word for half in (0, 1) for word in shown(access, half).split()]
    assert sorted(_expand(got)) == sorted(_expand(expected.split()))


def _expand(words: list[str]) -> list[str]:
    """ "2x32@0" as two words."""
    return [w.split("x")[-1] for w in words for _ in range(int(w.split("x")[0]) if "x" in w else 1)]


def test_segment_protocol_tells_its_steps() -> None:
    """Threads 0 to 15 at 116 to 176: the lecture's example, step by step."""
    first, second = load(GT200, sequence(116), 4, HALF).transactions
    assert first.note == (
        "lowest thread 0: 128 bytes at 0; only the upper half is used: 64 at 64; only the upper half is used: 32 at 96"
    )
    assert (first.base, first.size, first.lanes) == (96, 32, 0b111)
    assert second.note == "lowest thread 3: 128 bytes at 128; only the lower half is used: 64 at 128"
    assert (second.base, second.size, second.lanes) == (128, 64, 0xFFF8)


@pytest.mark.parametrize(
    ("start", "stride", "width", "useful"),
    [(32, 4, 4, (0.5, 1.0)), (16, 4, 4, (0.5, 2 / 3)), (0, 4, 4, (1.0, 1.0)), (64, 8, 8, (1.0, 1.0))],
)
def test_useful_share_of_the_alignment_experiment(
    start: int, stride: int, width: int, useful: tuple[float, float]
) -> None:
    """Efficiencies that the lecture prints for a Quadro FX 5800, half-warp by half-warp."""
    access = load(GT200, sequence(start, stride), width)
    for half in (0, 1):
        moved = sum(t.size for t in access.transactions if t.group == half)
        assert 16 * width / moved == pytest.approx(useful[half])


# ---- CC 2.x, 3.x and 5.0 and later: (lines, 32-byte segments by request, sectors by warp)


@pytest.mark.parametrize(
    ("addresses", "width", "lines", "segments", "sectors"),
    [
        (sequence(128), 4, 1, 4, 4),
        (permuted(128), 4, 1, 4, 4),
        (sequence(132), 4, 2, 5, 5),
        (swapped(128), 4, 1, 4, 4),
        (sequence(32), 4, 2, 4, 4),
        (sequence(16), 4, 2, 5, 5),
        (sequence(64), 4, 2, 4, 4),
        (sequence(0, 8), 8, 2, 8, 8),
        (sequence(64, 8), 8, 4, 8, 8),
        (sequence(8, 8), 8, 4, 10, 9),
        (sequence(16, 8), 8, 4, 10, 9),
        (sequence(32, 8), 8, 4, 8, 8),
        (sequence(0, 16), 16, 4, 16, 16),
        (sequence(16, 16), 16, 8, 20, 17),
        (sequence(0, 8), 4, 2, 8, 8),
        (sequence(0, 12), 4, 3, 12, 12),
        (sequence(0, 32), 4, 8, 32, 32),
        (sequence(0, 128), 4, 32, 32, 32),
        (sequence(0, 1 << 12), 4, 32, 32, 32),
        ([64] * 32, 4, 1, 1, 1),
        (sequence(0, 1), 1, 1, 1, 1),
        (sequence(0, 2), 2, 1, 2, 2),
    ],
)
def test_lines_segments_and_sectors(addresses: list[int], width: int, lines: int, segments: int, sectors: int) -> None:
    cached = load(FERMI, addresses, width)
    assert len(cached.transactions) == lines
    assert {t.size for t in cached.transactions} == {128}
    assert cached.sectors == 4 * lines
    assert load(FERMI, addresses, width, cached=False).sectors == segments
    assert global_access("store", addresses, ALL, width, FERMI).sectors == segments
    assert load(KEPLER, addresses, width).sectors == segments
    modern = load(HOPPER, addresses, width)
    assert modern.sectors == len(modern.transactions) == sectors


def test_components_of_float3_fetch_three_times_the_bytes() -> None:
    loads = [load(KEPLER, sequence(4 * k, 12)) for k in range(3)]
    assert sum(access.bytes_moved for access in loads) == 3 * 384


@pytest.mark.parametrize(
    ("addresses", "cached_use", "uncached_use"),
    [
        (sequence(128), 100, 100),
        (permuted(128), 100, 100),
        (sequence(132), 50, 80),
        ([64] * 32, 3.125, 12.5),
        (sequence(0, 128), 3.125, 12.5),
    ],
)
def test_bus_utilisation_of_the_lecture(addresses: list[int], cached_use: float, uncached_use: float) -> None:
    """M. Hadwiger, CS 380 lecture 20: bytes that the warp asked for over bytes moved, in percent."""
    for cached, expected in ((True, cached_use), (False, uncached_use)):
        access = load(FERMI, addresses, cached=cached)
        assert 100 * access.bytes_used / access.bytes_moved == pytest.approx(expected)


def test_misaligned_loads_take_two_transactions_either_way() -> None:
    """One replay, the lecture says, for the caching and the non-caching load."""
    assert shown(load(FERMI, sequence(132))) == "128@128 128@256"
    assert shown(load(FERMI, sequence(132), cached=False)) == "128@128 32@256"
    assert shown(load(FERMI, sequence(160), cached=False)) == "96@160 32@256"


def test_fermi_stores_move_one_two_or_four_segments() -> None:
    assert shown(global_access("store", sequence(128), ALL, 4, FERMI)) == "128@128"
    assert shown(global_access("store", sequence(160), ALL, 4, FERMI)) == "32@160 64@192 32@256"
    counts = memory_counts(global_access("store", sequence(160), ALL, 4, FERMI))
    assert counts[Raw.TRANSACTIONS_32] == 2
    assert counts[Raw.TRANSACTIONS_64] == 1
    assert counts[Raw.SECTORS] == 4


@pytest.mark.parametrize("nibble", range(16))
def test_tables_cover_exactly_what_is_touched(nibble: int) -> None:
    for table in (RUNS, PIECES):
        covered = [k for first, count in table[nibble] for k in range(first, first + count)]
        assert sorted(covered) == [k for k in range(4) if nibble >> k & 1]
    assert all(count in (1, 2, 4) and first % count == 0 for first, count in PIECES[nibble])


def test_read_only_path_asks_four_threads_at_a_time() -> None:
    access = load(KEPLER, sequence(0), read_only=True)
    assert len(access.transactions) == 8
    assert load(KEPLER, sequence(0)).sectors == 4
    assert load(HOPPER, sequence(0), read_only=True).sectors == 4, "one path from 5.0 on"
    assert load(FERMI, sequence(0), read_only=True).sectors == 4


def test_nobody_takes_part() -> None:
    for device in (G80, GT200, FERMI, KEPLER, HOPPER):
        access = load(device, sequence(0), 4, 0)
        assert access.transactions == ()
        assert memory_counts(access) == {}


# ---- local memory


def test_local_words_of_one_index_are_contiguous_across_the_warp() -> None:
    assert [local_address(8, lane) for lane in range(32)] == sequence(256)
    assert local_address(9, 3) == 256 + 12 + 1


@pytest.mark.parametrize(
    ("device", "sizes"),
    [(G80, [64, 64]), (GT200, [64, 64]), (FERMI, [128]), (KEPLER, [128]), (HOPPER, [32] * 4)],
)
def test_a_spill_is_fully_coalesced(device: Device, sizes: list[int]) -> None:
    for kind in ("load", "store"):
        access = local_access(kind, [40] * 32, ALL, 4, device)
        assert [t.size for t in access.transactions] == sizes
        assert access.coalesced
        assert access.bytes_moved == access.bytes_requested == 128
    double = local_access("load", [40] * 32, ALL, 8, device)
    assert [t.size for t in double.transactions] == 2 * sizes
    assert double.bytes_requested == 256


# ---- any pattern on any device


@settings(max_examples=150, deadline=None)
@given(
    words=st.lists(st.integers(0, 300), min_size=32, max_size=32),
    mask=st.integers(0, ALL),
    width=st.sampled_from([1, 2, 4, 8, 16]),
    kind=st.sampled_from(["load", "store", "atomic"]),
    device=st.sampled_from([G80, GT200, FERMI, KEPLER, HOPPER]),
    cached=st.booleans(),
)
def test_every_lane_is_served_with_its_bytes(
    words: list[int], mask: int, width: int, kind: str, device: Device, cached: bool
) -> None:
    addresses = [word * width for word in words]
    access = global_access(kind, addresses, mask, width, device, cached)
    served = 0
    for transaction in access.transactions:
        assert transaction.base % 32 == 0
        served |= transaction.lanes
        for lane in range(32):
            if transaction.lanes >> lane & 1:
                assert transaction.base <= addresses[lane] < transaction.base + transaction.size
    assert served == mask
    assert access.sectors * 32 == access.bytes_moved >= 0
    assert access.bytes_used <= access.bytes_requested == mask.bit_count() * width
    counts = memory_counts(access)
    by_size = {32: Raw.TRANSACTIONS_32, 64: Raw.TRANSACTIONS_64, 96: Raw.TRANSACTIONS_96, 128: Raw.TRANSACTIONS_128}
    assert sum(size * counts.get(column, 0) for size, column in by_size.items()) == access.bytes_moved


# ---- the first segment by word size (Programming Guide 3.2, G.3.2.2: "32 bytes for 1-byte, 64 for 2-byte, 128 for
# 4-, 8- and 16-byte words"): the accesses are spread so that another size would join them differently


@pytest.mark.parametrize(
    ("stride", "width", "expected"),
    [
        (4, 1, "32@0 32@32"),  # 64 bytes: two segments of 32, where one of 64 would do for wider words
        (8, 2, "64@0 64@64"),  # 128 bytes: two segments of 64
        (4, 2, "64@0"),
        (8, 4, "128@0"),
        (16, 8, "128@0 128@128"),
    ],
)
@pytest.mark.parametrize("device", ["c1060", "fx5800"])
def test_the_first_segment_depends_on_the_word(device: str, stride: int, width: int, expected: str) -> None:
    access = load(load_device(device), sequence(0, stride), width, HALF)
    assert shown(access) == expected


def test_a_segment_is_halved_down_to_32_bytes_and_no_further() -> None:
    assert shown(load(GT200, [100] * 32, 4, 1)) == "32@96"
    assert shown(load(GT200, [96, 124, *[0] * 30], 4, 0b11)) == "32@96"
    assert shown(load(GT200, [92, 96, *[0] * 30], 4, 0b11)) == "64@64"
    assert shown(load(GT200, [60, 64, *[0] * 30], 4, 0b11)) == "128@0"


def test_requests_of_wide_words_on_fermi() -> None:
    """8-byte words are requested by half-warps, 16-byte words by quarter-warps (Programming Guide 3.2, G.4.2)."""
    double, quad = load(FERMI, sequence(0, 8), 8), load(FERMI, sequence(0, 16), 16)
    assert [(t.base, t.group) for t in double.transactions] == [(0, 0), (128, 1)]
    assert [(t.base, t.group) for t in quad.transactions] == [(0, 0), (128, 1), (256, 2), (384, 3)]
    assert double.coalesced
    assert quad.coalesced
    assert [(t.base, t.group) for t in load(FERMI, [0] * 32, 8).transactions] == [(0, 0), (0, 1)]
    assert len(load(FERMI, [0] * 32, 2).transactions) == 1


def test_bytes_used_are_distinct_and_bytes_requested_are_not() -> None:
    access = load(HOPPER, [0] * 16 + [4] * 16)
    assert (access.bytes_requested, access.bytes_used, access.bytes_moved, access.sectors) == (128, 8, 32, 1)
    assert access.ideal_transactions == 4


@pytest.mark.parametrize("device", [G80, GT200, FERMI, KEPLER, HOPPER], ids=lambda device: device.key)
@pytest.mark.parametrize(("width", "mask"), [(4, ALL), (8, HALF), (1, 0b111), (16, 1)])
def test_local_memory_asks_for_what_its_lanes_move(device: Device, width: int, mask: int) -> None:
    """Every lane has bytes of its own, so that those asked for are those used."""
    access = local_access("load", [64] * 32, mask, width, device)
    assert access.bytes_requested == access.bytes_used == mask.bit_count() * width
    assert access.bytes_moved == 32 * access.sectors == sum(t.size for t in access.transactions)
    assert access.collisions == 0


def test_loads_and_stores_do_not_collide() -> None:
    for kind in ("load", "store"):
        access = global_access(kind, [0] * 32, ALL, 4, HOPPER)
        assert access.collisions == 0
        assert not memory_counts(access).get(Raw.COLLISIONS)
    assert global_access("atomic", [0] * 32, ALL, 4, HOPPER).collisions == 31
