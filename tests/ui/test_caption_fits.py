"""The caption shows the longest sentences whole at 1280 pixels, beside a hint or what is followed."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, Qt
from pytestqt.qtbot import QtBot

from warpview.ui.main_window import MainWindow

LONGEST = (
    "Lanes 20, 21, 23, 24, 28 and 31 of block 130, warp 11 write 6 scattered words of `distance`: 16 transactions "
    "(15 × 32 + 64 bytes), 24 of 544 bytes used, not coalesced; 26 lanes idle."
)


@pytest.mark.parametrize("hint", ["", "*D* goes on to the next divergence, *C* to the next bank conflict"])
def test_the_longest_sentence_is_not_cut(window: MainWindow, qtbot: QtBot, hint: str) -> None:
    caption = window.caption
    caption.show_hint(hint)
    caption.notice(LONGEST)
    qtbot.wait(1)
    label = caption.label
    flags = int(Qt.TextFlag.TextWordWrap)
    needed = label.fontMetrics().boundingRect(QRect(0, 0, label.width(), 1000), flags, label.words)
    assert needed.height() <= caption.height()
    assert needed.width() <= label.width()
