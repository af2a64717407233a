"""The pages that come with warpview open in the window, and their links, pictures and keys work."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QImage, QTextCursor, QTextTable
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTreeWidgetItem
from pytestqt.qtbot import QtBot

from warpview.resources import assets_dir
from warpview.ui.drawing.theme import Look
from warpview.ui.panels.documentation import Documentation

PAGES = sorted((assets_dir() / "docs").glob("*.md"))


@pytest.fixture
def pages(qtbot: QtBot) -> Iterator[Documentation]:
    shown = Documentation(Look())
    with qtbot.waitExposed(shown):
        shown.show()
    yield shown
    with qtbot.waitSignal(shown.destroyed):
        shown.close()


def items(pages: Documentation) -> list[QTreeWidgetItem]:
    return pages.pages.findItems("", Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive)


def distance_from_the_top(pages: Documentation, heading: str) -> float:
    """Return how many pixels below the upper edge of what can be seen a heading stands."""
    block = pages.text.document().begin()
    while not (block.blockFormat().headingLevel() and block.text() == heading):
        block = block.next()
        assert block.isValid(), heading
    layout = pages.text.document().documentLayout()
    return layout.blockBoundingRect(block).top() - pages.text.verticalScrollBar().value()


def test_every_heading_of_every_page_is_a_way_to_it(pages: Documentation) -> None:
    assert pages.pages.topLevelItemCount() == len(PAGES)
    assert len(items(pages)) > 2 * len(PAGES)
    for item in items(pages):
        pages.pages.setCurrentItem(item)
        bar = pages.text.verticalScrollBar()
        if bar.value() < bar.maximum():  # a heading of the last lines cannot be scrolled to the top
            assert -1 <= distance_from_the_top(pages, item.text(0)) < 60


def test_no_page_shows_its_markup(pages: Documentation) -> None:
    for item in items(pages):
        pages.pages.setCurrentItem(item)
        assert not re.search(r"<!--|\]\(|^#|\*\*|^\|", pages.text.toPlainText(), re.MULTILINE)


def test_links_lead_to_another_page_and_back_leads_home(pages: Documentation) -> None:
    pages.text.setSource(QUrl.fromLocalFile(str(assets_dir() / "docs" / "language.md")))
    link = pages.text.document().find("Whole programs")
    assert link.charFormat().anchorHref() == "programs.md"
    link.setPosition(link.selectionStart() + 2)
    pages.text.setTextCursor(link)
    QTest.mouseClick(pages.text.viewport(), Qt.MouseButton.LeftButton, pos=pages.text.cursorRect(link).center())
    assert pages.text.toPlainText().startswith("Whole programs")
    assert pages.pages.currentItem().text(0) == "Whole programs"
    QTest.keyClick(pages, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert pages.pages.currentItem().text(0) == "Language"
    assert pages.text.toPlainText().startswith("Language")


def test_tables_and_pictures_are_shown(pages: Documentation) -> None:
    pages.text.setSource(QUrl.fromLocalFile(str(assets_dir() / "docs" / "programs.md")))
    frames = pages.text.document().rootFrame().childFrames()
    assert any(isinstance(frame, QTextTable) and frame.rows() > 3 for frame in frames)
    (picture,) = re.findall(r"!\[[^\]]*\]\(([^)]*)\)", (assets_dir() / "docs" / "programs.md").read_text("utf-8"))
    found = pages.text.loadResource(2, QUrl(picture))
    assert isinstance(found, QImage)
    assert found.width() <= pages.text.viewport().width()
    assert found.height() > 200


def test_find_goes_through_the_places_and_starts_again(pages: Documentation) -> None:
    pages.text.setSource(QUrl.fromLocalFile(str(assets_dir() / "docs" / "findings.md")))
    QTest.keyClick(pages, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert pages.wanted.hasFocus()
    QTest.keyClicks(pages.wanted, "race")
    places = []
    while pages.text.textCursor().selectionStart() not in places:
        assert pages.text.textCursor().selectedText().lower() == "race"
        places.append(pages.text.textCursor().selectionStart())
        QTest.keyClick(pages.wanted, Qt.Key.Key_Return)
    assert places == sorted(places)
    assert len(places) == pages.text.toPlainText().lower().count("race")


def test_text_that_is_not_there_selects_nothing(pages: Documentation) -> None:
    QTest.keyClicks(pages.wanted, "no such text")
    assert not pages.text.textCursor().hasSelection()
    assert pages.text.textCursor().position() == QTextCursor(pages.text.document()).position()
