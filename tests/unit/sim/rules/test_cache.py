"""The cache models have sets, ways, sectors and replacement, and their levels stand behind one another."""

import pytest

from warpview.devices import load_device
from warpview.devices.schema import Cache
from warpview.sim.rules import global_access, local_access
from warpview.sim.rules.cache import CacheModel, MemoryHierarchy

ALL = 0xFFFFFFFF


def small() -> CacheModel:
    """4 sets of 2 ways, lines of 128 bytes in sectors of 32."""
    return CacheModel(Cache(bytes=1024, line=128, sector=32, ways=2))


def test_a_second_read_hits() -> None:
    cache = small()
    assert [cache.read(0), cache.read(0), cache.read(31)] == [False, True, True]
    assert cache.counts.hit_rate == pytest.approx(2 / 3)


def test_sectors_of_a_line_are_filled_one_by_one() -> None:
    cache = small()
    assert [cache.read(a) for a in (0, 32, 64, 32)] == [False, False, False, True]
    assert cache.counts.evictions == 0


def test_the_least_recently_used_line_of_the_set_goes() -> None:
    cache = small()
    for line in (0, 4, 0, 8):  # all in set 0
        cache.read(line * 128)
    assert cache.counts.evictions == 1
    assert cache.read(0)
    assert not cache.read(4 * 128)


def test_other_sets_are_not_touched() -> None:
    cache = small()
    for line in (1, 0, 4, 8, 12):
        cache.read(line * 128)
    assert cache.read(1 * 128)


def test_the_set_of_a_line_is_hashed_from_all_of_its_number() -> None:
    """Bits 9 and up, and 18 and up, are folded onto the lowest and those beside them: lines 3, 512 and 512 * 512 meet
    in set 3 of four, and 513 is in set 2."""
    cache = CacheModel(Cache(bytes=512, line=128, sector=32, ways=1, hashed=True))
    met = []
    for line in (512, 1 << 18, 513, 2):
        cache.read(3 * 128)
        cache.read(line * 128)
        met.append(not cache.has_sectors(3 * 128))
    assert met == [True, True, False, False]


def lines_left(geometry: Cache, lines: list[int]) -> list[int]:
    """Return which lines of a cache are there after one access each."""
    cache = CacheModel(geometry)
    for line in lines:
        cache.read(line * 128)
    return [line for line in range(max(lines) + 1) if cache.has_sectors(line * 128)]


@pytest.mark.parametrize(
    ("kept", "lines", "left"),
    [
        (0, [0, 1, 0, 2, 3, 4, 5, 6], [3, 4, 5, 6]),
        (2, [0, 1, 0, 2, 3, 4, 5, 6], [0, 4, 5, 6]),
        (2, [0, 0, 1, 2, 3, 4], [1, 2, 3, 4]),  # the same access
        (2, [0, 1, 0, 1, 2, 3, 4, 5, 6], [0, 1, 5, 6]),
        (2, [0, 1, 2, 0, 1, 2, 3, 4, 5, 6], [1, 2, 5, 6]),  # the third one takes the place of the first
        (1, [0, 1, 0, 1, 2, 3, 4, 5, 6], [1, 4, 5, 6]),
    ],
)
def test_lines_that_are_used_again_are_the_last_to_go(kept: int, lines: list[int], left: list[int]) -> None:
    assert lines_left(Cache(bytes=512, line=128, sector=32, ways=4, kept=kept), lines) == left


def test_a_store_is_another_use_of_a_line() -> None:
    cache = CacheModel(Cache(bytes=512, line=128, sector=32, ways=4, kept=2))
    cache.read(0)
    assert cache.enter(0)
    for line in (1, 2, 3, 4):
        cache.read(line * 128)
    assert cache.has_sectors(0)
    assert not cache.has_sectors(128)


def test_sets_make_room_in_turn_where_there_are_more_tags_than_lines() -> None:
    """Four sets of two ways, and room for four lines."""
    geometry = Cache(bytes=512, line=128, sector=32, ways=2, tagged=1024)
    assert (geometry.sets, geometry.lines) == (4, 4)
    assert lines_left(geometry, [0, 1, 2, 3, 4]) == [1, 2, 3, 4]
    assert lines_left(geometry, [0, 1, 2, 3, 4, 5]) == [2, 3, 4, 5]
    assert lines_left(geometry, [0, 1, 2, 4, 8]) == [1, 2, 4, 8], "its own set is full"
    cache = CacheModel(geometry)
    for line in (0, 1, 2, 3):
        cache.read(line * 128)
    cache.invalidate(3 * 128)
    cache.read(4 * 128)
    assert cache.has_sectors(0)
    cache.read(5 * 128)
    assert not cache.has_sectors(0), "all four are taken again"
    cache.invalidate_all()
    for line in (0, 1, 2, 3):
        cache.read(line * 128)
    assert all(cache.has_sectors(line * 128) for line in range(4))


def test_writes_stay_or_go_through() -> None:
    cache = small()
    cache.write(0, allocate=False)
    assert not cache.read(0), "not allocated"
    cache.write(32, allocate=True)
    assert cache.read(32)
    for line in (4, 8):
        cache.read(line * 128)
    assert cache.counts.written_back == 1


