"""Drive a window as a user does, and put it back as it was: making a new one takes twenty times as long."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QDeadlineTimer, QEvent, QObject, QPoint, QPointF, QSettings, Qt
from PySide6.QtGui import QAction, QCursor, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QScrollBar,
    QStyle,
    QStyleOptionComboBox,
    QWidget,
)
from ui.backend import RealBackend

from warpview.ui.arranging.stage_tabs import StageTabs
from warpview.ui.commands.actions import TABLE
from warpview.ui.drawing.app_style import AppStyle
from warpview.ui.drawing.style import apply_style
from warpview.ui.drawing.theme import Look
from warpview.ui.main_window import MainWindow
from warpview.ui.moving.player import START_SPEED
from warpview.ui.moving.selection import Snapshot
from warpview.ui.panels.comparison_model import ORDERS
from warpview.ui.panels.history_bar import HistoryBar
from warpview.ui.programs.program_page import ProgramPage
from warpview.ui.session.backend import Setup
from warpview.ui.session.drafts import Drafts
from warpview.ui.views.view import View

LEFT = Qt.MouseButton.LeftButton
SIZE = 1280, 720
WAIT_MS = 60_000
UNBOUNDED = 16_777_215  # the largest size of a widget


def press(window: MainWindow, key: str) -> None:
    """The key, to whatever has the focus."""
    combination = QKeySequence(key)[0]
    QTest.keyClick(window.focusWidget() or window, combination.key(), combination.keyboardModifiers())
    window.presenter.present()


def click(widget: QWidget, place: QPoint | None = None) -> None:
    QTest.mouseClick(widget, LEFT, Qt.KeyboardModifier.NoModifier, widget.rect().center() if place is None else place)


def place_in_history(bar: HistoryBar, step: int) -> QPointF:
    """Where a step is in the plot of the whole run."""
    return QPointF(bar.stretches()[0].x(step), bar.height() / 2)


def click_in_menu(window: MainWindow, action: QAction) -> None:
    """Open the menu that has the action and click it there."""
    bar = window.menuBar()
    path = next(path for path, menu in window.actions_.menus.items() if action in menu.actions())
    top, *rest = path.split("/")
    menu = window.actions_.menus[top]
    click(bar, bar.actionGeometry(menu.menuAction()).center())
    assert menu.isVisible()
    if rest:
        below = window.actions_.menus[path]
        menu.setActiveAction(below.menuAction())
        click(menu, menu.actionGeometry(below.menuAction()).center())
        menu = below
        assert menu.isVisible()
    menu.setActiveAction(action)  # scrolls there where the menu is higher than the screen
    click(menu, menu.actionGeometry(action).center())
    window.activateWindow()  # offscreen, a menu that has just opened becomes active when it is closed already
    window.presenter.present()


def room_for_words(box: QComboBox) -> int:
    """Return the pixels that a box has for the words that it shows."""
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    field = QStyle.SubControl.SC_ComboBoxEditField
    return box.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, box).width()


class Stand:
    """Open one window with runs of the library. ``reset`` puts it back to its opening.

    Where it is not ``painted``, a third of the time is saved; it looks as it would all the same when it is asked to
    draw itself into a picture.
    """

    def __init__(self, folder: Path, painted: bool = True) -> None:
        self.folder = folder
        self.backend = RealBackend()
        self.look = Look(motion=False)
        self.settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
        self.settings.setValue("motion", "false")
        self._apply_style()
        self.w = MainWindow(self.backend, Drafts(folder / "drafts"), self.look, self.settings)
        self.w.setWindowState(Qt.WindowState.WindowNoState)  # the offscreen screen is small
        self.w.resize(*SIZE)
        self.w.show()
        self.activate()
        self.w.start()
        self.settle()
        self._setup, self._tree = self.w.session.setup, self.w.workspace.tree
        self.reset()  # once, for what is made when it is first needed
        self._paint_later = PaintLater()
        self.set_painted(painted)
        self._opening = self.state()

    def _apply_style(self) -> None:
        """Have the application look as this window does: a test may have shown another one."""
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        style = app.style()
        if not isinstance(style, AppStyle) or style.look is not self.look:
            apply_style(app, self.look)

    def set_painted(self, on: bool) -> None:
        """Have the window painted whenever it changes, or not."""
        if on:
            self.w.removeEventFilter(self._paint_later)
            QCoreApplication.sendEvent(self.w, QEvent(QEvent.Type.UpdateRequest))
        else:
            self.w.installEventFilter(self._paint_later)

    def activate(self) -> None:
        """Have the keys go to this window."""
        self.w.activateWindow()
        self.wait(self.w.isActiveWindow)

    def close(self) -> None:
        self.w.close()
        self.w.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    def reset(self) -> None:
        """As it was when it opened, whatever was done to it since."""
        w = self.w
        self._apply_style()
        for widget in QApplication.topLevelWidgets():
            if widget.isVisible() and (isinstance(widget, (QMenu, QDialog))):
                widget.close()
        w.launch_bar.kernel.hidePopup()
        w.launch_bar.device.hidePopup()
        for name in ("ask_save", "ask_open", "ask_text", "ask_choice", "ask_program"):
            vars(w.dialogs).pop(name, None)
        self.backend.before_trace = lambda progress: None
        w.resize(*SIZE)
        QCursor.setPos(w.mapToGlobal(QPoint(4, 4)))  # over no view
        w.player.pause()
        w.cancel()
        self.wait(lambda: not w.runner.busy)
        w.lessons.close()
        w.source.find_bar.close_bar()
        for field in (w.source.find_bar.field, w.source.find_bar.other):
            field.clear()
        w.source.set_editing(False)
        if w.source.text != self._setup.text:
            w.source.editor.set_text(self._setup.text)
        w.presentation.set_on(False)
        w.staged.finish()
        w.workspace.zoom(None)
        if w.workspace.tree != self._tree:
            w.workspace.reset()
        w.layouts.saved.clear()
        w.window_layout.library_wanted = False
        if w.workspace.everything:
            w.workspace.toggle_everything()
        for stage in w.workspace.findChildren(StageTabs):
            if not stage.follow_button.isChecked():
                stage.follow_button.click()
        self.settings.clear()
        self.settings.setValue("motion", "false")
        w.recent_files.fill()
        self.look.set("light", 1.0, False)
        for page in w.pages.findChildren(ProgramPage):
            page.result = None
        w.pages.show_views()  # before the run changes, or the page of both codes asks for the other one again
        if w.session.setup != self._setup:
            w.session.drafts.discard(w.session.variant.key)
            w.session.open_setup(self._setup)
            self.settle()
        kept = w.session.kept
        if len(kept.runs) > 1 or w.session.before is not None or kept.chosen is not None:
            kept.runs[:], w.session.before = kept.runs[-1:], None
            w.counters.compare_with(None)
        w.counters.names.setCurrentIndex(0)
        w.counters.filter.clear()
        if w.comparison.runs:
            w.comparison.show_runs("", "", ())
        w.comparison.tabs.setCurrentIndex(0)
        w.comparison.filter.clear()
        while w.comparison.order != ORDERS[0]:
            w.comparison.sort_next()
        w.banner.close_banner()
        if w.counters.pins:
            w.counters.set_pins(())
        if w.counters.list.horizontalHeader().sortIndicatorSection() >= 0:
            w.counters.list.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        w.counters.list.scrollToTop()
        w.player.set_speed(START_SPEED)
        w.player.set_mode("instruction")
        for part in (w.accesses, w.history, w.transport):  # an earlier test may have changed the run, or shown another
            part.set_run(w.session.run)
        w.history.setMaximumWidth(UNBOUNDED)
        w.history.setMinimumWidth(0)
        w.prediction.ask(None, hide=False)
        w.presenter.set_predicting(False)
        w.window_layout.arrange()
        self.activate()  # a dialog has had the keys, and gives them back only where there is a window manager
        w.central.setFocus()
        self.go(1)
        w.presenter.present()
        w.back_forward.clear()
        w.workspace.set_run(w.session.run)  # its headers are as wide as this run needs them
        w.selection.update(**vars(Snapshot()))  # another step: whatever the caption said besides is over
        w.caption.show_hint()
        self.settle()
        w.source.editor.verticalScrollBar().setValue(0)  # it has scrolled no further than the line had to be in sight
        for view in w.views:
            _put_back(view)

    def state(self) -> dict[str, object]:
        """Return what is to be seen in the window, and what a key would do next."""
        w = self.w
        return {
            "widgets": [_seen(widget) for widget in w.findChildren(QWidget) if widget.isVisible()],
            "actions": [(row.id, w.actions_[row.id].isEnabled(), w.actions_[row.id].isChecked()) for row in TABLE],
            "selection": w.selection.now,
            "setup": w.session.setup,
            "player": (w.player.mode, w.player.speed, w.player.playing),
            "look": (self.look.theme.name, self.look.scale, self.look.motion),
            "views": [(view.key, view.look.factor, view.minimumSize(), view.maximumSize()) for view in w.views],
            "counters": (w.counters.names.currentIndex(), w.counters.filter.text(), list(w.counters.pins)),
            "stage": w.workspace.state(),
            "runs": [kept.title for kept in w.session.kept.runs],
            "comparison": [run.kernel for run in w.comparison.runs],
            "drafts": sorted(path.name for path in (self.folder / "drafts").glob("*.cu")),
            "settings": sorted(self.settings.allKeys()),
        }

    @property
    def is_as_it_opened(self) -> bool:
        """Whether nothing is left of what a test did."""
        return self.state() == self._opening

    # ---- doing

    def settle(self) -> None:
        """Wait for the run that is under way, then for the frame."""
        self.wait(lambda: not self.w.runner.busy)
        assert self.w.session.run is not None
        QApplication.processEvents()
        self.w.presenter.present()

    def press(self, key: str) -> None:
        press(self.w, key)

    def go(self, step: int) -> None:
        self.w.player.go(step)

    def point_at(self, widget: QWidget) -> None:
        """The pointer over a widget."""
        QCursor.setPos(widget.mapToGlobal(QPoint(8, widget.height() // 2)))

    def answer(self, **answers: Any) -> None:
        """What the user says to the questions: save=path, open=path, number=n, text=words."""
        for name, value in answers.items():
            setattr(self.w.dialogs, f"ask_{name}", lambda *_, value=value: value)

    def wait(self, condition: Callable[[], object]) -> None:
        deadline = QDeadlineTimer(WAIT_MS)
        while not condition():
            assert not deadline.hasExpired()
            QTest.qWait(5)

    @contextmanager
    def another_run(self) -> Iterator[None]:
        """What is done within leads to another run."""
        before = len(self.backend.traced)
        yield
        self.settle()
        assert len(self.backend.traced) > before

    # ---- looking

    @property
    def trace(self) -> Any:
        return self.w.session.run.trace

    @property
    def step(self) -> int:
        return self.w.selection.now.step

    @property
    def line(self) -> int:
        """The line of the instruction executed last."""
        return int(self.w.session.run.program.instructions[self.trace.event(self.step).pc].span.line)

    @property
    def caption(self) -> str:
        return self.w.caption.text

    @property
    def setup(self) -> Setup:
        return self.w.session.setup


class PaintLater(QObject):
    """Keep a window from being painted: what has changed waits until it is asked for without this filter."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        return event.type() == QEvent.Type.UpdateRequest


