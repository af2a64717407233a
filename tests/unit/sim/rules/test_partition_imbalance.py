"""Partition camping is found where strides bring all accesses to one memory partition."""

import numpy as np
import pytest
from numpy.typing import NDArray

from warpview.devices import load_device
from warpview.sim.rules.partition_imbalance import partition_imbalance, partition_of, sampled_waves


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
