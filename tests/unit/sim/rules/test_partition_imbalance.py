"""Partition camping is found where strides bring all accesses to one memory partition."""

import numpy as np
import pytest
from numpy.typing import NDArray

from warpview.devices import load_device
from warpview.sim.rules.partition_imbalance import (
    LINES_OF_SLICE,
    line_of_slice,
    partition_imbalance,
    partition_of,
    same_line,
    sampled_waves,
)


def loads(key: str, stride: int) -> NDArray[np.int64]:
    """int64[1, partitions]: accesses of 96 lanes at a stride of so many bytes."""
    device = load_device(key)
    result = np.zeros((1, device.memory_partitions), dtype=np.int64)
    for lane in range(96):
        result[0, partition_of(stride * lane, device)] += 1
    return result


@pytest.mark.parametrize(
    ("key", "stride", "expected"),
    [
        ("8800gtx", 1536, 6.0),
        ("8800gtx", 2048, 2.0),
        ("fx5800", 2048, 8.0),
        ("fx5800", 2304, 1.0),
        ("fx5800", 256, 1.0),
    ],
)
def test_a_column_of_a_matrix(key: str, stride: int, expected: float) -> None:
    """Strides that are a multiple of the partitions' 256-byte stripes camp: 1536 bytes on G80, 2048 on GT200."""
    assert partition_imbalance([loads(key, stride)], [1.0]).mean == pytest.approx(expected)


def test_few_multiprocessors_have_a_partition_for_themselves() -> None:
    assert partition_imbalance([loads("fx5800", 2048)], [0.5]).mean == pytest.approx(4.0)
    assert partition_imbalance([loads("fx5800", 2048)], [1 / 30]).mean == pytest.approx(1.0)


def test_waves_count_by_their_accesses() -> None:
    even, uneven = loads("fx5800", 256), 3 * loads("fx5800", 2048)
    assert partition_imbalance([even, uneven], [1.0, 1.0]).mean == pytest.approx((1.0 + 3 * 8.0) / 4)


def test_instructions_that_crowd_elsewhere_get_in_nobodys_way() -> None:
    """Three loads in a row, each of two thirds of the partitions, are even together."""
    rows = np.array([[0, 0, 9, 9, 9, 9], [9, 9, 9, 9, 0, 0], [9, 9, 0, 0, 9, 9]], dtype=np.int64)
    assert partition_imbalance([rows], [1.0]).by_instruction.tolist() == [1.0, 1.0, 1.0]


def test_who_crowds_is_who_waits() -> None:
    rows = np.array([[8] * 8, [0, 0, 64, 0, 0, 0, 0, 0]], dtype=np.int64)
    assert partition_imbalance([rows], [1.0]).by_instruction.tolist() == [1.0, 8.0]


def test_instructions_share_what_they_wait_for_together() -> None:
    """Each alone would wait 12 accesses of 4 partitions, both together wait 8: 4 each, as long as its own 4 take."""
    rows = np.array([[4, 0, 0, 0], [0, 4, 0, 0]], dtype=np.int64)
    assert partition_imbalance([rows], [1.0]).by_instruction.tolist() == pytest.approx([2.0, 2.0])


def test_the_way_into_a_partition_shows_where_one_has_all() -> None:
    """Of stores and as many loads that spread evenly it holds up none, though it takes longer than the partition."""
    port = np.array([0.0, 1.5])
    spread = np.array([[8] * 8, [8] * 8], dtype=np.int64)
    assert partition_imbalance([spread], [1.0], port).by_instruction.tolist() == [1.0, 1.0]
    one = np.array([[0] * 8, [64, *[0] * 7]], dtype=np.int64)
    found = partition_imbalance([one], [1.0], port)
    assert found.by_instruction.tolist() == [1.0, 12.0]
    assert found.mean == 8.0


def test_without_traffic() -> None:
    none = partition_imbalance([np.zeros((2, 8), dtype=np.int64)], [1.0])
    assert none.by_instruction.tolist() == [1.0, 1.0]
    assert none.mean is None


def test_later_devices_hash() -> None:
    assert partition_of(4096, load_device("c2050")) is None


def test_waves_are_looked_at_from_first_to_last() -> None:
    assert sampled_waves(10, 16) == [range(10)]
    assert sampled_waves(100, 16) == [range(16), range(48, 64), range(96, 100)]


def test_a_kib_lies_in_two_slices_and_four_in_eight() -> None:
    """As additions at few words of an H200 show: every other 256 bytes go to the other slice of a pair."""
    slices = [line_of_slice(address, 80) // LINES_OF_SLICE for address in range(0, 4096, 256)]
    assert slices == [0, 1, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7, 6, 7]


@pytest.mark.parametrize(
    ("address", "slice_"),
    [
        (16 << 10, 34),  # pair 16 ^ 16 >> 4, which is 17
        (32 << 10, 70),  # 32 ^ 2 ^ 1
        (128 << 10, 41),  # 128 ^ 8 ^ 4 is 140, and bit 7 of the KiB turns the halves round: 281, of 80 slices
        (1 << 20, 2),  # 1024 ^ 64 ^ 32 ^ 1 is 1121: 2242
    ],
)
def test_the_slice_of_an_address_is_hashed_from_its_kib(address: int, slice_: int) -> None:
    assert line_of_slice(address, 80) // LINES_OF_SLICE == slice_


def test_lines_of_a_slice_are_told_apart_by_a_hash_of_their_number() -> None:
    """The product of the number and 40,503, without its lowest twelve bits, modulo 16."""
    assert [line_of_slice(128 * line, 80) % LINES_OF_SLICE for line in (0, 1, 2, 4, 5)] == [0, 9, 3, 7, 1]
    assert line_of_slice(127, 80) == line_of_slice(0, 80)


def atomics(*lines: dict[int, int]) -> NDArray[np.int64]:
    """int64[instructions, 2, LINES_OF_SLICE]: atomics of each instruction by line, all in the first of two slices."""
    result = np.zeros((len(lines), 2, LINES_OF_SLICE), dtype=np.int64)
    for instruction, counts in enumerate(lines):
        for line, count in counts.items():
            result[instruction, 0, line] = count
    return result


def test_atomics_come_behind_one_at_their_line_as_often_as_it_has_its_share() -> None:
    """Always where all go to one line, never where they spread evenly; of two lines (1/2 - 1/16) / (1 - 1/16)."""
    even = dict.fromkeys(range(LINES_OF_SLICE), 2)
    assert same_line([atomics({3: 9})]).tolist() == [1.0]
    assert same_line([atomics(even)]).tolist() == [0.0]
    assert same_line([atomics({0: 4, 5: 4})]).tolist() == pytest.approx([7 / 15])
    assert same_line([atomics({3: 9}, {})]).tolist() == [1.0, 0.0]
    assert same_line([atomics({0: 4}, {5: 4})]).tolist() == pytest.approx([7 / 15, 7 / 15])


def test_waves_of_atomics_count_by_how_many_they_are() -> None:
    even = dict.fromkeys(range(LINES_OF_SLICE), 2)
    assert same_line([atomics({3: 8}), atomics(even)]).tolist() == pytest.approx([8 / 40])
