"""Launches that copy ahead into shared memory take as long as on an H200, by every interface of asynchronous copies.

Half of those of one block to a multiprocessor run here, the whole table by
``python tests/truth/times/compare.py --part staged``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from support.compilers import COMPILERS

sys.path.insert(0, str(Path(__file__).parent / "times"))

from compare import PARTS, measured, simulate

TABLE = measured(PARTS["staged"].table)
LAUNCHES = PARTS["staged"].launches()
# As written a barrier's copies are those of a pipeline, and bulk copies are loops: see times.md.
OTHER_AS_WRITTEN = ("stream_barriers", "stream_bulk")


def test_the_table_has_every_launch() -> None:
    assert list(TABLE) == [launch.key for launch in LAUNCHES]


@pytest.mark.parametrize("compiler", COMPILERS)
def test_streams_take_as_long(compiler: str) -> None:
    streams = [launch for launch in LAUNCHES if launch.grid == (132,)]
    if compiler == "warpview":
        streams = [launch for launch in streams if not launch.kernel.startswith(OTHER_AS_WRITTEN)]
    streams = streams[1::2]
    ratios = [simulate(launch, compiler).time_us / float(TABLE[launch.key]["kernel_us"]) for launch in streams]
    errors = np.abs(np.array(ratios) - 1)
    assert len(errors) >= 3
    assert float(np.median(errors)) < 0.12
    assert float(errors.max()) < 0.25
