"""Plot a stretch of the run: steps across, a row for each kind of event."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsItem, QGraphicsPathItem, QGraphicsRectItem

from warpview.trace.frame import Mark
from warpview.trace.presentation import MARKS
from warpview.ui.drawing import palette
from warpview.ui.drawing.marks import error_symbol
from warpview.ui.drawing.plot import PlotArea, TableImage, turn_off_prefixes
from warpview.ui.moving.snapshot import Bookmark
from warpview.ui.panels.history_model import HistoryRow, HistoryStretch, apart, event_image

TOKENS = {Mark.NONE: "accent"} | {mark: shown.colour for mark, shown in MARKS.items()}
NAMES_GAP = 12  # pixels that the names of the rows take beside their own width
HEAD = 4.0  # pixels: half the width of the head of the present's line
SIGN = 22  # pixels at most that the sign of a finding is high


def _present(height: float) -> QPainterPath:
    """Return the line of the present, with a head at its upper end, in pixels."""
    path = QPainterPath(QPointF(0.0, 0.0))
    path.lineTo(0.0, height)
    path.addPolygon(QPolygonF([QPointF(-HEAD, 0.0), QPointF(HEAD, 0.0), QPointF(0.0, HEAD), QPointF(-HEAD, 0.0)]))
    return path


class HistoryPlot(pg.PlotItem):
    """Show the events of a stretch as an image, with the past tinted, the present as a line, and bookmarks as flags."""

    def __init__(self, area: PlotArea) -> None:
        super().__init__(enableMenu=False)
        self._area = area
        self.stretch = HistoryStretch(0.0, 1.0, 0, 0)
        self._rows: Sequence[HistoryRow] = ()
        self._names_width = 0.0
        self._shown: tuple[HistoryStretch, QRectF, float] | None = None  # until the rows change
        self._flags: list[pg.GraphicsObject] = []  # of the bookmarks: a line and its name each
        self.hideButtons()
        turn_off_prefixes(self)
        self.hideAxis("bottom")
        self.setMouseEnabled(False, False)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.layout.setContentsMargins(0, 0, 0, 0)
        self.vb.setDefaultPadding(0.0)
        self.invertY(True)
        self.getAxis("left").setStyle(tickLength=0, tickAlpha=0, autoReduceTextSpace=False, hideOverlappingLabels=False)
        self._events = TableImage()
        self._past, self._cover = QGraphicsRectItem(), QGraphicsRectItem()
        self._findings = pg.PlotCurveItem(connect="pairs")
        self._signs = pg.ScatterPlotItem(pxMode=True, symbol=error_symbol())
        self._now = QGraphicsPathItem()  # in pixels
        self._now.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
        for depth, item in enumerate(
            (self._events, self._findings, self._signs, self._cover, self._past, self._now)
        ):  # fmt: skip
            item.setZValue(10 * depth)
            self.addItem(item, ignoreBounds=True)
        area.scene().addItem(self)
        self.ctrlMenu.setParent(area, self.ctrlMenu.windowFlags())

    def restyle(self, border: str, border_width: float) -> None:
        """Take over the colours of the theme; ``border`` is the token of the frame's colour."""
        area, no_pen = self._area, QPen(Qt.PenStyle.NoPen)
        self._now.setPen(area.pen("text", 2))
        self._now.setBrush(area.brush("text"))
        self._findings.setPen(area.pen("error"))
        self._signs.setPen(no_pen)
        self._signs.setBrush(area.brush("error"))
        self._past.setPen(no_pen)
        self._past.setBrush(area.brush("accent", 0.12))
        self._cover.setPen(no_pen)
        self._cover.setBrush(area.brush("panel"))
        self.vb.setBorder(area.pen(border, border_width))
        self.getAxis("left").setPen(QPen(Qt.PenStyle.NoPen))
        self.getAxis("left").setTickPen(QPen(Qt.PenStyle.NoPen))
        self.getAxis("left").setTextPen(area.look.theme.qcolor("text"))

    def show_rows(self, rows: Sequence[HistoryRow], font: QFont, width: float) -> None:
        """Take ``rows`` over, and their names on the left axis, which takes ``width`` pixels, if these hold a name."""
        self._rows, self._shown = rows, None
        axis = self.getAxis("left")
        self._names_width = width if axis.isVisible() else 0.0
        axis.setTickFont(font)
        axis.setTicks([[(number + 0.5, row.kind.name) for number, row in enumerate(rows) if width > NAMES_GAP]])
        axis.setWidth(width)
        theme = self._area.look.theme
        colours = [palette.colour(theme, token) for token in ("panel", *(TOKENS[row.mark] for row in rows))]
        table = np.array([(c.red(), c.green(), c.blue()) for c in colours], np.uint8)
        self._events.setLookupTable(table, update=False)

    def show_stretch(self, stretch: HistoryStretch, band: QRectF, pitch: float) -> None:
        """Show the events in ``stretch``, each ``pitch`` pixels wide; ``band`` is the bar's place in the scene.

        Steps are counted from the first of the stretch, so that the axes stay as they are when it moves.
        """
        ratio = self._area.devicePixelRatioF()
        if self._shown == (stretch, band, ratio):
            return
        self._shown, self.stretch = (stretch, band, ratio), stretch
        names = self._names_width  # the axis itself has it only after the next turn of the event loop
        place = QRectF(stretch.left - names, band.top(), stretch.width + names, band.height())
        if place != self.geometry():
            self.setGeometry(place)
        self.layout.activate()  # the axis may have another width in the same place
        steps, rows = max(1, stretch.steps), max(1, len(self._rows))
        if self.viewRange() != [[0, steps], [0, rows]]:
            self.setRange(xRange=(0, steps), yRange=(0, rows), padding=0.0)
        self.vb.updateMatrix()  # else while it is painted, which asks for another painting
        size = round(stretch.width * ratio), round(band.height() * ratio)
        image = event_image(self._rows, stretch, *size, max(1, round(pitch * ratio)))
        self._events.setImage(image, autoLevels=False)
        self._events.setRect(QRectF(0, 0, steps, rows))
        self._now.setPath(_present(band.height()))
        self._show_findings(band.height() / rows)

    def _show_findings(self, row_height: float) -> None:
        """Draw a line through all rows and a sign for each finding that can be told from the one before."""
        side = min(row_height, float(self._area.look.px(SIGN)))
        found = next((row for row in self._rows if row.mark == Mark.FINDING), None)
        self._findings.setVisible(found is not None)
        self._signs.setVisible(found is not None)
        if found is not None:
            at = apart(found, self.stretch, side) - self.stretch.first - 0.5
            self._findings.setData(np.repeat(at, 2), np.tile([0.0, len(self._rows)], at.size))
            self._signs.setData(at, np.full(at.size, 0.5), size=side)

    def show_step(self, step: int, hidden: bool) -> None:
        """Move the line of the present; cover what comes after it where that is ``hidden``."""
        first, steps = self.stretch.first, self.stretch.steps
        x, rows = max(0.0, step - first - 0.5), max(1, len(self._rows))
        self._now.setPos(x, 0.0)
        self._past.setRect(QRectF(0.0, 0.0, x, rows))
        self._cover.setVisible(hidden)
        wide = max(0.5, 2 * steps / self.stretch.width)  # no event is drawn further to the left of its step
        self._cover.setRect(QRectF(x - wide, 0.0, steps - x + wide, rows))

    def show_bookmarks(self, bookmarks: Sequence[Bookmark]) -> None:
        """Show a flag at each bookmark, with its name where there is room before the next one."""
        for item in self._flags:
            self.removeItem(item)
        theme, font = self._area.look.theme, self._area.look.font("small")
        ends = [*(self.stretch.x(mark.step) for mark in bookmarks[1:]), self.stretch.right]
        self._flags = []
        for mark, end in zip(bookmarks, ends, strict=False):
            line = pg.InfiniteLine(mark.step - 0.5, 90, self._area.pen("accent", 2))
            flag = pg.TextItem(mark.name, theme.qcolor("on_active"), fill=theme.qcolor("accent"))
            flag.textItem.document().setDocumentMargin(2)
            flag.setFont(font)
            flag.setPos(mark.step - 0.5, 0.0)
            flag.setVisible(self.stretch.x(mark.step) + flag.boundingRect().width() < end)
            self._flags += [line, flag]
        for item in self._flags:
            item.setZValue(45)
            self.addItem(item, ignoreBounds=True)
