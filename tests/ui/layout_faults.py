"""Look for parts that are clipped, covered or out of place in the real window, and print each fault in a line.

Run as a program, so that the scale of the screen can be set:
``PYTHONPATH=tests QT_SCALE_FACTOR=2 python tests/ui/layout_faults.py 960x540``. With ``0`` or ``1`` after the size half
of the kernels are looked at as the window opens, the others in presentation.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from support.pictures import text_boxes

os.environ["QT_QPA_PLATFORM"] = "offscreen"
if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from PySide6.QtCore import QEvent, QEventLoop, QPoint, QRect, QSettings, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QLabel,
    QMenu,
    QSplitterHandle,
    QTabBar,
    QTabWidget,
    QWidget,
)

from warpview.trace.frame import Mark
from warpview.ui.arranging.stage_tabs import StageTabs
from warpview.ui.drawing.picture import Box, Picture
from warpview.ui.drawing.style import apply_style
from warpview.ui.drawing.theme import Look
from warpview.ui.main_window import MainWindow
from warpview.ui.session.drafts import Drafts
from warpview.ui.session.engine import Engine
from warpview.ui.views.diagram_view import DiagramView

KERNELS = {
    "reduction/interleaved": ("8800gtx", Mark.DIVERGENCE),
    "transpose/naive_16": ("h200", Mark.UNCOALESCED),
    "reduction/strided_index": ("c2050", Mark.CONFLICT),
    "histogram/shared": ("gtx680", Mark.COLLISION),
}
HAIR = 1.5  # pixels that do not count


def faults(window: MainWindow) -> Iterator[str]:
    """Everything that is wrong with the window as it is."""
    shown = _shown(window)
    yield from _outside(window, shown)
    yield from _over_one_another(window)
    yield from _clipped(shown)
    yield from _tabs(window)
    for view in window.views:
        if view.isVisible() and isinstance(view, DiagramView) and view.canvas.picture is not None:
            yield from (f"{view.key}: {fault}" for fault in picture_faults(view.canvas.picture))


def _place(widget: QWidget, window: QWidget) -> QRect:
    return QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())


def _within_scrolling(widget: QWidget, window: QWidget) -> bool:
    parent = widget.parentWidget()
    while parent is not None and parent is not window:
        if isinstance(parent, QAbstractScrollArea):
            return True
        parent = parent.parentWidget()
    return False


def _name(widget: QWidget) -> str:
    words = widget.text() if isinstance(widget, (QLabel, QAbstractButton)) else widget.objectName()
    return f"{type(widget).__name__} {words!r}"


def _shown(window: MainWindow) -> list[QWidget]:
    return [w for w in window.findChildren(QWidget)
            if w.isVisible() and not w.isWindow() and not isinstance(w, QMenu)
            and not _within_scrolling(w, window)]  # fmt: skip


def _outside(window: MainWindow, shown: list[QWidget]) -> Iterator[str]:
    for widget in shown:
        if not window.rect().contains(_place(widget, window)) and widget.width() and widget.height():
            yield f"{_name(widget)} is out of the window: {_place(widget, window).getRect()}"


def _over_one_another(window: MainWindow) -> Iterator[str]:
    views = [view for view in window.views if view.isVisible()]
    for one, other in combinations(views, 2):
        if _place(one, window).intersects(_place(other, window)):
            yield f"{one.key} and {other.key} lie over one another"
    for view in views:
        inner = [w for w in view.findChildren(QWidget) if w.isVisible() and w.parentWidget() is view]
        for first, second in combinations(inner, 2):
            if first.geometry().intersects(second.geometry()):
                yield f"{view.key}: {_name(first)} and {_name(second)} lie over one another"


def _clipped(shown: list[QWidget]) -> Iterator[str]:
    for widget in shown:
        if isinstance(widget, QSplitterHandle) or not isinstance(widget, (QLabel, QAbstractButton)):
            continue
        if isinstance(widget.parentWidget(), QTabBar):  # an arrow, of which ``_tabs`` says whether it may be there
            continue
        if isinstance(widget, QLabel) and (widget.wordWrap() or not widget.text()):
            continue
        wanted = widget.minimumSizeHint()
        if wanted.width() > widget.width() + HAIR or wanted.height() > widget.height() + HAIR:
            yield f"{_name(widget)} has {widget.size().toTuple()} of {wanted.toTuple()}"


def _tabs(window: MainWindow) -> Iterator[str]:
    for bar in window.findChildren(QTabBar):
        if not bar.isVisible():
            continue
        if any(button.isVisible() for button in bar.findChildren(QAbstractButton)):
            yield "a row of tabs has arrows"
        for n in range(bar.count()):
            if bar.isTabVisible(n) and bar.fontMetrics().horizontalAdvance(bar.tabText(n)) > bar.tabRect(n).width():
                yield f"the tab {bar.tabText(n)!r} is cut"


def picture_faults(picture: Picture) -> Iterator[str]:
    """Find texts of a picture that run out of it or over one another."""
    boxes = [(text, box) for text, box in text_boxes(picture) if text.strip()]
    whole = Box(0, 0, picture.width, picture.height)
    for text, box in boxes:
        if box.x < -HAIR or box.y < -HAIR or box.right > whole.right + HAIR or box.bottom > whole.bottom + HAIR:
            place = tuple(round(v) for v in (box.x, box.y, box.w, box.h))
            yield f"{text!r} runs out of {whole.w:.0f} x {whole.h:.0f}: {place}"
    inner = [(text, box.inset(HAIR, 0.18 * box.h)) for text, box in boxes]
    for (one, a), (other, b) in combinations(inner, 2):
        if a.overlaps(b):
            yield f"{one!r} and {other!r} lie over one another"


# ---- as a program


def _every_tab(window: MainWindow, app: QApplication) -> Iterator[None]:
    """Once for each tab of the row with most of them, all rows turned on together."""
    groups = [*window.workspace.findChildren(QTabWidget), *window.workspace.findChildren(StageTabs)]
    rows = [tabs for tabs in groups if tabs.isVisible()]
    for n in range(max((tabs.count() for tabs in rows), default=1)):
        for tabs in rows:
            tabs.setCurrentIndex(min(n, tabs.count() - 1))
        _settle(window, app)
        yield


def _settle(window: MainWindow, app: QApplication) -> None:
    while window.runner.busy:
        app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    for _ in range(3):
        app.processEvents()
    window.presenter.present()
    for view in window.views:
        if view.isVisible():
            view.flush()
    app.processEvents()


def _visit(window: MainWindow, app: QApplication, kernel: str) -> Iterator[str]:
    device, mark = KERNELS[kernel]
    window.session.set_device(device)
    window.session.choose(kernel)
    _settle(window, app)
    window.player.last()
    for _ in range(2):
        window.player.jump(mark, mark.name or "", False)
    for _ in _every_tab(window, app):
        yield from faults(window)


def _zoomed(window: MainWindow, app: QApplication) -> Iterator[str]:
    for view in window.views:
        if view.has_content(window.session.run):
            window.workspace.zoom(view)
            _settle(window, app)
            yield from (f"{view.key} fills the window: {fault}" for fault in faults(window))
    window.workspace.zoom(None)


def main() -> None:
    width, height = map(int, sys.argv[1].split("x"))
    opening, presenting = list(KERNELS), list(KERNELS)
    if len(sys.argv) > 2:
        half = int(sys.argv[2])
        opening, presenting = opening[half::2], opening[1 - half :: 2]
    app = QApplication(["warpview"])
    look = Look(motion=False)
    apply_style(app, look)
    with tempfile.TemporaryDirectory() as folder:
        settings = QSettings(f"{folder}/settings.ini", QSettings.Format.IniFormat)
        settings.setValue("motion", "false")
        window = MainWindow(Engine(), Drafts(Path(folder)), look, settings)
        window.setWindowState(Qt.WindowState.WindowNoState)  # the offscreen screen is small
        window.resize(width, height)
        window.show()
        window.start()
        _settle(window, app)
        assert (window.width(), window.height()) == (width, height)
        window.setUpdatesEnabled(False)  # places are looked at, not pixels
        found: set[str] = set()
        for n, kernel in enumerate(opening):
            look.set_theme("dark" if n % 2 else "light")
            found |= {f"{kernel}: {fault}" for fault in _visit(window, app, kernel)}
        found |= {f"zoomed: {fault}" for fault in _zoomed(window, app)}
        window.presentation.set_on(True)
        _settle(window, app)
        window.resize(width, height)
        _settle(window, app)
        for kernel in presenting:
            found |= {f"{kernel}, presenting: {fault}" for fault in _visit(window, app, kernel)}
        window.close()
        window.deleteLater()
        app.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # before Python takes its modules down
    print(*sorted(found), sep="\n")


if __name__ == "__main__":
    main()
