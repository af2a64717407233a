"""The window serves users without sight or mouse: names of what takes the keys, and the order of Tab."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea, QComboBox, QLineEdit, QSlider, QWidget
from pytestqt.qtbot import QtBot
from ui.rest import come_to_rest
from ui.view_texts import texts_of

from warpview.ui.main_window import MainWindow

MOST_STOPS = 40


def own(window: MainWindow) -> list[QWidget]:
    """The widgets of the window without the lists that drop down, which have the names of their boxes."""
    found = [w for w in window.findChildren(QWidget) if w.window() is window]
    return [w for w in found if not w.objectName().startswith("qt_") and w.objectName() != "ScrollLeftButton"]


def said(widget: QWidget) -> str:
    """What a screen reader says of it: its name, or the text that it shows."""
    text = widget.text() if isinstance(widget, QAbstractButton) else ""
    return widget.accessibleName() or text


def test_what_takes_the_keys_has_a_name(window: MainWindow) -> None:
    window.resize(1600, 1000)
    window.staged.finish()
    come_to_rest(window)
    takes = [
        w
        for w in own(window)
        if w.focusPolicy() != Qt.FocusPolicy.NoFocus
        and w.isVisible()
        and not isinstance(w.parentWidget(), QAbstractScrollArea)  # whose viewport it is
    ]
    # Whatever else is in sight: the run and its fields, from the launch bar to the transport.
    assert {window.central.accessibleName(), "grid", "block", "Step"} <= {said(widget) for widget in takes}
    assert [(widget, widget.parentWidget()) for widget in takes if not said(widget)] == []


@pytest.mark.parametrize("kind", [QAbstractButton, QComboBox, QLineEdit, QSlider])
def test_what_is_used_by_mouse_has_a_name(window: MainWindow, kind: type[QWidget]) -> None:
    window.resize(1600, 1000)
    window.staged.finish()
    come_to_rest(window)
    used = [w for w in own(window) if isinstance(w, kind) and w.isVisible() and not isinstance(w.parent(), QLineEdit)]
    assert used
    assert [widget for widget in used if not said(widget) or said(widget) in "?✕…−+↔◀▶"] == []


def test_every_view_says_what_it_shows(window: MainWindow) -> None:
    window.actions_["next_divergence"].trigger()
    window.presenter.present()
    for view in window.views:
        view.flush()
        assert view.accessibleName() == view.title
        assert texts_of(view)[0] == view.title
    lanes = window.workspace.views["lanes"]
    assert "32 lanes active" in " ".join(texts_of(lanes))


def test_tab_goes_once_round_from_left_to_right(window: MainWindow, qtbot: QtBot) -> None:
    window.central.setFocus()
    stops: list[QWidget] = []
    for _ in range(MOST_STOPS):
        QTest.keyClick(window.focusWidget() or window, Qt.Key.Key_Tab)
        focus = window.focusWidget()
        assert focus is not None
        if focus in stops:
            break
        stops.append(focus)
    assert focus is stops[0]
    assert window.central in stops
    fields = [w for w in stops if w.parent() is window.launch_bar]
    places = [field.mapTo(window, QPoint()).x() for field in fields]
    assert len(places) >= 3
    assert places == sorted(places)
    assert [said(w) for w in stops if not w.isVisible()] == []
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Backtab)
    assert window.focusWidget() is stops[-1]