class SharedStand:
    """Keep the window that tests take turns with. It is made anew after a test that it cannot be put back from."""

    def __init__(self, folder: Callable[[], Path]) -> None:
        self._folder = folder
        self._stand: Stand | None = None

    def ready(self) -> Stand:
        """Return the window as it opened."""
        if self._stand is not None and not self._stand.w.isVisible():  # a test has closed all
            self.close()
        if self._stand is None:
            self._stand = Stand(self._folder(), painted=False)
        elif not self._stand.w.isActiveWindow():  # there was another window meanwhile
            self._stand.reset()
        return self._stand

    def put_back(self) -> None:
        """Undo what a test did to the window, or close it where that does not succeed."""
        if self._stand is None:
            return
        try:
            reusable = self._stand.w.isVisible()
            if reusable:
                self._stand.reset()
                reusable = self._stand.is_as_it_opened
        except (AssertionError, RuntimeError):  # the test has broken the window, and fails by itself
            reusable = False
        if not reusable:
            self.close()

    def close(self) -> None:
        if self._stand is not None:
            self._stand.close()
            self._stand = None


def _put_back(view: View) -> None:
    """Give a view the sizes that it opened with, and its heading the room that its buttons need now."""
    view.setMinimumSize(view.min_size)
    view.setMaximumSize(UNBOUNDED, UNBOUNDED)
    if view.legend_button is not None:
        view.legend_button.setChecked(False)
        view.legend_button.hide()  # a test may have sent the pointer into the view and not out of it
    if view.isVisible():
        for layout in (view.heading_bar.layout(), view.layout()):
            assert layout is not None
            layout.invalidate()
            layout.activate()


def _seen(widget: QWidget) -> tuple[object, ...]:
    """Return what a user sees of a widget: its kind, its place, and what it says."""
    says: object = None
    if isinstance(widget, QLabel | QLineEdit):
        says = widget.text()
    elif isinstance(widget, QAbstractButton):
        says = widget.text(), widget.isChecked()
    elif isinstance(widget, QComboBox):
        says = widget.currentText()
    elif isinstance(widget, QScrollBar):
        says = widget.value()
    return type(widget).__name__, widget.geometry().getRect(), widget.isEnabled(), says
