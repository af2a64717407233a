"""The arrays view: every array of the kernel as an image, with the tile of the block that runs."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QToolTip, QWidget

from warpview.isa.types import Space
from warpview.ui.drawing.scene import Scene
from warpview.ui.drawing.theme import Look
from warpview.ui.moving.selection import Selection
from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.views.array_plot import ArrayPlot, arrange
from warpview.ui.views.arrays_model import ArrayPicture, TileCache, hover, pictures
from warpview.ui.views.colouring import legend_of, next_colouring, words_of
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.view import LegendEntry, View

ROW_HEIGHT = 1.5  # units: the height that a row of a one-dimensional array takes at least, where there is room


class ArraysScene(Scene):
    """The scene of the arrays; clicks and hover go by element."""

    def __init__(self, view: ArraysView) -> None:
        super().__init__(view.look, view)
        self._view = view
        self.ci.layout.setSpacing(4)
        self.scene().sigMouseClicked.connect(self._on_click)
        self.setAccessibleName(view.title)

    def _on_click(self, event: Any) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        for plot in self._view.plots:
            index = plot.element_at(event.scenePos())
            if index is not None and plot.shown is not None:
                if event.double():
                    plot.show_all()
                else:
                    self._view.selection.toggle(element=plot.shown.array.element(index))
                event.accept()

    def _show_hover(self, event: QHelpEvent) -> bool:
        says = self._view.hover_at(self.mapToScene(event.pos()))
        if says:
            QToolTip.showText(event.globalPos(), says, self.viewport())
        else:
            QToolTip.hideText()
        return bool(says)


class ArraysView(View):
    """Global and shared arrays coloured by value, by who accessed them when, or by what the access cost."""

    key = "arrays"
    title = "Arrays"
    about = (
        "The kernel's arrays: values or accesses as colours, this step's elements outlined, the tile of the running "
        "block framed. The wheel zooms, a click selects an element, a double click shows all."
    )
    min_size = QSize(260, 150)

    def __init__(self, selection: Selection, look: Look, parent: QWidget | None = None) -> None:
        self.plots: list[ArrayPlot] = []
        super().__init__(selection, look, parent)
        self.canvas = ArraysScene(self)
        self.canvas.resized.connect(self._on_resized)
        self.set_body(self.canvas)
        self._laid: Hashable = None
        self._cache: TileCache | None = None
        self._colours = self.add_tool("", "Colour the arrays by value or by their accesses: next colouring (H)")
        self._colours.clicked.connect(lambda: selection.update(colours=next_colouring(selection.now.colours)))
        selection.changed.connect(self._on_selection)
        self._on_selection(selection.now, selection.now)

    def _on_selection(self, old: Snapshot, new: Snapshot) -> None:
        self._colours.setText(words_of(new.colours)[0])

    def _on_resized(self) -> None:
        self._laid = None
        self.refresh()

    def legend(self) -> list[LegendEntry]:
        return [
            LegendEntry("text", "hollow", "accessed by this step"),
            LegendEntry("accent", "hollow", "tile of the block"),
            LegendEntry("divergence", "fill", "halo"),
            LegendEntry("idle", "light-hatch", "padding"),
            LegendEntry("conflict", "hollow", "selected element"),
            LegendEntry("error", "sign", "race or error"),
        ]

    def prepare(self, run: RunLike) -> None:
        self.clear()
        self._cache = TileCache(run.program)

    def clear(self) -> None:
        self.canvas.ci.clear()
        self.plots = []
        self._laid = self._cache = None

    def draw(self, context: FrameContext) -> None:
        assert self._cache is not None
        shown = list(pictures(context, self._cache))
        wanted = tuple((p.array.name, p.array.space, p.shape.rows, p.shape.columns) for p in shown)
        if wanted != self._laid:
            self._lay_out(shown)
            self._laid = wanted
        for plot, picture in zip(self.plots, shown, strict=True):
            plot.show_array(picture)
        accessed = next((p for p in shown if p.accessed), None)
        self.set_note(self._words(context, accessed))
        names = ", ".join(p.title for p in shown)
        self.canvas.setAccessibleDescription(f"Arrays: {names}." if shown else "This kernel has no arrays.")

    def _words(self, context: FrameContext, accessed: ArrayPicture | None) -> str:
        if context.selection.colours:
            waiting = [plot.shown for plot in self.plots if plot.shown is not None and plot.shown.tints is None]
            if not waiting:
                return legend_of(context)
            refused = context.accesses is not None and context.accesses.refuses(waiting[0].array.extent)
            return "too many accesses to keep" if refused else "finding who accessed what …"
        if accessed is None:
            return ""
        count = len(accessed.accessed)
        return f"{accessed.array.element_name(accessed.accessed[0])}" + (f" and {count - 1} more" if count > 1 else "")

    def _lay_out(self, shown: list[ArrayPicture]) -> None:
        """Arrays of two dimensions beside one another as they come out largest, one-dimensional ones below in rows."""
        layout = self.canvas.ci
        layout.clear()
        self.plots = [ArrayPlot(self.look) for _ in shown]
        pairs = list(zip(self.plots, shown, strict=True))
        wide = [pair for pair in pairs if len(pair[1].array.dims) > 1]
        flat = [pair for pair in pairs if len(pair[1].array.dims) == 1]
        unit = self.look.unit()
        below = sum(min(p.shape.rows, 12) * ROW_HEIGHT + 3.4 for _, p in flat) * unit
        height = max(0.5 * self.canvas.height(), self.canvas.height() - below)
        across = arrange([(p.shape.rows, p.shape.columns) for _, p in wide], self.canvas.width(), height) if wide else 1
        for k, pair in enumerate(wide):
            self._put(*pair, k // across, k % across)
        lines = -(-len(wide) // across)
        for k, (plot, picture) in enumerate(flat):
            self._put(plot, picture, lines + k, 0, across)
            plot.index_width = 4.2 * unit  # so that the columns of one array stand above those of the next
            most = (picture.shape.rows * 2.4 + 1.6) * unit
            plot.setMaximumHeight(most)
        for row in range(lines):
            layout.layout.setRowStretchFactor(row, 4)

    def _own_menus(self, plot: pg.PlotItem) -> None:
        """Give the menus that pyqtgraph makes for a plot an owner: they would outlive the window."""
        for menu in (plot.ctrlMenu, plot.vb.menu):
            if menu is not None and menu.parent() is None:
                menu.setParent(self.canvas, menu.windowFlags())

    def _put(self, plot: ArrayPlot, picture: ArrayPicture, row: int, column: int, span: int = 1) -> None:
        for each in (plot, plot.bar):
            self._own_menus(each)
        cell = pg.GraphicsLayout()
        cell.layout.setContentsMargins(6, 2, 2, 2)
        cell.layout.setSpacing(1)
        cell.addItem(plot.title, 0, 0, 1, 2)
        cell.addItem(plot, 1, 0)
        cell.addItem(plot.bar, 1, 1)
        self.canvas.ci.addItem(cell, row, column, 1, span)

    def hover_at(self, place: Any) -> str:
        """Return the text for the pointer at a position of the scene; '' where no element is."""
        for plot in self.plots:
            index = plot.element_at(place)
            if index is not None and plot.shown is not None and self.context is not None:
                return hover(self.context, plot.shown, index)
        return ""

    def context_actions(self, place: QPoint) -> list[tuple[str, str]]:
        """Select the element at a place of the screen and offer the steps that access it."""
        at = self.canvas.mapToScene(self.canvas.mapFromGlobal(place))
        for plot in self.plots:
            index = plot.element_at(at)
            if index is not None and plot.shown is not None:
                element = plot.shown.array.element(index)
                self.selection.update(element=element)
                return [
                    (f"Who wrote {element.name}?", "last_write"), ("Next access", "next_access"),
                    ("Previous access", "previous_access"),
                ]  # fmt: skip
        return []

    def restyle(self) -> None:
        self.canvas.restyle()
        self._laid = None
        super().restyle()

    def design(self, run: RunLike) -> tuple[float, float]:
        return (60.0, 36.0)

    def texts(self) -> list[str]:
        return [*super().texts(), *(p.shown.title + ", " + p.shown.note for p in self.plots if p.shown is not None)]

    @property
    def shared_plots(self) -> list[ArrayPlot]:
        """Return the plots of shared arrays."""
        return [p for p in self.plots if p.shown is not None and p.shown.array.space is Space.SHARED]
