"""A bulk copy goes in parts of lines of shared memory, each of which takes the sectors that it touches."""

import pytest

from warpview.sim.rules.bulk import sectors_of_copy


@pytest.mark.parametrize(
    ("shared", "other", "size", "sectors"),
    [
        (0, 0, 16, 1),
        (0, 16, 16, 1),  # the second half of a sector
        (0, 16, 32, 2),  # of two sectors a half
        (0, 0, 128, 4),
        (0, 0, 256, 8),  # two parts of four
        (0, 16, 128, 5),
        (0, 16, 256, 10),  # each of two parts touches five
        (112, 0, 32, 2),  # 16 bytes to the end of a line and 16 behind it: the sector is taken twice
        (112, 0, 160, 7),  # 16 bytes of a sector, 128 that touch five, and 16 bytes of the last one
        (128, 32, 64, 2),
        (0, 0, 0, 0),
    ],
)
def test_sectors_of_parts(shared: int, other: int, size: int, sectors: int) -> None:
    assert sectors_of_copy(shared, other, size) == sectors
