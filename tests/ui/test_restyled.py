"""What is out of sight takes the look when it comes into sight, and only then."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from PySide6.QtWidgets import QApplication, QStackedLayout, QWidget

from warpview.ui.drawing.restyled import RestyledInSight
from warpview.ui.drawing.theme import Look


def _take(taken: list[str], name: str, look: Look) -> None:
    taken.append(f"{name} {look.theme.name}")


@pytest.fixture
def pages(qapp: QApplication) -> Iterator[tuple[QStackedLayout, Look, list[str]]]:
    """Two pages of which one is in sight, and the themes that each takes."""
    look, window = Look(motion=False), QWidget()
    taken: list[str] = []
    stack = QStackedLayout(window)
    for name in ("first", "second"):
        page = QWidget()
        stack.addWidget(page)
        RestyledInSight(page, look, partial(_take, taken, name, look))
    window.show()
    yield stack, look, taken
    window.close()
    window.deleteLater()


def test_a_page_takes_the_look_at_once_or_when_it_is_shown(pages: tuple[QStackedLayout, Look, list[str]]) -> None:
    stack, look, taken = pages
    look.set_theme("dark")
    look.set_theme("high contrast")
    assert taken == ["first dark", "first high contrast"]
    stack.setCurrentIndex(1)
    assert taken[2:] == ["second high contrast"]
    stack.setCurrentIndex(0)
    stack.setCurrentIndex(1)
    assert len(taken) == 3, "shown again without a change of the look"
