"""The caption shows the longest sentences whole at 1280 pixels, beside a hint or what is followed."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot
from ui.rest import come_to_rest

from warpview.ui.main_window import MainWindow

LONGEST = (
    "Lanes 20, 21, 23, 24, 28 and 31 of block 130, warp 11 write 6 scattered words of `distance`: 16 transactions "
    "(15 × 32 + 64 bytes), 24 of 544 bytes used, not coalesced; 26 lanes idle."
)


@pytest.mark.parametrize("hint", ["", "*D* goes on to the next divergence, *C* to the next bank conflict"])
def test_the_longest_sentence_is_not_cut(window: MainWindow, hint: str) -> None:
    caption = window.caption
    caption.show_hint(hint)
    caption.notice(LONGEST)
    come_to_rest(window)
    label = caption.label
    flags = int(Qt.TextFlag.TextWordWrap)
    needed = label.fontMetrics().boundingRect(QRect(0, 0, label.width(), 1000), flags, label.words)
    assert needed.height() <= caption.height()
    assert needed.width() <= label.width()


def test_the_sentence_keeps_clear_of_the_progress_of_work(window: MainWindow, qtbot: QtBot) -> None:
    caption, progress = window.caption, window.progress
    caption.show_hint("*D* goes on to the next divergence")
    caption.notice("Block 0, warp 0 diverges: `tid % (2 * s) == 0` holds for lanes 0, 2, 4, … 30; 16 lanes idle.")
    whole = caption.label.width()
    progress.report("Preparing the simulator", 3, 34)
    progress.show()
    sentence = QRect(caption.label.mapTo(window, QPoint(0, 0)), caption.label.size())
    assert sentence.width() > 100
    assert not sentence.intersects(progress.geometry())
    assert caption.hint.isHidden()
    progress.hide()
    assert caption.label.width() == whole
    assert caption.hint.isVisible()


def test_words_that_become_longer_are_not_cut(window: MainWindow) -> None:
    progress = window.progress
    progress.report("Compiling", 0, 0)
    progress.show()
    progress.report("Preparing the simulator, 17 of 34; only this once, and with more words than before", 17, 34)
    come_to_rest(window)
    label = progress.findChild(QLabel)
    assert label.width() >= label.sizeHint().width()
    assert progress.geometry().right() < window.width()
    progress.hide()


def test_half_a_word_is_not_shown(window: MainWindow) -> None:
    """In large type the progress of work may need nearly all the width."""
    window.caption.leave_room(window.caption.width() - 70)
    assert not window.caption.label.isVisible()
    window.caption.leave_room(0)
    assert window.caption.label.isVisible()
