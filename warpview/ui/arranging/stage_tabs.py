"""Show one large view at a time, chosen by what the step does, above the headers of the others: the stage.

The pages have no layout of Qt: a page that is shown would have every widget around it laid out anew, up to the window,
and the stage shows another page at every other step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QMenu, QWidget

from warpview.ui.drawing.controls import small_button
from warpview.ui.drawing.guarded import guarded
from warpview.ui.drawing.style import fill_background
from warpview.ui.drawing.theme import Look
from warpview.ui.views.context import FrameContext
from warpview.ui.views.view import View

HEADER_SPACE, HEADER_HEIGHT = 6, 1.75  # pixels beside a header's words; height of a row, in heights of its type
UNDERLINE = 3  # pixels, below the header of the view on the stage


class StageHeader(QAbstractButton):
    """Show the name of a view and its number, which the view on the stage says itself; a click brings it there."""

    def __init__(self, view: View, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self.view, self._look = view, look
        self.name, self.number = view.short_title, ""
        self.setText(self.name)
        self.setToolTip(view.about)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._widest = 0
        self.toggled.connect(self.show_number)
        fill_background(self)

    def show_number(self) -> bool:
        """Write the number beside the name, but not where the view is on the stage; return whether that is new."""
        text = self.name if self.isChecked() or not self.number else f"{self.name} {self.number}"
        new = text != self.text()
        if new:
            self.setText(text)
        return new

    @property
    def is_cut(self) -> bool:
        """Return whether the header needs more room than it has."""
        return self.width() < self.sizeHint().width()

    def nextCheckState(self) -> None:  # noqa: N802
        """Leave it to the stage which header is checked: that of the view on it."""

    def forget_width(self) -> None:
        """Take the room that the text needs now."""
        self._widest = 0

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return the width of the widest text since ``forget_width``, so that the row does not move with every step."""
        metrics = self.fontMetrics()
        self._widest = max(self._widest, metrics.horizontalAdvance(self.text()))
        return QSize(self._widest + 2 * self._look.px(HEADER_SPACE), round(HEADER_HEIGHT * metrics.height()))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return self.sizeHint()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        theme, area = self._look.theme, self.rect()
        painter = QPainter(self)
        painter.fillRect(area, theme.qcolor("raised" if self.underMouse() else "window"))
        words = area.adjusted(0, 0, 0, -UNDERLINE)
        # Without its number the name stands in the middle: the room beside it is that of a tab, not a gap in the row.
        words.setLeft((area.width() - self.fontMetrics().horizontalAdvance(self.text())) // 2)
        painter.setPen(theme.qcolor("text" if self.isChecked() else "dim"))
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, self.name)
        words.setLeft(words.left() + self.fontMetrics().horizontalAdvance(f"{self.name} "))
        painter.setPen(theme.qcolor("text"))
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, self.text()[len(self.name) + 1 :])
        painter.fillRect(area.right(), area.top() + area.height() // 4, 1, area.height() // 2, theme.qcolor("faint"))
        if self.isChecked():
            line = area.adjusted(self._look.px(HEADER_SPACE) - 2, 0, 2 - self._look.px(HEADER_SPACE), 0)
            line.setTop(area.bottom() - UNDERLINE + 1)
            painter.fillRect(line, theme.qcolor("accent"))


class StageTabs(QWidget):
    """Show headers in a row below the view. ``chosen`` is called when the user picks one,
    ``follow`` when the button is toggled."""

    current_changed = Signal()

    def __init__(self, chosen: Callable[[], object], follow: Callable[[bool], object], look: Look) -> None:
        super().__init__()
        self._look, self._chosen = look, chosen
        self.headers: list[StageHeader] = []
        # Where a button without a group is unchecked, Qt looks through all widgets of the stage for others.
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self._hidden: set[int] = set()
        self._current = -1
        self.follow_button = small_button(
            "◎ Follow", "Show the view that each step concerns; a click on a header keeps that view",
            lambda: follow(self.follow_button.isChecked()),
        )  # fmt: skip
        self.follow_button.setAccessibleName("Follow step")
        self.follow_button.setCheckable(True)
        self.more_button = small_button("»", "More views", self._offer_more)
        for button in (self.follow_button, self.more_button):
            button.setParent(self)
            button.setAutoRaise(True)
        look.changed.connect(self._restyle)
        self._restyle()

    # ---- the pages, as of a QTabWidget

    def add_view(self, view: View) -> StageHeader:
        """Add a view behind a header of its own."""
        header = StageHeader(view, self._look, self)
        header.setFont(self._look.font("small"))
        header.clicked.connect(lambda: self._choose(view))
        header.show()
        self._group.addButton(header)
        self.headers.append(header)
        view.setParent(self)
        view.hide()
        if self._current < 0:
            self.setCurrentIndex(0)
        return header

    def count(self) -> int:
        """Return the number of views, those without a header included."""
        return len(self.headers)

    def widget(self, index: int) -> View | None:
        """Return the view behind a header."""
        return self.headers[index].view if 0 <= index < len(self.headers) else None

    def indexOf(self, view: QWidget) -> int:  # noqa: N802
        """Return the place of a view; -1 where it has none here."""
        return next((n for n, header in enumerate(self.headers) if header.view is view), -1)

    def currentIndex(self) -> int:  # noqa: N802
        """Return the place of the view on the stage."""
        return self._current

    def currentWidget(self) -> View | None:  # noqa: N802
        """Return the view on the stage."""
        return self.widget(self._current)

    def setCurrentIndex(self, index: int) -> None:  # noqa: N802
        """Bring the view at this place to the stage."""
        before, after = self.currentWidget(), self.widget(index)
        if index == self._current or after is None:
            return
        self._current = index
        self.headers[index].setChecked(True)
        if before is not None:
            left = self.headers[self.indexOf(before)]
            left.setChecked(False)
            self._make_room([left])
        if self.headers[index].isHidden():
            self._place()
        if before is not None and before.parentWidget() is self:
            before.hide()
        after.setGeometry(self._page())
        after.show()
        # Qt asks for its painting by an event, which would come after the painting that a scene asks for, and again.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.UpdateLater)
        self.current_changed.emit()

    def setCurrentWidget(self, view: QWidget) -> None:  # noqa: N802
        """Bring a view to the stage, if it has a place here."""
        self.setCurrentIndex(self.indexOf(view))

    def isTabVisible(self, index: int) -> bool:  # noqa: N802
        """Return whether a view has a header."""
        return index not in self._hidden

    def setTabVisible(self, index: int, visible: bool) -> None:  # noqa: N802
        """Give a view a header, or take it; the stage shows another view than one without a header."""
        if visible == self.isTabVisible(index):
            return
        (self._hidden.discard if visible else self._hidden.add)(index)
        self.headers[index].setVisible(visible)
        self._place()
        if not visible and index == self._current:
            self.setCurrentIndex(next((n for n in range(self.count()) if self.isTabVisible(n)), index))

    # ---- what the headers say

    def show_follows(self, on: bool) -> None:
        """Show whether the stage follows the step."""
        self.follow_button.setChecked(on)

    def take_headlines(self, context: FrameContext) -> None:
        """Take the number of each view, to be shown when it is known which view is on the stage."""
        for header in self.headers:
            header.number = header.view.headline(context)

    def show_headlines(self) -> None:
        """Write the number of each view beside its name."""
        self._make_room([header for header in self.headers if header.show_number()])

    def _make_room(self, changed: Sequence[StageHeader]) -> None:
        if any(header.is_cut for header in changed):
            self._place()

    def forget_numbers(self) -> None:
        """Remove the numbers, which belong to another run."""
        for header in self.headers:
            header.number = ""
            header.show_number()
        self._fit()

    def _fit(self) -> None:
        """Give each header the room that it needs now."""
        for header in self.headers:
            header.forget_width()
        self._place()

    def _choose(self, view: View) -> None:
        self.setCurrentWidget(view)
        self._chosen()

    # ---- places

    def _restyle(self) -> None:
        for widget in (*self.headers, self.follow_button, self.more_button):
            widget.setFont(self._look.font("small"))
        self._fit()

    @property
    def _row_height(self) -> int:
        return round(HEADER_HEIGHT * self.follow_button.fontMetrics().height())

    def _page(self) -> QRect:
        """Return the place of the view on the stage."""
        return QRect(0, 0, self.width(), max(0, self.height() - self._row_height))

    def _place(self) -> None:
        """Place the view above the row of headers. Those for which there is no room go behind a button at its end, but
        not the one of the view on the stage."""
        page, view, high = self._page(), self.currentWidget(), self._row_height
        shown = [header for n, header in enumerate(self.headers) if self.isTabVisible(n)]
        right = self.width() - self.follow_button.sizeHint().width()
        self.follow_button.setGeometry(right, page.height(), self.width() - right, high)
        crowded = sum(header.sizeHint().width() for header in shown) > right
        if crowded:
            right -= self.more_button.sizeHint().width()
        self.more_button.setGeometry(right, page.height(), self.more_button.sizeHint().width(), high)
        self.more_button.setVisible(crowded)
        left, full, kept = 0, False, sum(header.sizeHint().width() for header in shown if header.isChecked())
        for header in shown:
            wide = header.sizeHint().width()
            kept -= wide * header.isChecked()
            full = full or left + wide + kept > right
            header.setGeometry(left, page.height(), wide, high)
            header.setVisible(header.isChecked() or not full)
            left += wide * (header.isChecked() or not full)
        if view is not None and view.parentWidget() is self:
            view.setGeometry(page)

    def _offer_more(self) -> None:
        """Offer the views whose headers have no room."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for n, header in enumerate(self.headers):
            if header.isHidden() and self.isTabVisible(n):
                menu.addAction(header.text(), partial(self._choose, header.view))
        menu.popup(self.more_button.mapToGlobal(QPoint(0, -menu.sizeHint().height())))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._place()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Return the smallest size of any view, with its row of headers."""
        sizes = [header.view.minimumSize() for header in self.headers]
        wide = max((size.width() for size in sizes), default=0)
        high = max((size.height() for size in sizes), default=0)
        return QSize(wide, high + self._row_height)

    def sizeHint(self) -> QSize:  # noqa: N802
        return self.minimumSizeHint()
