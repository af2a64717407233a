"""Shared-memory banks, constant memory and atomics agree with worked examples, by capability."""

from math import gcd

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warpview.devices import Device, load_device
from warpview.sim.raw_counts import Raw, memory_counts
from warpview.sim.rules import SharedAccess, atomic_access, const_access, shared_access
from warpview.sim.rules.banks import with_serial_atomics

ALL = 0xFFFFFFFF
G80, GT200, FERMI, KEPLER, HOPPER = (load_device(key) for key in ("8800gtx", "fx5800", "c2050", "k40", "h200"))
KEPLER8 = KEPLER.with_bank_width(8)


def read(device: Device, words: list[int], size: int = 4, mask: int = ALL, kind: str = "load") -> SharedAccess:
    """An access at elements ``words`` of ``size`` bytes."""
    return shared_access(kind, [word * size for word in words], mask, size, device)


def passes(device: Device, words: list[int], size: int = 4, mask: int = ALL) -> int:
    return len(read(device, words, size, mask).wavefronts)


def strided(stride: int) -> list[int]:
    return [stride * lane for lane in range(32)]


# stride: 1.x by half-warp, 2.x and 5.0 and later, 3.x in 4-byte mode, 3.x in 8-byte mode
STRIDES = {
    0: (1, 1, 1, 1), 1: (1, 1, 1, 1), 2: (2, 2, 1, 1), 3: (1, 1, 1, 2), 4: (4, 4, 2, 2), 5: (1, 1, 1, 2),
    6: (2, 2, 2, 1), 8: (8, 8, 4, 4), 12: (4, 4, 4, 2), 16: (16, 16, 8, 8), 17: (1, 1, 1, 2), 24: (8, 8, 8, 4),
    32: (16, 32, 16, 16), 33: (1, 1, 1, 1), 34: (2, 2, 2, 1), 64: (16, 32, 32, 32),
}  # fmt: skip


@pytest.mark.parametrize("stride", STRIDES)
def test_strided_words(stride: int) -> None:
    old, plain, four, eight = STRIDES[stride]
    assert passes(G80, strided(stride), mask=0xFFFF) == old
    assert passes(G80, strided(stride)) == 2 * old
    assert passes(FERMI, strided(stride)) == passes(HOPPER, strided(stride)) == plain
    assert passes(KEPLER, strided(stride)) == four
    assert passes(KEPLER8, strided(stride)) == eight
    if stride:
        assert plain == gcd(stride, 32)
        assert old == gcd(stride, 16)


LANES = list(range(32))


