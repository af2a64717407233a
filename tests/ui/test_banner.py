"""The banner keeps its colours when the theme changes."""

from __future__ import annotations

from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from warpview.diagnostics import Diagnostic, SourceText, Span
from warpview.ui.drawing.theme import Look
from warpview.ui.panels.banner import BRIEF_LINES, Banner


def has_colour(banner: Banner, colour: QColor) -> bool:
    image = banner.words.grab().toImage()
    return any(image.pixelColor(x, y) == colour for x in range(image.width()) for y in range(image.height()))


def test_a_link_has_the_colour_of_the_theme(qtbot: QtBot, qapp: QApplication) -> None:
    banner, palette = Banner(), QPalette(qapp.palette())
    kept = QPalette(palette)
    qtbot.addWidget(banner)
    banner.resize(500, 60)
    before, after = QColor("#00ff00"), QColor("#ff00ff")
    try:
        for colour in (before, after):
            palette.setColor(QPalette.ColorRole.Link, colour)
            qapp.setPalette(palette)
            if not banner.problems:
                banner.show_problems([Diagnostic("the kernel waits", Span(SourceText("k.cu", "int a;"), 1, 5))])
                banner.show()
            qapp.processEvents()
            assert has_colour(banner, colour)
        assert not has_colour(banner, before)
    finally:
        qapp.setPalette(kept)


def test_a_message_is_told_in_a_low_window_with_large_type(qtbot: QtBot, look: Look) -> None:
    """At 800x600 and 200 % it was "Array 'out' of …"."""
    look.set_scale(2.0)
    banner = Banner()
    qtbot.addWidget(banner)
    banner.setFont(look.font())
    banner.words.setFont(look.font())
    banner.set_brief(True)
    message = "out[1024] is written beyond its end"
    banner.show_problems([Diagnostic(message, Span(SourceText("k.cu", "int a;"), 1, 5), hint="Compare the index.")])
    banner.resize(784, 200)
    banner.show()
    QApplication.processEvents()
    assert "is written beyond its end" in banner.words.text()
    assert banner.words.heightForWidth(banner.words.width()) < (BRIEF_LINES + 1) * banner.words.fontMetrics().height()
    banner.show_problems([Diagnostic(9 * message, None)])
    assert "…" in banner.words.text()
    assert banner.words.heightForWidth(banner.words.width()) < (BRIEF_LINES + 1) * banner.words.fontMetrics().height()
