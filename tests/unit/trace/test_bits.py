import numpy as np

from warpview.trace.bits import popcount


def test_popcount():
    masks = np.array([0, 1, 0xFFFFFFFF, 0x80000001], dtype=np.uint32)
    assert popcount(masks).tolist() == [0, 1, 32, 2]
