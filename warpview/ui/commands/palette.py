"""Search in a field over the window (Ctrl+P): type parts of a name, choose with the arrow keys and Enter."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPointF, QSize, Qt
from PySide6.QtGui import QFont, QKeyEvent, QPainter, QPalette, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from warpview.ui.commands.search_model import SearchEntry, matched, search
from warpview.ui.drawing.controls import text_field
from warpview.ui.drawing.faces import format_range
from warpview.ui.drawing.guarded import guarded
from warpview.ui.drawing.theme import Look

WIDTH, HEIGHT = 760, 460  # pixels at normal type
MARGIN, ROW_SPACE = 8, 6  # pixels around, and between two rows
MOST_TITLE = 0.6  # of the width of titles and details together, where both are long
AnyIndex = QModelIndex | QPersistentModelIndex
MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class _Titles(QStyledItemDelegate):
    """Write titles with the letters that match what is typed in bold."""

    typed = ""

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:  # noqa: N802
        """Return the size of a title as if all of it were bold."""
        bold = QStyleOptionViewItem(option)
        bold.font.setBold(True)
        return super().sizeHint(bold, index) + QSize(0, ROW_SPACE)

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        shown = QStyleOptionViewItem(option)
        self.initStyleOption(shown, index)
        parts = matched(shown.text, self.typed)
        if not parts:
            super().paint(painter, option, index)
            return
        text, shown.text, widget = shown.text, "", shown.widget
        widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, shown, painter, widget)
        chosen = bool(shown.state & QStyle.StateFlag.State_Selected)
        margin = widget.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, shown, widget) + 1
        area = shown.rect.adjusted(margin, 0, -margin, 0)
        colours = QPalette.ColorRole.HighlightedText if chosen else QPalette.ColorRole.Text
        painter.save()
        painter.setClipRect(area)
        painter.setPen(shown.palette.color(colours))
        layout = QTextLayout(text, shown.font)
        bold = QTextCharFormat()
        bold.setFontWeight(QFont.Weight.Bold)
        layout.setFormats([format_range(begin, end - begin, bold) for begin, end in parts])
        layout.beginLayout()
        line = layout.createLine()
        layout.endLayout()
        layout.draw(painter, QPointF(area.left(), area.top() + (area.height() - line.height()) / 2))
        painter.restore()


class Palette(QDialog):
    """Offer ``entries``; the one chosen is done after the dialog has closed."""

    def __init__(self, entries: Iterable[SearchEntry], hint: str, look: Look, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._look, self._entries = look, list(entries)
        self.matches: list[SearchEntry] = []  # the entries in the list, the best first
        self._most = look.px(HEIGHT)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName("Search")
        self.field = text_field(hint, hint=hint)
        self.field.textChanged.connect(self._fill)
        self.field.returnPressed.connect(self._choose)
        self.field.installEventFilter(self)
        self.list = QTreeWidget()
        self.list.setColumnCount(4)
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName("Matches")
        self._titles = _Titles(self.list)
        self.list.setItemDelegateForColumn(1, self._titles)
        self.list.itemClicked.connect(lambda _: self._choose())
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        column.setSpacing(MARGIN)
        column.addWidget(self.field)
        column.addWidget(self.list, 1)
        header = self.list.header()
        header.setStretchLastSection(False)
        for section in (0, 3):
            header.setSectionResizeMode(section, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        self._fill("")

    def open_over(self, window: QWidget) -> None:
        """Open at the top of ``window``, in its middle."""
        width = min(self._look.px(WIDTH), window.width() - 40)
        self._most = min(self._look.px(HEIGHT), window.height() - 80)
        corner = window.mapToGlobal(window.rect().topLeft())
        self.setGeometry(corner.x() + (window.width() - width) // 2, corner.y() + 40, width, self._most)
        self._fit()
        self.show()
        self.field.setFocus()

    def _fill(self, typed: str) -> None:
        self.matches, self._titles.typed = search(self._entries, typed), typed
        self.list.clear()
        for entry in self.matches:
            item = QTreeWidgetItem([entry.kind, entry.title, entry.detail, entry.shortcut])
            for column in (0, 2, 3):
                item.setForeground(column, self._look.theme.qcolor("dim"))
            item.setToolTip(1, entry.title)
            item.setToolTip(2, entry.detail)
            self.list.addTopLevelItem(item)
        first = self.list.topLevelItem(0)
        if first is not None:
            self.list.setCurrentItem(first)
        else:
            nothing = QTreeWidgetItem(self.list, ["", "Nothing matches.", "", ""])
            nothing.setFlags(Qt.ItemFlag.NoItemFlags)
        self._fit()

    def _fit(self) -> None:
        """Make the field as high as its matches, up to the height that the window has room for, and leave the details
        the width that they need, up to a part of the whole."""
        title, detail = self.list.sizeHintForColumn(1), self.list.sizeHintForColumn(2)
        room = self.width() - 4 * MARGIN - self.list.columnWidth(0) - self.list.columnWidth(3)
        self.list.setColumnWidth(1, min(title, max(room - detail, round(MOST_TITLE * room))))
        row = self.list.sizeHintForRow(0)
        spare = self.list.height() - self.list.viewport().height()
        above = self.field.sizeHint().height() + 3 * MARGIN
        self.resize(self.width(), min(self._most, above + row * max(1, len(self.matches)) + spare))

    def _choose(self) -> None:
        item = self.list.currentItem()
        if item is None:
            return
        does: Callable[[], object] = self.matches[self.list.indexOfTopLevelItem(item)].choose
        self.close()
        does()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Let the keys that move go from the field to the list."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() in MOVES:
            self.list.keyPressEvent(event)
            return True
        return False
