"""Plot one array: an image of its elements with index axes, a colour bar, values and outlines on top."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetrics, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsPathItem, QGraphicsSceneResizeEvent, QStyleOptionGraphicsItem, QWidget

from warpview.ui.drawing.brush import hatching
from warpview.ui.drawing.faces import cut, face, measure
from warpview.ui.drawing.guarded import guarded
from warpview.ui.drawing.numbers import short
from warpview.ui.drawing.plot import turn_off_prefixes
from warpview.ui.drawing.theme import Look, Theme
from warpview.ui.views.arrays.arrays_model import ArrayPicture, keeps_rows
from warpview.ui.views.arrays.colouring import dark
from warpview.ui.views.arrays.colours import ink_change, tint_table, value_map
from warpview.ui.views.arrays.paths import cells_path, frame_path, region_path

LEAST_TEXT = 7.5  # pixels: the smallest type of a value; the largest is that of texts
WIDEST = 1.6  # a cell of two-dimensional arrays, for one that is 1 high
UNLIMITED = float(2**24 - 1)  # pixels: what Qt takes for no limit of a height
MOST_TEXTS = 4096  # values that are written at once
TICK_ROOM, ROW_ROOM, TICK_GAP = 30.0, 18.0, 6  # pixels between two indices across, down, and between their ends
BAR_WIDTH, MARGINS = 12, 13.0  # pixels: the width of a colour bar; all that lies around and between the parts of a cell
OUTLINES = ("frame", "padding", "halo", "span", "casing", "tile", "now", "wrong", "selected")


class ArrayTitle(pg.LabelItem):
    """Show a line above an array that is cut where there is no room, rather than to push the plots apart."""

    def __init__(self) -> None:
        super().__init__(justify="left")
        self.item.document().setDocumentMargin(0.0)

    def updateMin(self) -> None:  # noqa: N802
        self.setMinimumWidth(0)
        self.setMinimumHeight(self.itemRect().height())


class IndexAxis(pg.AxisItem):
    """Draw whole indices, ``first`` and every ``each``-th, in the middle of ``count`` cells, as many as fit."""

    def __init__(self, orientation: str) -> None:
        super().__init__(orientation)
        self.first, self.each, self.count = 0, 1, 0
        self.margin = 0.0  # pixels before the first index
        self.setStyle(tickLength=0, autoExpandTextSpace=False, autoReduceTextSpace=False)
        self.setStyle(hideOverlappingLabels=TICK_GAP)  # so many pixels of the first index may stand out

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:  # noqa: N802
        low, high = min(low, high), max(low, high)  # an axis of an inverted view gives them the other way round
        metrics = QFontMetrics(self.style["tickFont"] or self.font())
        wide = metrics.horizontalAdvance(str(self.first + self.each * self.count)) + TICK_GAP
        spacing, room = 1, max(*((TICK_ROOM, wide) if self.orientation == "top" else (ROW_ROOM, metrics.height())))
        while size > 0 and spacing * size / max(1e-6, high - low) < room:
            spacing *= 2
        least = low + self.margin * (high - low) / max(1.0, size) - 0.5
        start = int(np.ceil(max(0.0, low, least) / spacing)) * spacing
        return [(float(spacing), [k + 0.5 for k in range(start, min(self.count, int(np.ceil(high))), spacing)])]

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:  # noqa: N802
        return [str(self.first + self.each * int(value)) for value in values]


class CellTexts(pg.GraphicsObject):
    """Write the values of the cells in sight, once the zoom leaves room for them."""

    def __init__(self, plot: ArrayPlot) -> None:
        super().__init__()
        self._plot = plot

    def boundingRect(self) -> QRectF:  # noqa: N802
        shown = self._plot.shown
        return QRectF(0, 0, shown.shape.columns, shown.shape.rows) if shown is not None else QRectF()

    @guarded
    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem | None = None, widget: QWidget | None = None
    ) -> None:
        shown, view = self._plot.shown, self._plot.vb.viewRect()
        if shown is None or shown.array.kind is None:
            return
        left, right = max(0, int(view.left())), min(shown.shape.columns, int(np.ceil(view.right())))
        top, bottom = max(0, int(view.top())), min(shown.shape.rows, int(np.ceil(view.bottom())))
        cell = self.mapRectToScene(QRectF(0, 0, 1, 1))
        count = max(0, right - left) * max(0, bottom - top)
        if not count or count > MOST_TEXTS or cell.height() < LEAST_TEXT + 2:
            return
        texts = shown.texts(top, bottom, left, right)
        most = self._plot.look.unit()
        widest = max((measure(text, most) for row in texts for text in set(row)), default=0.0)
        size = min(most, 0.72 * cell.height(), most * (cell.width() - 3) / max(1.0, widest))
        if size < LEAST_TEXT:
            return
        # Letters are set in pixels of the scene: the cells of the image may be wider than high.
        to_scene = self.sceneTransform()
        painter.save()
        painter.setWorldTransform(to_scene.inverted()[0] * painter.worldTransform())
        painter.setFont(face(size).font)
        inks = [[self._plot.ink_at(row, column) for column in range(left, right)] for row in range(top, bottom)]
        for row, line in enumerate(texts, start=top):
            for column, text in enumerate(line, start=left):
                if text:
                    place = to_scene.map(QPointF(column + 0.5, row + 0.5))
                    painter.setPen(inks[row - top][column - left])
                    x, y = place.x() - measure(text, size) / 2, place.y() + face(size).foot
                    painter.drawText(QPointF(x, y), text)
        painter.restore()


class ArrayPlot(pg.PlotItem):
    """Show the image of one array. ``show_array`` changes what differs from the step before, and nothing else."""

    def __init__(self, look: Look) -> None:
        super().__init__(enableMenu=False, axisItems={"top": IndexAxis("top"), "left": IndexAxis("left")})
        self.look = look
        self.shown: ArrayPicture | None = None
        self._wider = 1.0
        self.index_width = 0.0  # of the left axis; 0 for as wide as its numbers
        self._whole = True  # nobody has zoomed in
        self._range = (0.0, 0.0)  # of the values seen so far: the scale stays from step to step
        self.room = 0.0  # pixels for the title
        self.has_bar = True  # otherwise the ends of the scale stand below the title
        self._titled = ("", "", 0.0)
        self.showAxes((True, True, False, False), showValues=(True, True, False, False))
        self.hideButtons()
        turn_off_prefixes(self)
        self.vb.invertY(True)
        self.vb.setDefaultPadding(0.0)
        self.vb.sigResized.connect(lambda _: self._resized())
        self.vb.sigRangeChangedManually.connect(lambda _: self._zoomed())
        self.image = pg.ImageItem(axisOrder="row-major")
        self.addItem(self.image)
        self._texts = CellTexts(self)
        self.outlines = {name: QGraphicsPathItem() for name in OUTLINES}
        for item in (self._texts, *self.outlines.values()):
            self.vb.addItem(item, ignoreBounds=True)
        self.bar = pg.ColorBarItem(values=(0.0, 1.0), width=BAR_WIDTH, interactive=False, pen="w", hoverPen="w")
        turn_off_prefixes(self.bar)
        self.bar.setImageItem(self.image)
        self.bar_width = self.bar.maximumWidth()
        self.title = ArrayTitle()
        self.restyle()

    def begin(self) -> None:
        """Forget the array shown, and what has been done to the plot, for another array or another layout."""
        self.shown = None
        self.index_width, self._whole, self._range = 0.0, True, (0.0, 0.0)
        self.setMaximumSize(UNLIMITED, UNLIMITED)
        self.setPreferredSize(-1, -1)
        self.bar.setMaximumSize(self.bar_width, UNLIMITED)
        self.image.clear()
        self.keep_axes(True)
        self.keep_bar(self.has_bar)

    @property
    def square(self) -> bool:
        """Return whether cells keep their shape at every zoom: those of an array of several dimensions do, of a strip
        not."""
        return self.shown is not None and keeps_rows(self.shown.array)

    def restyle(self) -> None:
        """Take the colours and the type of the look; an array is shown in them when it is shown anew."""
        theme, small = self.look.theme, self.look.font("small")
        for name in ("top", "left"):
            axis = self.getAxis(name)
            axis.setPen(QPen(Qt.PenStyle.NoPen))
            axis.setTextPen(theme.qcolor("dim"))
            axis.setTickFont(small)
        self.getAxis("top").setHeight(1.5 * self.look.unit())
        self.bar.axis.setTickFont(small)
        self.bar.axis.setTextPen(theme.qcolor("dim"))
        self.bar.axis.setPen(theme.qcolor("faint"))
        self.bar.axis.setWidth(3.6 * self.look.unit())
        self.keep_bar(self.has_bar)
        self._style_outlines(theme)

    def _style_outlines(self, theme: Theme) -> None:
        styles: dict[str, tuple[str | None, float, QBrush | None, Qt.PenStyle]] = {
            "frame": ("faint", 1.0, None, Qt.PenStyle.SolidLine),
            "padding": (None, 0.0, hatching(theme.qcolor("idle")), Qt.PenStyle.NoPen),
            "halo": ("divergence", 1.5, QBrush(theme.qcolor("divergence", 0.35)), Qt.PenStyle.DashLine),
            "span": ("accent", 1.2, None, Qt.PenStyle.DashLine),
            "casing": ("panel", 6.0, None, Qt.PenStyle.SolidLine),  # so that the tile stands out from any values
            "tile": ("accent", 3.0, None, Qt.PenStyle.SolidLine),
            "now": ("text", 1.5, None, Qt.PenStyle.SolidLine),
            "wrong": ("error", 2.5, None, Qt.PenStyle.SolidLine),
            "selected": ("conflict", 3.0, None, Qt.PenStyle.SolidLine),
        }
        for name, (token, width, brush, line) in styles.items():
            pen = QPen(theme.qcolor(token), width, line) if token else QPen(Qt.PenStyle.NoPen)
            pen.setCosmetic(True)
            pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
            self.outlines[name].setPen(pen)
            self.outlines[name].setBrush(brush or QBrush(Qt.BrushStyle.NoBrush))

    # ---- content

    def show_array(self, picture: ArrayPicture) -> None:
        """Show an array at a step."""
        before, self.shown = self.shown, picture
        if before is None or before.shape != picture.shape:
            self._fit(picture)
        if before is None or not _same_cells(before, picture):
            self._show_cells(picture)
            self._texts.update()
        titled = (picture.title, self._note(picture) if self.getAxis("left").isVisible() else "", self.room)
        if before is None or titled != self._titled:
            self._titled = titled
            theme, unit = self.look.theme, self.look.font().pointSizeF()
            title, note = titled[:2]
            if self.square:  # it lies beside another one
                title = cut(title, self.look.font(), self.room, bold=True)
                small = self.look.font("small")
                fits = cut(note, small, self.room) == note
                note = note if fits else cut(self._note(picture, brief=True), small, self.room)
            self.title.setText(
                f'<span style="color:{theme.text};font-size:{unit}pt"><b>{escape(title)}</b></span>'
                f"{('<br>' if self.square else ' &nbsp; ') if note else ''}"
                f'<span style="color:{theme.dim};font-size:{0.88 * unit}pt">{escape(note)}</span>'
            )
        self._show_outlines(picture)

    def _note(self, picture: ArrayPicture, brief: bool = False) -> str:
        """Return the line below the title, with the ends of the scale where no bar has them and a value is known."""
        note, (low, high) = picture.note(brief), self._range
        if self.has_bar or picture.tints is not None or not picture.known.any():
            return note
        return f"{f'all {short(low)}' if low == high else f'{short(low)} to {short(high)}'}, {note}"

    def _fit(self, picture: ArrayPicture) -> None:
        """Fit axes and limits to another shape."""
        shape = picture.shape
        flat = not self.square
        left = self.getAxis("left")
        left.first = shape.first if flat else shape.first // shape.columns
        left.each = shape.columns if flat else 1
        left.count, self.getAxis("top").count = shape.rows, shape.columns
        largest = str(left.first + left.each * shape.rows)
        left.setWidth(self.index_width or measure(largest, 0.9 * self.look.unit()) + 0.9 * self.look.unit())
        self._lock()
        limits = {"xMin": 0, "xMax": shape.columns, "yMin": 0, "yMax": shape.rows}
        self.vb.setLimits(**(dict.fromkeys(limits) if self.square else limits))
        self.show_all()
        self._texts.prepareGeometryChange()

    def _lock(self) -> None:
        shown = self.shown
        self.vb.setAspectLocked(shown is not None and self.square and shown.shape.columns > 1, ratio=self._wider)

    def set_cells(self, wider: float) -> None:
        """Have the cells of a two-dimensional array so many times as wide as they are high."""
        if wider != self._wider:
            self._wider = wider
            self._lock()

    def show_all(self) -> None:
        """Zoom out to the whole image, which lies at its axes: what room is left lies below it or at its right."""
        if self.shown is None:
            return
        self._whole = True
        columns, rows = float(self.shown.shape.columns), float(self.shown.shape.rows)
        if self.square and self.vb.width() > 0 and self.vb.height() > 0:
            cell = min(self.vb.width() / (columns * self._wider), self.vb.height() / rows)
            columns, rows = self.vb.width() / (cell * self._wider), self.vb.height() / cell
        self.vb.setRange(QRectF(0, 0, columns, rows), padding=0.0)

    def _resized(self) -> None:
        """Show the whole image again where it was shown before the size changed."""
        if self._whole:
            self.show_all()

    def _zoomed(self) -> None:
        self._whole = False

    def _show_cells(self, picture: ArrayPicture) -> None:
        if picture.tints is not None:
            self.image.setLookupTable(tint_table(self.look.theme))
            self.image.setImage(picture.tints, autoLevels=False, levels=(0, 255))
            self.bar.hide()
            return
        low, high = picture.levels
        self._range = low, high = min(low, self._range[0]), max(high, self._range[1])
        if high <= low:
            high = low + 1.0
        values = picture.values.astype(np.float32)
        values[~picture.known] = np.nan
        self.image.setLookupTable(None)
        self.image.setImage(values, autoLevels=False, levels=(low, high))
        self.bar.setColorMap(value_map(self.look.theme))
        self.bar.setLevels((low, high))
        self.bar.axis.setTicks([[(low, short(low)), (high, short(high))]])
        self.bar.setVisible(self.has_bar)

    def keep_bar(self, on: bool) -> None:
        """Show the colour bar of values, or leave its room to the image."""
        self.has_bar = on
        self.bar.setVisible(on and (self.shown is None or self.shown.tints is None))
        self.bar.setMaximumWidth(self.bar_width if on else 0.0)
        around = self.look.unit() if on else 0.0  # which a bar takes up even where it is hidden
        self.bar.layout.setContentsMargins(0, 1.5 * around, 0, 0.6 * around)

    def keep_axes(self, on: bool) -> None:
        """Show the indices and the note, or leave their room to the image."""
        self.showAxis("top", on)
        self.showAxis("left", on)

    def ink_at(self, row: int, column: int) -> QColor:
        """Return the colour of a text on a cell."""
        shown, theme = self.shown, self.look.theme
        assert shown is not None
        if shown.tints is not None:
            return theme.qcolor("on_active") if dark(int(shown.tints[row, column])) else theme.qcolor("text")
        low, high = self._range
        share = (float(shown.values[row, column]) - low) / (high - low) if high > low else 0.0
        return theme.qcolor("on_active" if share >= ink_change(theme) else "text")

    def _show_outlines(self, picture: ArrayPicture) -> None:
        shape, array = picture.shape, picture.array
        now = [place for k in picture.accessed if (place := shape.place(k)) is not None]
        wrong = [place for k in picture.findings if (place := shape.place(k)) is not None]
        selected = shape.place(picture.selected) if picture.selected is not None else None
        offset = shape.first // shape.columns if len(array.dims) == 2 else 0
        paths = {
            "now": cells_path(now),
            "wrong": cells_path(wrong),
            "selected": cells_path([selected] if selected is not None else []),
            "casing": region_path(picture.tile, offset),
            "tile": region_path(picture.tile, offset),
            "span": region_path(picture.span, offset),
            "halo": region_path(picture.halo, offset, picture.tile),
            "frame": frame_path(shape),
            "padding": QPainterPath(),
        }
        if picture.padding is not None:
            paths["padding"].addRect(QRectF(picture.padding, 0, shape.columns - picture.padding, shape.rows))
        for name, path in paths.items():
            if self.outlines[name].path() != path:
                self.outlines[name].setPath(path)

    def element_at(self, place: QPointF) -> int | None:
        """Return the element at a position of the scene."""
        if self.shown is None or not self.vb.sceneBoundingRect().contains(place):
            return None
        data = self.vb.mapSceneToView(place)
        return self.shown.shape.index(int(np.floor(data.y())), int(np.floor(data.x())))


class ArrayCell(pg.GraphicsLayout):
    """Show a plot of an array with its title above it and its colour bar beside it."""

    def __init__(self, look: Look) -> None:
        self.plot = ArrayPlot(look)
        super().__init__()
        self.layout.setContentsMargins(9, 4, 2, 2)
        self.layout.setSpacing(1)
        self.addItem(self.plot.title, 0, 0, 1, 2)
        self.addItem(self.plot, 1, 0)
        self.addItem(self.plot.bar, 1, 1)

    def resizeEvent(self, event: QGraphicsSceneResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self.fit_plot()

    def fit_plot(self) -> None:
        """Give the plot of a two-dimensional array the shape of the array, so that the bar stands at the image. Its
        cells are wider than high where there is room for it."""
        plot, square = self.plot, self.plot.square
        for stretch in (self.layout.setColumnStretchFactor, self.layout.setRowStretchFactor):
            stretch(2, int(square))  # what the plot leaves of the room
        if not square or plot.shown is None:
            return
        # What they will take: those of another array may still be in place.
        axis_wide, axis_high = plot.getAxis("left").minimumWidth(), plot.getAxis("top").minimumHeight()
        bar_wide = BAR_WIDTH + plot.bar.axis.minimumWidth() if plot.has_bar else 0.0
        wide = self.size().width() - axis_wide - bar_wide - MARGINS
        high = self.size().height() - axis_high - plot.title.itemRect().height() - MARGINS
        rows, columns = plot.shown.shape.rows, plot.shown.shape.columns
        cell = max(1e-3, min(wide / columns, high / rows))
        wider = min(WIDEST, max(1.0, wide / (columns * cell)))
        size = QSizeF(axis_wide + cell * wider * columns, axis_high + cell * rows)
        plot.set_cells(wider)
        plot.setMaximumSize(size)
        plot.setPreferredSize(size)
        plot.bar.setMaximumSize(plot.bar_width if plot.has_bar else 0.0, size.height())


def _same_cells(before: ArrayPicture, now: ArrayPicture) -> bool:
    """Return whether the cells look as before."""
    if before.array != now.array or before.shape != now.shape or (before.tints is None) != (now.tints is None):
        return False
    if now.tints is not None and before.tints is not None:
        return np.array_equal(before.tints, now.tints) and before.values.tobytes() == now.values.tobytes()
    return before.values.tobytes() == now.values.tobytes() and np.array_equal(before.known, now.known)
