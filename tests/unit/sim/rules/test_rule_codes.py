"""Numbers stand for a device's rules in the compiled engines, by generation, and for the slice hash."""

from __future__ import annotations

import pytest

from warpview.devices import load_device
from warpview.sim.rules import RuleCodes, rule_codes
from warpview.sim.rules.codes import LINES, SECTORS, SEGMENTS, SPLIT_SECTORS, STRICT
from warpview.sim.rules.partition_imbalance import LINES_OF_SLICE, line_of_slice, partition_of

# coalescing, cached lines, quads, atomic group, two masks, banks, width, row, group, one word, extra pass, merged
# pairs, native atomics, constant group, kHz. Sources: Programming Guide 3.2, G.3 and G.4; 5.5, G.5; measured for 9.0.
CODES = {
    "8800gtx": RuleCodes(STRICT, 0, 0, 16, 0, 0, 16, 4, 64, 16, 1, 0, 0, 0, 16, 1350000),
    "fx5800": RuleCodes(SEGMENTS, 0, 0, 16, 0, 0, 16, 4, 64, 16, 1, 0, 0, 0, 16, 1296000),
    "c2050": RuleCodes(LINES, 1, 0, 32, 0, 0, 32, 4, 128, 32, 0, 1, 0, 0, 32, 1150000),
    "gtx680": RuleCodes(SPLIT_SECTORS, 0, 0, 32, 0, 0, 32, 4, 256, 32, 0, 0, 0, 0, 32, 1058000),
    "k40": RuleCodes(SPLIT_SECTORS, 0, 1, 32, 0, 0, 32, 4, 256, 32, 0, 0, 0, 0, 32, 875000),
    "gtx980": RuleCodes(SECTORS, 0, 0, 32, 0, 0, 32, 4, 128, 32, 0, 0, 0, 1, 32, 1216000),
    "v100": RuleCodes(SECTORS, 0, 0, 32, 0, 0, 32, 4, 128, 32, 0, 0, 1, 1, 32, 1530000),
    "h200": RuleCodes(SECTORS, 0, 0, 32, 15694517, 12244442, 32, 4, 128, 32, 0, 0, 1, 1, 32, 1980000),
}


@pytest.mark.parametrize("key", CODES)
def test_the_codes_of_a_generation(key: str) -> None:
    assert rule_codes(load_device(key)) == CODES[key]
    assert rule_codes(load_device(key), cached=False) == CODES[key]._replace(cached_lines=0)


def test_the_bank_mode_of_kepler_is_in_its_codes() -> None:
    assert rule_codes(load_device("k40").with_bank_width(8)) == CODES["k40"]._replace(bank_width=8)


def test_partitions_are_striped_by_256_bytes() -> None:
    device = load_device("8800gtx")
    assert [partition_of(address, device) for address in (0, 255, 256, 1535, 1536)] == [0, 0, 1, 5, 0]
    assert partition_of(0, load_device("h200")) is None


def test_slices_take_turns_every_256_bytes_and_are_hashed_by_kilobytes() -> None:
    device = load_device("h200")

    def slice_of(address: int) -> int:
        return line_of_slice(address, device.atomic_units) // LINES_OF_SLICE

    assert [slice_of(address) for address in (0, 255, 256, 512, 768, 1024, 1280)] == [0, 0, 1, 0, 1, 2, 3]
    assert slice_of(1024 << 4) == 2 * (16 ^ 1)
    assert slice_of(1024 << 10) == 2 * (1024 ^ 64 ^ 32 ^ 1) % device.atomic_units
    assert {slice_of(512 * k) for k in range(4096)} == set(range(device.atomic_units))


def test_lines_of_a_slice_that_lie_together_are_told_apart() -> None:
    lines = [line_of_slice(address, 96) for address in (0, 128, 512, 640)]
    assert len(set(lines)) == 4
    assert {line // LINES_OF_SLICE for line in lines} == {0}
