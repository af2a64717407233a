"""Draw the window's own views for a report: by Qt, as SVG, in colours that follow the reader's light or dark."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from html import escape

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QPaintDevice, QPainter
from PySide6.QtWidgets import QApplication, QWidget

from warpview.ui.drawing import palette
from warpview.ui.drawing.brush import paint
from warpview.ui.drawing.export import drawing
from warpview.ui.drawing.faces import measure
from warpview.ui.drawing.picture import Picture
from warpview.ui.drawing.scene import Scene
from warpview.ui.drawing.theme import LIGHT, Look
from warpview.ui.export.report_style import themed
from warpview.ui.moving.selection import Selection
from warpview.ui.view_list import VIEWS
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.view import View

WIDTH = 900  # pixels
LAYOUTS = 2  # axes grow for their numbers, and what is beside them gives way
HEAD = re.compile(r"^.*?<svg [^>]*?viewBox", re.DOTALL)  # what only a file of its own needs, and a size in millimetres
TITLE = re.compile(r"<title>.*?</desc>", re.DOTALL)
GROUP = re.compile(r"<g (?!clip-path)([^>]*>\n(?!<g).*?\n</g>)", re.DOTALL)  # of shapes
NAMED = re.compile(r'(id="|url\(#|href="#)')


class ReportViews:
    """Make views of one run that no screen shows, and draw them into the page."""

    def __init__(self, run: RunLike) -> None:
        self._app = _application()
        self._run = run
        self.look, self._selection = Look(LIGHT, motion=False), Selection()
        self._host = QWidget()  # with which all of them end
        for attribute in (Qt.WidgetAttribute.WA_DontShowOnScreen, Qt.WidgetAttribute.WA_ShowWithoutActivating):
            self._host.setAttribute(attribute)
        self._host.show()
        self._views: dict[str, View] = {}
        self._settled: set[Scene] = set()
        self._pictures = 0
        self._names: dict[str, str] = {}  # of the groups of shapes in the page

    def close(self) -> None:
        """Let the views go."""
        self._host.deleteLater()

    def make(self, key: str, height: float) -> View:
        """Make the view with this key, so many pixels high, or return it."""
        view = self._views.get(key)
        if view is None:
            view = self._views[key] = next(kind for kind in VIEWS if kind.key == key)(self._selection, self.look)
            view.set_header_shown(False)
            self.seat(view, height)
            view.reset(self._run)
        return view

    def show(self, key: str, context: FrameContext, height: float) -> Scene:
        """Show a step in a view; return its scene."""
        view = self.make(key, height)
        view.resize(WIDTH, round(height))
        view.take(context)
        view.flush()
        (scene,) = view.scenes
        return scene

    def view(self, key: str, context: FrameContext, height: float) -> str:
        """Return the scene of a view at a step."""
        return self.drawn(self.show(key, context, height))

    def seat(self, widget: QWidget, height: float) -> None:
        """Lay a widget out as if it were on the screen."""
        widget.setParent(self._host)
        widget.resize(WIDTH, round(height))
        widget.show()

    def settle(self, scene: Scene) -> Iterator[str]:
        """Let the parts of a scene take their places, which Qt otherwise does in turns of its event loop; yield nothing
        after each turn."""
        self._settled.add(scene)
        for _ in range(LAYOUTS):
            self._app.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
            scene.ci.layout.activate()
            scene.grab()
            yield ""

    def drawn(self, scene: Scene) -> str:
        """Return a scene."""
        if scene not in self._settled and any(isinstance(item, pg.AxisItem) for item in scene.scene().items()):
            list(self.settle(scene))
        return self._svg(scene.size(), scene.accessibleDescription(), scene.draw_on)

    def picture(self, draw: Callable[[Picture], object], height: float) -> str:
        """Return a picture that no view shows."""
        picture = Picture(WIDTH, height, self.look.unit(), measure)
        draw(picture)

        def render(device: QPaintDevice) -> None:
            with QPainter(device) as painter:
                paint(painter, picture, lambda token: palette.colour(LIGHT, token))

        return self._svg(QSize(WIDTH, round(height)), picture.spoken, render)

    def _svg(self, size: QSize, spoken: str, render: Callable[[QPaintDevice], object]) -> str:
        """Return what ``render`` draws, with names of its own among those of the page."""
        self._pictures += 1
        said = escape(spoken)
        text = HEAD.sub(f'<svg role="img" aria-label="{said}" viewBox', drawing(size, "", render), count=1)
        text = NAMED.sub(rf"\g<1>p{self._pictures}-", TITLE.sub(f"<title>{said}</title>", text, count=1))
        return GROUP.sub(self._once, themed(text))

    def _once(self, group: re.Match[str]) -> str:
        """Return a group of shapes, or a reference to an equal one: from step to step little changes."""
        name = self._names.get(group[1])
        if name is not None:
            return f'<use href="#{name}"/>'
        name = self._names[group[1]] = f"g{len(self._names)}"
        return f'<g id="{name}" {group[1]}'


@cache  # it would end with the last reference to it
def _application() -> QApplication:
    """Return the application; the command line has none, and gets one that needs no screen."""
    running = QApplication.instance()
    if isinstance(running, QApplication):
        return running
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    made = QApplication(["warpview"])
    made.setFont(Look().font())
    return made
