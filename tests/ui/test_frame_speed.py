"""A key shows all views within two display frames on a long trace: a guard against what makes it much slower.

The figures themselves are told by ``measure_frames.py``.
"""

from __future__ import annotations

import gc
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSettings
from ui.measure_frames import Paintings, full_collections, long_run, measure, wait, ways_to_move
from ui.pauses import USUAL_MS, workload_ms

from warpview.ui.drawing.theme import Look

KEYS = 20  # of each kind
COLLECTED = 1000  # keys of each kind in which collections are counted
SHORT_MS = 12  # between two of these: the views are painted, and the next frames are prepared
LIMIT_MS = 2 * 16.0  # where a workload takes USUAL_MS; a machine that is slower, or busy, is given more in proportion


@pytest.mark.exhaustive
def test_all_views_are_painted_within_two_display_frames(
    alone: None, look: Look, settings: QSettings, tmp_path: Path
) -> None:
    with long_run(look, settings, tmp_path) as window:
        paintings, taken = Paintings(window), {}
        for name, keys in ways_to_move(window, KEYS).items():
            before = workload_ms()
            times = measure(paintings, keys)
            assert len(times.all) > KEYS // 2
            slower = max(1.0, before / USUAL_MS, workload_ms() / USUAL_MS)
            taken[name] = float(np.percentile(times.all, 90)) / slower
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    print("\n".join(f"{took:6.1f} ms  {name}" for name, took in taken.items()))
    assert {name: f"{took:.0f} ms" for name, took in taken.items() if took > LIMIT_MS} == {}


@pytest.mark.exhaustive
def test_no_full_collection_comes_in_two_thousand_steps(
    alone: None, look: Look, settings: QSettings, tmp_path: Path
) -> None:
    """A full collection takes longer than a frame. It comes once what survived the partial ones is a quarter of all
    objects: that takes more steps than these, if few objects are made in each and fewer kept."""
    with long_run(look, settings, tmp_path) as window:
        gc.collect()  # what the opening made does not count
        kinds = ways_to_move(window, COLLECTED)
        with full_collections() as found:
            for name in ("step, this warp", "step, any warp"):
                for key in kinds[name]:
                    key()
                    wait(SHORT_MS)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert found == []
