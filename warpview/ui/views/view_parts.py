"""Show the parts of every view besides its body: the note in its title line, the cover, the legend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from warpview.ui.drawing.guarded import guarded
from warpview.ui.drawing.marks import draw_legend_mark
from warpview.ui.drawing.style import dim
from warpview.ui.drawing.words import Words

if TYPE_CHECKING:
    from warpview.ui.views.view import View


@dataclass(frozen=True)
class LegendEntry:
    """Describe one line of a legend: a theme token or '#rrggbb', the mark ('fill', 'hollow', 'hatch', 'dot', 'dashed',
    'light-hatch', 'sign'), and words."""

    colour: str
    mark: str
    words: str


class HeaderNote(Words):
    """Show a note right-aligned."""

    def __init__(self) -> None:
        super().__init__(int(Qt.AlignmentFlag.AlignRight))
        dim(self)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)


class ViewFront(QWidget):
    """Show the body of a view, or its cover. It has no layout of Qt, which would have the whole window laid out anew
    where one takes the place of the other."""

    def __init__(self, view: View) -> None:
        super().__init__(view)
        self._cover = ViewCover(view, self)
        self._body = QWidget(self)

    def set_body(self, body: QWidget) -> None:
        self._body.deleteLater()
        self._body = body
        body.setParent(self)
        body.setGeometry(self.rect())

    def show_body(self, shown: bool) -> None:
        """Show the body, or the cover in its place."""
        if self._body.isHidden() == shown:
            self._body.setVisible(shown)
        if self._cover.isHidden() != shown:
            self._cover.setVisible(not shown)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        for child in (self._body, self._cover):
            child.setGeometry(self.rect())

    def sizeHint(self) -> QSize:  # noqa: N802
        return self._body.sizeHint()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return self._body.minimumSizeHint().expandedTo(self._body.minimumSize())


class ViewCover(QWidget):
    """Hide the answer while the class is asked; say what there will be to see before the first run."""

    def __init__(self, view: View, parent: QWidget) -> None:
        super().__init__(parent)
        self._view = view

    @property
    def words(self) -> str:
        """Return what stands in place of the body: nothing while a step is about to be drawn."""
        context = self._view.context
        if context is None:
            return self._view.about
        return "?" if context.predicting else ""  # the caption, or the lesson, asks the one question

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        look, words = self._view.look, self.words
        painter = QPainter(self)
        asking = words == "?"
        painter.setPen(look.theme.qcolor("accent" if asking else "dim"))
        painter.setFont(look.font("big" if asking else "text"))
        box = QRectF(self.rect()).adjusted(10, 4, -10, -4)
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap), words)


class ViewLegend(QWidget):
    """Show the legend under a view, in as many lines as the width needs; a click opens the glossary."""

    def __init__(self, view: View) -> None:
        super().__init__(view)
        self._view = view
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip("Click for the glossary")

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self._view.action_requested.emit("glossary")

    def _rows(self) -> list[list[tuple[LegendEntry, int]]]:
        metrics = self.fontMetrics()
        rows: list[list[tuple[LegendEntry, int]]] = [[]]
        x = 0
        for entry in self._view.legend():
            width = metrics.horizontalAdvance(entry.words) + metrics.height() + 22
            if rows[-1] and x + width > self.width() - 16:
                rows.append([])
                x = 0
            rows[-1].append((entry, width))
            x += width
        return rows

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(100, len(self._rows()) * (self.fontMetrics().height() + 4) + 6)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(60, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        self.fit()

    def fit(self) -> None:
        """Fit the height to the lines, which depend on the width and on the words."""
        self.setFixedHeight(self.sizeHint().height())
        self.update()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        theme = self._view.look.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = self.fontMetrics().height() - 4
        y = 3.0
        for row in self._rows():
            x = 10.0
            for entry, width in row:
                draw_legend_mark(painter, QRectF(x, y + 2, side, side), entry.colour, entry.mark, theme)
                painter.setPen(theme.qcolor("text"))
                painter.drawText(QRectF(x + side + 6, y, width, side + 4), Qt.AlignmentFlag.AlignVCenter, entry.words)
                x += width
            y += side + 8
