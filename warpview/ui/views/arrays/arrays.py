"""Show every array of the kernel as an image, with the tile of the block that runs: the arrays view."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from PySide6.QtCore import QPoint, QPointF, QSize, Qt, QTimer
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QToolTip

from warpview.ui.drawing.faces import advance
from warpview.ui.drawing.scene import Scene
from warpview.ui.drawing.theme import Look
from warpview.ui.moving.selection import Selection
from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.views.arrays.arrays_model import ArrayPicture, TileCache, hover, keeps_rows, pictures
from warpview.ui.views.arrays.colouring import legend_of, next_colouring, words_of
from warpview.ui.views.arrays.plot import UNLIMITED, ArrayCell, ArrayPlot
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.view import LegendEntry, View

SPACING = 4  # pixels between arrays
ROW_HEIGHT = 1.5  # units: the height that a row of a one-dimensional array takes at least, where there is room
LEAST_BARRED = 6.0  # units: the least height of a one-dimensional array, title and axis included, with a colour bar
LEAST_INDEXED = 4.4  # units: the same, with an axis like that of an array above it
LOWEST_INDEXED = 3.2  # units: the same, with an axis that no array above it has
LEAST_WIDE = 0.64  # share of the height that arrays of two dimensions have at least
MOST_TITLE = 12.0  # units: of a longer title the end may be cut
LOWEST = 2.6  # units: the least height of a one-dimensional array, of which the title and a strip are to be seen
LOWEST_WIDE = 4.6  # units: the same of an array of two dimensions
ROOMY = 7.0  # units: the height from which on an array of two dimensions has axes and a line below its title
AHEAD = 3  # plots that are made before a run asks for them: as many as the opening kernel has arrays
FEW = 8  # elements of a row whose places can be seen without an axis


class ArraysScene(Scene):
    """Host the plots of the arrays; clicks and hover go by element."""

    def __init__(self, view: ArraysView) -> None:
        super().__init__(view.look, view)
        self._view = view
        self.ci.layout.setSpacing(SPACING)
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
    """Show global and shared arrays, coloured by value, by who accessed them when, or by what the access cost."""

    key = "arrays"
    title = "Arrays"
    about = (
        "The kernel's arrays: values or accesses as colours, this step's elements outlined, the tile of the running "
        "block framed. The wheel zooms, a click selects an element, a double-click shows all."
    )
    min_size = QSize(260, 90)
    meanings = (
        LegendEntry("text", "hollow", "accessed by this step"),
        LegendEntry("accent", "hollow", "tile of the block"),
        LegendEntry("divergence", "fill", "halo"),
        LegendEntry("idle", "light-hatch", "padding"),
        LegendEntry("conflict", "hollow", "selected element"),
        LegendEntry("error", "sign", "race or error"),
    )

    def __init__(self, selection: Selection, look: Look) -> None:
        self.plots: list[ArrayPlot] = []
        self._cells: list[ArrayCell] = []  # made so far; those that are not in use are hidden
        super().__init__(selection, look)
        self.canvas = ArraysScene(self)
        self.canvas.resized.connect(self._on_resized)
        self.set_body(self.canvas)
        self._arrays: Hashable = None  # those that the plots are of
        self._placed = False
        self._cache: TileCache | None = None
        self._colours = self.add_tool("", "Colour the arrays by value or by their accesses: next colouring (H)")
        self._colours.clicked.connect(lambda: selection.update(colours=next_colouring(selection.now.colours)))
        selection.changed.connect(self._on_selection)
        self._on_selection(selection.now, selection.now)
        self._ahead = QTimer(self)
        self._ahead.timeout.connect(self._make_ahead)
        self._ahead.start(0)

    def _on_selection(self, old: Snapshot, new: Snapshot) -> None:
        self._colours.setText(words_of(new.colours)[0])

    def _on_resized(self) -> None:
        self._placed = False
        self.refresh()

    def prepare(self, run: RunLike) -> None:
        self.clear()
        self._cache = TileCache(run.program)

    def clear(self) -> None:
        self._use_cells(0)
        self._arrays = self._cache = None

    def draw(self, context: FrameContext) -> None:
        assert self._cache is not None
        found = list(pictures(context, self._cache))
        shown = self._fitting(found)
        wanted = tuple((p.array.name, p.array.space, p.shape.rows, p.shape.columns) for p in shown)
        if wanted != self._arrays:
            self._use_cells(len(shown))
            self._arrays, self._placed = wanted, False
        if not self._placed:
            self._place(shown)
        for cell, picture in zip(self._cells, shown, strict=False):
            new = cell.plot.shown is None
            cell.plot.show_array(picture)
            if new:
                cell.fit_plot()
        accessed = next((p for p in shown if p.accessed), None)
        part = f"{len(shown)} of {len(found)} arrays" if len(shown) < len(found) else ""
        self.set_note(", ".join(filter(None, (part, self._words(context, accessed)))))
        names = ", ".join(p.title for p in shown)
        self.canvas.setAccessibleDescription(f"Arrays: {names}." if shown else "This kernel has no arrays.")

    def _words(self, context: FrameContext, accessed: ArrayPicture | None) -> str:
        if context.selection.colours:
            waiting = [plot.shown for plot in self.plots if plot.shown is not None and plot.shown.tints is None]
            if not waiting:
                return legend_of(context)
            refused = context.accesses is not None and context.accesses.refuses(waiting[0].array.extent)
            return "too many accesses to keep" if refused else "collecting accesses …"
        if accessed is None:
            return ""
        count = len(accessed.accessed)
        return f"{accessed.array.element_name(accessed.accessed[0])}" + (f" and {count - 1} more" if count > 1 else "")

    def _fitting(self, found: list[ArrayPicture]) -> list[ArrayPicture]:
        """Return the arrays that there is room for, at least one: first those that the step accesses, then those shown
        at the step before."""
        before = {plot.shown.array.name for plot in self.plots if plot.shown is not None}
        order = sorted(found, key=lambda p: (not p.accessed, p.array.name not in before))
        most = next((n for n in range(len(order), 1, -1) if self._fits(order[:n])), 1)
        return [picture for picture in found if picture in order[:most]]

    def _fits(self, shown: list[ArrayPicture]) -> bool:
        wide = [p for p in shown if keeps_rows(p.array)]
        lines = -(-len(wide) // max(1, int(self.canvas.width() / self._title_width(wide)))) if wide else 0
        return lines * LOWEST_WIDE + (len(shown) - len(wide)) * LOWEST <= self.canvas.height() / self.look.unit()

    def _title_width(self, wide: list[ArrayPicture]) -> float:
        """Return the least width in pixels of arrays of two dimensions: that of their titles."""
        titles = max((advance(p.title, self.look.font(), bold=True) for p in wide), default=0.0)
        return min(titles + 3 * SPACING, MOST_TITLE * self.look.unit())

    def _place(self, shown: list[ArrayPicture]) -> None:
        """Arrange the plots: two-dimensional arrays side by side, as large as can be, one-dimensional ones below."""
        self._placed = True
        layout, unit = self.canvas.ci, self.look.unit()
        self._clear_grid()
        pairs = list(zip(self._cells, shown, strict=False))
        wide = [pair for pair in pairs if keeps_rows(pair[1].array)]
        flat = [pair for pair in pairs if not keeps_rows(pair[1].array)]
        below = sum(min(p.shape.rows, 6) * ROW_HEIGHT + 2.4 for _, p in flat) * unit
        height = max(LEAST_WIDE * self.canvas.height(), self.canvas.height() - below)
        sizes = [(p.shape.rows, p.shape.columns) for _, p in wide]
        around = (8 * unit, 4.4 * unit), (3 * unit, 4.4 * unit)
        least = self._title_width([picture for _, picture in wide])
        across, has_bars = arrange(sizes, self.canvas.width(), height, *around, least) if wide else (1, True)
        for k, (cell, _) in enumerate(wide):
            layout.layout.addItem(cell, k // across, k % across)
        lines = -(-len(wide) // across)
        for k, (cell, picture) in enumerate(flat, lines):
            layout.layout.addItem(cell, k, 0, 1, across)
            cell.plot.index_width = 4.2 * unit  # of all: columns of one array stand above those of the next
            cell.plot.setMaximumHeight((picture.shape.rows * 2.4 + 1.6) * unit)
            layout.layout.setRowStretchFactor(k, min(picture.shape.rows, 12))
        room = self._fix_cells(across, lines, height)
        roomy = height >= ROOMY * unit * lines
        for cell, _ in wide:
            cell.plot.keep_bar(has_bars and roomy)
            cell.plot.keep_axes(roomy)
            cell.plot.room = room - 2 * SPACING
        layout.layout.activate()
        self._align(flat, has_bars)
        layout.layout.activate()
        layout.setGeometry(self.canvas.range)  # it has grown for the axes that are gone now

    def _fix_cells(self, across: int, lines: int, height: float) -> float:
        """Give the cells of two-dimensional arrays one size, which does not depend on what is in them: the plots are
        fitted to the cells. Return their width."""
        grid, width = self.canvas.ci.layout, (self.canvas.width() - (across - 1) * SPACING) / across
        high = height / lines - SPACING if lines else 0.0
        for column in range(max(across, grid.columnCount())):
            grid.setColumnMinimumWidth(column, width if column < across else 0.0)
            grid.setColumnMaximumWidth(column, width if column < across else UNLIMITED)
        for row in range(max(lines, grid.rowCount())):
            grid.setRowMinimumHeight(row, high if row < lines else 0.0)
            grid.setRowMaximumHeight(row, high if row < lines else UNLIMITED)
        return width

    def _align(self, flat: list[tuple[ArrayCell, ArrayPicture]], has_bars: bool) -> None:
        """Give one-dimensional arrays axes and colour bars alike, where there is room for them, so that the columns of
        one array stand above those of the next."""
        unit = self.look.unit()
        lowest = min((cell.size().height() for cell, _ in flat), default=0.0) / unit
        indexed = set(range(FEW + 1))  # numbers of columns of which no axis is needed, or needed any more
        for cell, picture in flat:
            cell.plot.keep_bar(has_bars and lowest >= LEAST_BARRED)
            shows = lowest >= (LEAST_INDEXED if picture.shape.columns in indexed else LOWEST_INDEXED)
            cell.plot.showAxis("top", shows)
            cell.plot.getAxis("left").margin = 0.0 if shows else 0.4 * unit  # a number would lie on the title above
            indexed.add(picture.shape.columns)
            cell.plot.layout.activate()
            cell.layout.activate()

    def _use_cells(self, count: int) -> None:
        """Take ``count`` cells into use and hide the others: to make a plot takes 22 ms, to show it again 3."""
        self._clear_grid()
        while len(self._cells) < count:
            self._add_cell()
        for number, cell in enumerate(self._cells):
            cell.plot.begin()
            cell.setVisible(number < count)
        self.plots = [cell.plot for cell in self._cells[:count]]

    def _clear_grid(self) -> None:
        """Take the cells out of the grid. pyqtgraph would take them out of the scene as well, one by one, and lay out
        the grid after each that is put in."""
        grid = self.canvas.ci.layout
        while grid.count():
            grid.removeAt(0)

    def _make_ahead(self) -> None:
        """Make a plot before the first run needs it, one in each turn of the event loop."""
        if len(self._cells) < AHEAD:
            self._add_cell()
        else:
            self._ahead.stop()

    def _add_cell(self) -> None:
        """Make a cell, hidden, in the scene: one that no scene owns would outlive the window."""
        cell = ArrayCell(self.look)
        cell.hide()
        cell.setParentItem(self.canvas.ci)
        self._cells.append(cell)
        self._own_menus(cell)

    def _own_menus(self, cell: ArrayCell) -> None:
        """Give the menus that pyqtgraph makes for a plot an owner: they would outlive the window."""
        for menu in (menu for plot in (cell.plot, cell.plot.bar) for menu in (plot.ctrlMenu, plot.vb.menu)):
            if menu is not None and menu.parent() is None:
                menu.setParent(self.canvas, menu.windowFlags())

    def hover_at(self, place: QPointF) -> str:
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
        for cell in self._cells:
            cell.plot.restyle()
        self._arrays = None
        super().restyle()

    def design(self, run: RunLike) -> tuple[float, float]:
        return (60.0, 36.0)


def arrange(
    sizes: Sequence[tuple[int, int]], width: float, height: float, with_bar: tuple[float, float],
    without: tuple[float, float], least: float = 0.0,
) -> tuple[int, bool]:  # fmt: skip
    """Return how many plots to put beside one another so that images of these (rows, columns) come out largest, and
    whether they keep their colour bars, which go where images become 40 % larger without.

    ``with_bar`` and ``without`` are the width and the height that title, axes and colour bar take of each. Where
    several numbers are as good the smallest is taken, which fills the rows most evenly. Plots are no narrower than
    ``least``, the width of the titles, where that can be.
    """

    def scale(across: int, around: tuple[float, float]) -> float:
        lines = -(-len(sizes) // across)
        room = max(1.0, width / across - around[0]), max(1.0, height / lines - around[1])
        return min(min(room[0] / columns, room[1] / rows) for rows, columns in sizes)

    fitting = [n for n in range(1, len(sizes) + 1) if n == 1 or width / n >= least]
    best = [max((scale(n, around), -n) for n in fitting) for around in (with_bar, without)]
    has_bars = best[1][0] < 1.4 * best[0][0]
    return -best[not has_bars][1], has_bars
