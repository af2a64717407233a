"""Many kernels at their full launches, one after another, in the real window: what it says that it holds it does hold,
that is within the budget, and it does not grow."""

from __future__ import annotations

import ctypes
import gc
import os
import threading
import tracemalloc
import weakref
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSettings
from pytestqt.qtbot import QtBot
from ui.backend import DEVICE, NEIGHBOUR, OPENING, engine, setup_of

from warpview.ui.drawing.theme import Look
from warpview.ui.main_window import MainWindow
from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.session import session
from warpview.ui.session.backend import Setup
from warpview.ui.session.drafts import Drafts
from warpview.ui.session.engine import Engine
from warpview.ui.session.memory_usage import MOST_BYTES
from warpview.ui.session.navigation_history import Visit
from warpview.ui.views.counters.counter_series import CounterSampler

LAUNCHES = (
    ("reduction/sequential", "h200"), ("transpose/tile_16", "h200"), ("vector/add", "8800gtx"),
    ("patterns/copy_2", "8800gtx"),
)  # fmt: skip
NUMPY = 389047  # the domain under which numpy reports its arrays to tracemalloc
MEGA = 1 << 20


@pytest.fixture
def window(alone: None, qtbot: QtBot, look: Look, settings: QSettings, tmp_path: Path) -> Iterator[MainWindow]:
    """The window with the real engine, its arrays coloured by who touched them."""
    settings.setValue("motion", "false")
    made = MainWindow(Engine(), Drafts(tmp_path / "drafts"), look, settings)
    made.resize(1280, 720)
    made.show()
    made.selection.update(colours="lane")
    made.start()
    settle(made, qtbot)
    yield made
    made.close()
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def settle(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window.runner.busy and window.session.run is not None, timeout=60_000)
    window.player.last()
    window.presenter.present()
    qtbot.waitUntil(lambda: not window.accesses.busy, timeout=60_000)
    # Each sample is a frame that the trace keeps.
    qtbot.waitUntil(lambda: not any(sampler.active for sampler in window.findChildren(CounterSampler)), timeout=60_000)


def open_full(window: MainWindow, qtbot: QtBot, kernel: str, device: str) -> None:
    variant = window.session.catalogue.find(kernel)
    assert variant is not None
    setup = Setup(variant.key, variant.text, variant.file_name, variant.entry, device)
    full = next(preset for preset in variant.presets if preset.key == "full")
    window.session.open_setup(setup.with_preset(full))
    settle(window, qtbot)
    run = window.session.run
    assert run is not None
    assert (run.device.key, run.program.source.text) == (device, variant.text)


def arrays() -> int:
    """Return the bytes of all numpy arrays of the process that were made since tracemalloc was started."""
    gc.collect()
    return sum(trace.size for trace in tracemalloc.take_snapshot().traces if trace.domain == NUMPY)


def agrees(said: int, true: int) -> bool:
    return abs(true - said) < 0.1 * said + 16 * MEGA


def resident() -> int:
    """Return the bytes of the process in memory, 0 where the system does not say. What has been freed and is kept for
    further use does not count: that is 260 MiB here, and comes and goes with the order in which threads free it."""
    gc.collect()
    with suppress(AttributeError, TypeError):  # another library than glibc
        ctypes.CDLL(None).malloc_trim(0)
    return in_memory()


def in_memory() -> int:
    """Return the bytes of the process in memory with what the C library keeps, 0 where the system does not say."""
    said = Path("/proc/self/statm")
    return int(said.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if said.exists() else 0


def objects() -> Counter[type]:
    """Count the live objects of the program's own classes."""
    gc.collect()
    return Counter(type(o) for o in gc.get_objects() if type(o).__module__.startswith("warpview."))


def open_all(window: MainWindow, qtbot: QtBot) -> None:
    """Open every launch, and hold what the window says about each against what numpy holds."""
    for kernel, device in LAUNCHES:
        open_full(window, qtbot, kernel, device)
        assert window.run_display.memory_usage().total < MOST_BYTES
        qtbot.waitUntil(lambda: agrees(window.run_display.memory_usage().total, arrays()), timeout=20_000)


@pytest.fixture
def traced() -> Iterator[None]:
    tracemalloc.start()
    yield
    tracemalloc.stop()


@pytest.mark.exhaustive
def test_what_is_said_to_be_held_is_held_and_does_not_grow(
    window: MainWindow, qtbot: QtBot, traced: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second time fills what is remembered of earlier runs; the third adds nothing but its visits.

    What the process has in memory comes and goes by tens of megabytes; a leak grows every time.
    """
    monkeypatch.setattr(session, "SOON_MS", 60_000)  # a warning would lay out the views anew, or not, by the run's time
    for _ in range(2):
        open_all(window, qtbot)
    bytes_before, before, resident_before = arrays(), objects(), resident()
    open_all(window, qtbot)
    assert arrays() - bytes_before < MEGA // 16
    assert dict(objects() - before) == dict.fromkeys((Visit, Setup, Snapshot), len(LAUNCHES))
    grown = [resident() - resident_before]
    while grown[-1] >= 4 * MEGA and len(grown) < 4:
        resident_before = resident()
        open_all(window, qtbot)
        grown.append(resident() - resident_before)
    assert grown[-1] < 4 * MEGA, grown


def test_a_run_goes_when_the_next_one_comes(window: MainWindow, qtbot: QtBot) -> None:
    """Whatever was being shown, drawn or looked for in it: views that the next step hides, workers that have ended."""
    for kernel in ("reduction/strided_index", "transpose/naive_16", "vector/add", "reduction/interleaved"):
        assert window.session.run is not None
        before = weakref.ref(window.session.run.trace)
        window.session.choose(kernel)
        settle(window, qtbot)
        gc.collect()
        qtbot.waitUntil(lambda before=before: before() is None, timeout=20_000)


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="the C library is not that of Linux")
def test_a_run_gives_what_it_has_freed_back_to_the_system() -> None:
    """The C library keeps freed memory, most of all of threads; nothing that is held explains it, and it grows."""

    def work() -> None:
        for kernel in (OPENING, NEIGHBOUR, "transpose/tile_32", "vector/add"):
            Engine.trace(engine(), setup_of(kernel, DEVICE), lambda *_: True)

    worker = threading.Thread(target=work)
    worker.start()
    worker.join()
    before = in_memory()
    assert before - resident() < 32 * MEGA
