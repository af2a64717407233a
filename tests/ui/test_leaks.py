"""The watch over every test of this folder sees each kind of leak, made on purpose and then cleared away."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QThread, QTimer, qWarning
from PySide6.QtWidgets import QWidget
from ui.leaks import Watch

SOON = 60  # ms


@pytest.fixture
def watch() -> Iterator[Watch]:
    made = Watch(passing_on=False)  # what is said on purpose is kept from the watch over this test
    yield made
    made.close()


def cleared(watch: Watch) -> list[str]:
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return watch.left(SOON)


def test_nothing_is_left_by_nothing(watch: Watch) -> None:
    assert watch.left(SOON) == []


def test_a_qthread(watch: Watch) -> None:
    thread = QThread()
    thread.setObjectName("forgotten")
    thread.start()
    assert watch.left(SOON) == ["QThread 'forgotten' runs"]
    thread.quit()
    thread.wait()
    assert cleared(watch) == []


def test_a_thread_of_python(watch: Watch) -> None:
    end = threading.Event()
    thread = threading.Thread(target=end.wait, name="forgotten")
    thread.start()
    assert watch.left(SOON) == ["thread forgotten runs"]
    end.set()
    thread.join()
    assert cleared(watch) == []


def test_a_timer_that_goes_on(watch: Watch) -> None:
    timer = QTimer()
    timer.start(10)
    (words,) = watch.left(SOON)
    assert "every 10 ms" in words
    timer.stop()
    assert cleared(watch) == []


def test_a_timer_that_ends_by_itself_is_no_leak(watch: Watch) -> None:
    timer = QTimer()
    timer.setSingleShot(True)
    timer.start(10)
    assert watch.left() == []


@pytest.mark.parametrize("shown", [True, False])
def test_a_window(watch: Watch, shown: bool) -> None:
    window = QWidget()
    window.setVisible(shown)
    (words,) = watch.left(SOON)
    assert words.startswith("window")
    window.close()
    window.deleteLater()
    assert cleared(watch) == []


def test_a_warning_of_qt(watch: Watch) -> None:
    qWarning("something is wrong")
    qWarning("This plugin does not support propagateSizeHints()")  # about the machine
    assert watch.left(SOON) == ["Qt warned: something is wrong"]
