"""Show occupancy: resources as a diagram, and beside it a plot for each number that can be tried."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QKeyEvent

from warpview.devices import Capability
from warpview.ui.drawing.picture import Picture
from warpview.ui.drawing.plot import NumberAxis, PlotArea
from warpview.ui.drawing.theme import Look
from warpview.ui.moving.selection import Selection
from warpview.ui.views import headlines_model
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.diagram_view import DiagramView
from warpview.ui.views.machine import occupancy_model as model
from warpview.ui.views.view import LegendEntry

PLOT_MARGIN = 6
POINT = 10  # pixels: the mark of the launch on a curve


class OccupancyCurve(pg.PlotItem):
    """Plot resident warps over one number of the launch. The line through the number can be dragged."""

    def __init__(self, kind: str, tried: Callable[[str, int], None]) -> None:
        super().__init__(enableMenu=False, axisItems={"left": NumberAxis("left"), "bottom": NumberAxis("bottom")})
        self.kind = kind
        self.curve: model.OccupancyByResource | None = None
        self._tried = tried
        self.setMouseEnabled(x=True, y=False)
        self._span: tuple[int, int] | None = None  # of the numbers on the axis
        self._steps = self.plot([], [], stepMode="right", fillLevel=0)
        self._launch = pg.InfiniteLine(angle=90)
        self.now = pg.InfiniteLine(angle=90, movable=True)
        self._point = pg.ScatterPlotItem(size=POINT)
        for item in (self._launch, self.now, self._point):
            self.addItem(item, ignoreBounds=True)
        self.now.sigDragged.connect(lambda line: self._try(line.value()))
        self.vb.mouseClickEvent = self._on_click

    def show_curve(
        self,
        curve: model.OccupancyByResource,
        now: int,
        launch: int,
        area: PlotArea,
        *,
        wide: bool,
        hidden: bool,
        keyed: bool,
    ) -> None:
        """Draw ``curve`` with the number ``now`` that is asked about, and the launch's own; ``wide`` says
        whether there is room for whole names, ``hidden`` keeps the answer to itself, and ``keyed`` shows that the arrow
        keys move this line."""
        self.curve = curve
        warps = [] if hidden else curve.warps
        self._steps.setData([] if hidden else curve.xs, warps, stepMode="right", pen=area.pen("active", 2.0),
                            fillLevel=0, fillBrush=area.brush("active", 0.18))  # fmt: skip
        self.now.setPen(area.pen("accent", 3.0 if keyed else 1.5))
        self.now.setHoverPen(area.pen("accent", 4.0))
        self.now.setBounds((curve.xs[0], curve.xs[-1]))
        self.now.setValue(now)
        self._launch.setPen(area.pen("idle", 1.2, Qt.PenStyle.DashLine))
        self._launch.setValue(launch)
        self._launch.setVisible(launch != now)
        nearest = curve.nearest(now)
        self._point.setData([] if hidden else [now], [] if hidden else [curve.warps[curve.xs.index(nearest)]],
                            brush=area.brush("conflict"), pen=area.pen("text"))  # fmt: skip
        shared = self.kind == "shared"
        self.getAxis("bottom").setScale(1 / 1024 if shared else 1.0)
        name = curve.title if wide else curve.kind
        self.setLabel("bottom", f"{name}{' (KiB)' if shared and wide else ''}: {model.value_text(self.kind, now)}")
        self.getAxis("left").setLabel("warps" if wide else "")
        # Those of pyqtgraph overlap in a plot of little height.
        self.getAxis("left").setTicks([[(0, "0"), (curve.top, str(curve.top))], [(curve.top / 2, "")]])
        if self._span != (curve.xs[0], curve.xs[-1]):  # else what the user has zoomed to stays
            self._span = first, last = curve.xs[0], curve.xs[-1]
            margin = 0.02 * (last - first)
            self.vb.setLimits(xMin=first - margin, xMax=last + margin)
            self.setXRange(first, last, padding=0.02)
        self.setYRange(0, curve.top, padding=max(0.06, POINT / max(1.0, self.vb.height())))
        area.style_plot(self)

    def hover(self, x: float, _y: float) -> str:
        """Return the hover text at a place of the curve."""
        return model.hover_text(self.curve, x) if self.curve is not None else ""

    def _try(self, place: float) -> None:
        if self.curve is not None:
            nearest = self.curve.nearest(place)
            self.now.setValue(nearest)
            self._tried(self.kind, nearest)

    def _on_click(self, event: object) -> None:
        event.accept()  # type: ignore[attr-defined]
        if event.double() and self.curve is not None:  # type: ignore[attr-defined]
            self.setXRange(self.curve.xs[0], self.curve.xs[-1], padding=0.02)
            return
        self._try(self.vb.mapToView(event.pos()).x())  # type: ignore[attr-defined]


class OccupancyView(DiagramView):
    """Show how much of a multiprocessor the resident blocks take, and how that would change with the launch."""

    key = "occupancy"
    number = staticmethod(headlines_model.occupancy)
    title = "Occupancy"
    about = "How many warps are resident on a multiprocessor, and which resource limits them"
    is_answer = True
    min_size = QSize(220, 130)
    meanings = (
        LegendEntry("active", "fill", "taken by resident blocks"),
        LegendEntry("conflict", "fill", "the limiting resource, and this launch on the curve"),
    )

    def __init__(self, selection: Selection, look: Look) -> None:
        self.what_if: model.OccupancyInputs | None = None
        self._keyed = ""  # the kind of line that has the keys
        super().__init__(selection, look)
        self._grid = pg.GraphicsLayout()
        self._grid.setContentsMargins(*[PLOT_MARGIN] * 4)
        self._plan: tuple[bool, bool, float, float] | None = None
        self.canvas.ci.addItem(self._grid, 0, 1)
        self.canvas.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.canvas.installEventFilter(self)

    @cached_property
    def curves(self) -> dict[str, OccupancyCurve]:
        """Return the plots by what they try, made when the view is first drawn: it opens behind a tab."""
        made = {kind: OccupancyCurve(kind, self.try_value) for kind in model.KINDS}
        for curve in made.values():
            self.canvas.add_plot(0, len(self.canvas.plots), curve, curve.hover, self._grid)
        return made

    def prepare(self, run: RunLike) -> None:
        self.what_if = None

    def content_key(self, context: FrameContext) -> Hashable | None:
        return (id(context.run), self.what_if, self._keyed)

    def picture_size(self) -> tuple[float, float]:
        return model.resources_size(self.canvas.width(), self.canvas.height(), self.unit())

    @property
    def has_curves(self) -> bool:
        """Return whether there is room for the curves."""
        width, height = self.picture_size()
        return width < self.canvas.width() or height < self.canvas.height()

    def picture(self, context: FrameContext, picture: Picture) -> str:
        self._arrange()
        device, wide = context.device, model.is_wide(self.canvas.width(), self.unit())
        if isinstance(device, Capability):
            launch = model.question(context)
            asked = self.what_if or launch
            for kind, plot in self.curves.items():
                found = model.curve(device, asked, kind)
                values = asked.value(kind), launch.value(kind)
                plot.show_curve(found, *values, self.canvas, wide=wide, hidden=context.predicting,
                                keyed=kind == self._keyed)  # fmt: skip
        return model.draw(context, picture, self.what_if)

    def _arrange(self) -> None:
        """Put the curves beside the resources or below them, or nowhere, when the room has changed."""
        canvas = self.canvas
        wide = model.is_wide(canvas.width(), self.unit())
        plan = (wide, self.has_curves, *self.picture_size())
        if plan == self._plan:
            return
        self._plan = plan
        _, shown, width, height = plan
        for plot in self.curves.values():
            self._grid.removeItem(plot)
        for number, plot in enumerate(self.curves.values()):
            self._grid.addItem(plot, *((number, 0) if wide else (0, number)))
        canvas.ci.removeItem(self._grid)
        canvas.ci.addItem(self._grid, *((0, 1) if wide else (1, 0)))
        self._grid.setVisible(shown)
        canvas.box.setPreferredSize(width, height)
        canvas.box.setMaximumSize(width, height)

    def command(self, name: str, value: int) -> None:
        if name == "as launched":
            self.what_if = None

    def try_value(self, kind: str, value: int) -> None:
        """Ask what would be if threads, registers or shared memory were ``value``."""
        if self.context is None:
            return
        asked = self.what_if or model.question(self.context)
        self.what_if = asked.with_(kind, value)
        self.refresh()

    # ---- keys

    def take_keys(self) -> None:
        """Give the keys to the first line: ← → move it, ↑ ↓ and Tab choose, Home undoes, Esc lets go."""
        self._keyed = model.KINDS[0]
        self.canvas.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.refresh()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.FocusOut and self._keyed:
            self._keyed = ""
            self.refresh()
        if self._keyed and isinstance(event, QKeyEvent) and event.key() in _KEYS:
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
            elif event.type() == QEvent.Type.KeyPress:
                _KEYS[event.key()](self, event)
                self.refresh()
            return True
        return super().eventFilter(watched, event)

    def _choose(self, by: int) -> None:
        kinds = model.KINDS
        self._keyed = kinds[(kinds.index(self._keyed) + by) % len(kinds)]

    def _move(self, by: int) -> None:
        curve = self.curves[self._keyed].curve
        if curve is not None and self.context is not None:
            now = (self.what_if or model.question(self.context)).value(self._keyed)
            self.try_value(self._keyed, curve.neighbour(now, by))

    def _undo(self) -> None:
        self.what_if = None


def _far(event: QKeyEvent) -> int:
    return 8 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1


_KEYS: dict[int, Callable[[OccupancyView, QKeyEvent], None]] = {
    Qt.Key.Key_Left: lambda view, event: view._move(-_far(event)),
    Qt.Key.Key_Right: lambda view, event: view._move(_far(event)),
    Qt.Key.Key_Up: lambda view, _: view._choose(-1),
    Qt.Key.Key_Down: lambda view, _: view._choose(1),
    Qt.Key.Key_Backtab: lambda view, _: view._choose(-1),
    Qt.Key.Key_Tab: lambda view, _: view._choose(1),
    Qt.Key.Key_Home: lambda view, _: view._undo(),
    Qt.Key.Key_Escape: lambda view, _: view.canvas.window().setFocus(),
}