def test_a_sector_that_was_written_is_dirty_until_its_line_goes() -> None:
    """Neither is a sector that was read, nor one of a line that is elsewhere."""
    cache = small()
    cache.read(0)
    cache.write(32, allocate=True)
    assert [cache.is_dirty(address) for address in (0, 32, 63, 64, 512)] == [False, True, True, False, False]
    cache.read(4 * 128)
    cache.read(8 * 128)  # the second one takes the place of line 0
    assert not cache.is_dirty(32)


def test_a_line_has_one_place_whatever_brought_it() -> None:
    cache = small()
    assert not cache.enter(128)
    cache.read(128)
    assert cache.enter(128 + 32)
    cache.read(5 * 128)
    assert cache.counts.evictions == 0, "two lines in a set of two"


def test_invalidation() -> None:
    cache = small()
    cache.read(0)
    cache.invalidate(96)
    assert not cache.read(0)


def test_no_probe_has_no_rate() -> None:
    assert small().counts.hit_rate is None


def sequence(start: int = 0) -> list[int]:
    return [start + 4 * lane for lane in range(32)]


def run(key: str, cached: bool = True, times: int = 2, **how: bool) -> MemoryHierarchy:
    """The same aligned load of a warp, several times."""
    device = load_device(key)
    caches = MemoryHierarchy(device, cached)
    for _ in range(times):
        caches.access(global_access("load", sequence(), ALL, 4, device, cached, **how), **how)
    return caches


def test_no_caches_on_gt200() -> None:
    caches = run("fx5800")
    assert caches.l1 is caches.l2 is None
    assert caches.dram_sectors_read == 8


def test_fermi_caches_whole_lines_in_l1() -> None:
    caches = run("c2050")
    assert caches.l1 is not None
    assert caches.l2 is not None
    assert (caches.l1.counts.hits, caches.l1.counts.misses) == (1, 1)
    assert caches.l2.counts.misses == caches.dram_sectors_read == 4


def test_fermi_around_l1() -> None:
    caches = run("c2050", cached=False)
    assert caches.l1 is not None
    assert caches.l2 is not None
    assert caches.l1.counts.hits + caches.l1.counts.misses == 0
    assert (caches.l2.counts.hits, caches.l2.counts.misses) == (4, 4)


def test_kepler_reads_around_l1_and_through_the_read_only_cache() -> None:
    plain, marked = run("k40"), run("k40", read_only=True)
    assert plain.l1 is not None
    assert plain.l1.counts.hits == 0
    assert plain.l2 is not None
    assert plain.l2.counts.hits == 4
    assert marked.read_only is not None
    assert marked.read_only is not marked.l1
    # Eight queries of four lanes each, of which two share a sector.
    assert (marked.read_only.counts.hits, marked.read_only.counts.misses) == (12, 4)


def test_hopper_caches_sectors() -> None:
    caches = run("h200", times=3)
    assert caches.l1 is not None
    assert (caches.l1.counts.hits, caches.l1.counts.misses) == (8, 4)


@pytest.mark.parametrize(("key", "hits"), [("c2050", 0), ("h200", 4)])
def test_a_store_throws_the_line_out_or_updates_it(key: str, hits: int) -> None:
    device = load_device(key)
    caches = run(key, times=1)
    caches.access(global_access("store", sequence(), ALL, 4, device))
    assert caches.l1 is not None
    before = caches.l1.counts.hits
    caches.access(global_access("load", sequence(), ALL, 4, device))
    assert caches.l1.counts.hits - before == hits


def test_a_store_brings_nothing_into_the_l1_of_hopper() -> None:
    device, caches = load_device("h200"), run("h200", times=0)
    caches.access(global_access("store", sequence(), ALL, 4, device))
    caches.access(global_access("load", sequence(), ALL, 4, device))
    assert caches.l1 is not None
    assert caches.l1.counts.hits == 0


def test_an_atomic_throws_the_line_out() -> None:
    device = load_device("h200")
    caches = run("h200", times=1)
    caches.access(global_access("reduction", sequence(), ALL, 4, device))
    caches.access(global_access("load", sequence(), ALL, 4, device))
    assert caches.l1 is not None
    assert caches.l1.counts.hits == 0


def test_local_stores_stay_in_the_l1_of_fermi() -> None:
    device = load_device("c2050")
    caches = MemoryHierarchy(device)
    caches.access(local_access("store", [0] * 32, ALL, 4, device), local=True)
    caches.access(local_access("load", [0] * 32, ALL, 4, device), local=True)
    assert caches.l1 is not None
    assert caches.l2 is not None
    assert caches.l1.counts.hits == 1
    assert caches.l2.counts.misses == 0
    assert caches.dram_sectors_written == 0


def test_what_does_not_fit_goes_to_dram_every_time() -> None:
    device = load_device("h200")
    assert device.l1 is not None
    caches = MemoryHierarchy(device)
    lines = 2 * device.l1.bytes // 128
    for load in 2 * [global_access("load", sequence(128 * line), ALL, 4, device) for line in range(lines)]:
        caches.access(load)
    assert caches.l1 is not None
    assert caches.l1.counts.hits == 0
    assert caches.l1.counts.evictions == 2 * lines - device.l1.bytes // 128
    assert caches.dram_sectors_read == 4 * lines, "the L2 holds them"