@pytest.mark.parametrize(
    ("words", "size", "old", "fermi", "modern"),
    [
        ([(5 * lane + 3) % 32 for lane in LANES], 4, 1, 1, 1),  # a permutation of the banks
        ([lane // 2 for lane in LANES], 4, 2, 1, 1),  # pairs: one broadcast word a pass
        ([0 if lane % 2 else 8 + lane % 16 // 2 for lane in LANES], 4, 1, 1, 1),
        ([lane % 2 * 32 for lane in LANES], 4, 2, 2, 2),  # two words of one bank
        ([lane % 4 * 16 for lane in LANES], 4, 4, 2, 2),
        (LANES, 1, 4, 1, 1),  # char a[t]
        ([4 * lane for lane in LANES], 1, 1, 1, 1),  # char a[4 t]
        (LANES, 2, 2, 1, 1),  # short a[t]
        ([32 * lane for lane in LANES], 4, 16, 32, 32),  # a column of tile[32][32]
        ([33 * lane for lane in LANES], 4, 1, 1, 1),  # and of tile[32][33]
        ([16 * lane for lane in LANES], 4, 16, 16, 16),  # a column of tile[16][16]
        ([17 * lane for lane in LANES], 4, 1, 1, 1),  # and of tile[16][17]
        ([2 * lane + 1 for lane in LANES], 4, 2, 2, 2),  # the second load of a pair
        ([lane + 128 for lane in LANES], 4, 1, 1, 1),
    ],
)
def test_patterns(words: list[int], size: int, old: int, fermi: int, modern: int) -> None:
    """Degrees of the guides' and the lectures' patterns; on 1.x of each half-warp."""
    assert passes(G80, words, size, 0xFFFF) == old
    assert passes(FERMI, words, size) == fermi
    assert passes(HOPPER, words, size) == modern


@pytest.mark.parametrize(("stride", "expected"), [(1, 2), (2, 4), (3, 2), (4, 8), (8, 16), (16, 32)])
def test_doubles_by_half_warps(stride: int, expected: int) -> None:
    access = read(HOPPER, strided(stride), 8)
    assert len(access.wavefronts) == expected
    assert access.ideal == 2
    assert access.conflicts == expected - 2


@pytest.mark.parametrize(("stride", "expected"), [(1, 4), (2, 8), (3, 4), (4, 16), (8, 32)])
def test_float4_by_quarter_warps(stride: int, expected: int) -> None:
    access = read(HOPPER, strided(stride), 16)
    assert len(access.wavefronts) == expected
    assert access.ideal == 4
    assert access.conflicts == expected - 4


def test_doubles_on_older_devices() -> None:
    old = read(G80, strided(1), 8, 0xFFFF)
    assert (len(old.wavefronts), old.ideal) == (4, 2), "two requests, each a two-way conflict"
    assert read(FERMI, strided(1), 8).conflicts == 0
    for kepler in (KEPLER, KEPLER8):
        assert len(read(kepler, strided(1), 8).wavefronts) == 1


def test_float4_on_fermi_is_two_way() -> None:
    access = read(FERMI, strided(1), 16)
    assert access.degree == 2
    assert access.ideal == 4


def test_struct_of_three_and_of_two_floats() -> None:
    assert all(passes(device, strided(3)) == read(device, strided(3)).ideal for device in (G80, FERMI, HOPPER))
    assert passes(G80, strided(2), mask=0xFFFF) == 2


# Harris's interleaved reduction of 128 elements: s, threads of the first warp, degree with 16 and with 32 banks
@pytest.mark.parametrize(
    ("s", "active", "old", "modern"),
    [(1, 32, 2, 2), (2, 32, 4, 4), (4, 16, 8, 4), (8, 8, 8, 4), (16, 4, 4, 4), (32, 2, 2, 2), (64, 1, 1, 1)],
)
def test_interleaved_reduction(s: int, active: int, old: int, modern: int) -> None:
    words = [2 * s * lane % 4096 for lane in LANES]
    mask = (1 << active) - 1
    for shift in (0, s):
        shifted = [word + shift for word in words]
        assert passes(G80, shifted, mask=mask & 0xFFFF) == old
        assert passes(HOPPER, shifted, mask=mask) == modern


def test_stores_to_one_word_do_not_conflict() -> None:
    for device in (G80, FERMI, KEPLER, HOPPER):
        access = read(device, [7] * 32, kind="store")
        assert access.conflicts == 0


def test_nobody_takes_part() -> None:
    for device in (G80, FERMI, KEPLER, HOPPER):
        access = read(device, strided(1), mask=0)
        assert access.wavefronts == ()
        assert access.conflicts == 0
        assert memory_counts(access) == {}


def test_broadcast_is_seen() -> None:
    assert read(HOPPER, [3] * 32).wavefronts[0].broadcast
    assert not read(HOPPER, strided(1)).wavefronts[0].broadcast
    assert not read(HOPPER, strided(1), 16).wavefronts[0].broadcast


def test_counts_of_a_conflict() -> None:
    assert memory_counts(read(HOPPER, strided(2))) == {
        Raw.REQUESTS: 1,
        Raw.BYTES_REQUESTED: 128,
        Raw.WAVEFRONTS: 2,
        Raw.IDEAL_WAVEFRONTS: 1,
        Raw.SERIALIZED: 1,
    }


@settings(max_examples=150, deadline=None)
@given(
    words=st.lists(st.integers(0, 200), min_size=32, max_size=32),
    mask=st.integers(0, ALL),
    size=st.sampled_from([1, 2, 4, 8, 16]),
    kind=st.sampled_from(["load", "store", "reduction"]),
    device=st.sampled_from([G80, GT200, FERMI, KEPLER, KEPLER8, HOPPER]),
)
def test_passes_serve_everyone_and_no_bank_twice(
    words: list[int], mask: int, size: int, kind: str, device: Device
) -> None:
    access = read(device, words, size, mask, kind)
    served = 0
    for wavefront in access.wavefronts:
        served |= wavefront.lanes
        rows: dict[int, int] = {}
        for bank, word in wavefront.words:
            row = word * 4 // (device.shared_banks * device.shared_bank_bytes)
            assert rows.setdefault(bank, row) == row
    assert served == mask
    assert access.ideal <= len(access.wavefronts)


# ---- constant memory (Programming Guide 3.2, 5.3.2.4; NVIDIA CUDA tutorial 2007)


@pytest.mark.parametrize(
    ("words", "old", "modern"),
    [([0] * 32, 2, 1), (LANES, 32, 32), ([lane % 2 for lane in LANES], 4, 2), ([lane // 16 for lane in LANES], 2, 2)],
)
def test_constant_passes_are_distinct_addresses(words: list[int], old: int, modern: int) -> None:
    offsets = [4 * word for word in words]
    assert len(const_access(offsets, ALL, 4, G80).wavefronts) == old
    assert const_access(offsets, ALL, 4, G80).ideal == 2
    access = const_access(offsets, ALL, 4, HOPPER)
    assert len(access.wavefronts) == modern
    assert access.ideal == 1


def test_sixteen_different_constants_cost_64_cycles_on_g80() -> None:
    access = const_access([4 * lane for lane in LANES], 0xFFFF, 4, G80)
    assert len(access.wavefronts) * G80.constant_pass_cycles == 64


# ---- atomics


@pytest.mark.parametrize(
    ("words", "sectors", "collisions"),
    [
        ([0] * 32, 32, 31),
        (LANES, 4, 0),
        ([lane // 2 for lane in LANES], 4, 1),
        ([lane // 2 % 512 for lane in LANES], 4, 1),
        ([2 * lane for lane in LANES], 8, 0),
        ([32 * lane for lane in LANES], 32, 0),
        ([lane % 4 for lane in LANES], 8, 7),
    ],
)
def test_global_atomics(words: list[int], sectors: int, collisions: int) -> None:
    """Each sector as often as its most used address has lanes."""
    access = atomic_access("reduction", [4 * word for word in words], ALL, 4, HOPPER)
    assert access.sectors == sectors
    assert access.collisions == collisions
    assert memory_counts(access).get(Raw.COLLISIONS, 0) == collisions


def test_global_atomics_by_half_warps_on_gt200() -> None:
    access = atomic_access("atomic", [0] * 32, ALL, 4, GT200)
    assert [t.group for t in access.transactions] == [0] * 16 + [1] * 16


def test_shared_atomics() -> None:
    assert len(read(HOPPER, [0] * 32, kind="reduction").wavefronts) == 1, "lanes on one word merge"
    assert len(read(HOPPER, strided(2), kind="reduction").wavefronts) == 2
    assert len(read(KEPLER, [0] * 32, kind="reduction").wavefronts) == 32, "a lock lets in one lane at a time"
    assert len(read(KEPLER, strided(1), kind="reduction").wavefronts) == 1
    assert len(read(GT200, [0] * 32, kind="atomic").wavefronts) == 32
    assert read(HOPPER, [0] * 32, kind="reduction").collisions == 31


def test_of_an_atomic_of_machine_code_each_bank_serves_a_lane_at_a_time() -> None:
    device = with_serial_atomics(HOPPER)
    assert len(read(device, [0] * 32, kind="atomic").wavefronts) == 32
    assert len(read(device, [0] * 8 + [32 * lane + 1 for lane in range(5)] + [9] * 19, kind="atomic").wavefronts) == 19
    assert len(read(device, [0, 0, 0, 32, *range(1, 29)], kind="atomic").wavefronts) == 4, "three lanes and another"
    assert len(read(device, [0] * 32, 8, kind="atomic").wavefronts) == 32, "sixteen of each half"
    assert with_serial_atomics(KEPLER) is KEPLER, "which has a lock"
