"""Partition camping: strides that bring all accesses to one memory partition."""

import pytest

from warpview.devices import load_device
from warpview.sim.rules import global_access
from warpview.sim.rules.partitions import camping, partition_bytes, partition_of

ALL = 0xFFFFFFFF


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
    device = load_device(key)
    access = global_access("load", [stride * lane for lane in range(32)], ALL, 4, device)
    assert camping(access.transactions, device) == pytest.approx(expected, rel=0.2)


def test_later_devices_hash() -> None:
    device = load_device("c2050")
    access = global_access("load", [2048 * lane for lane in range(32)], ALL, 4, device)
    assert partition_of(4096, device) is None
    assert partition_bytes(access.transactions, device) == ()
    assert camping(access.transactions, device) is None


def test_without_traffic() -> None:
    assert camping((), load_device("fx5800")) is None
