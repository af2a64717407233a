"""Show the library: families of kernels, and what the chosen one teaches."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from warpview.ui.commands.search_model import SearchEntry, search
from warpview.ui.drawing.controls import splitter, text_field
from warpview.ui.drawing.panel import Panel
from warpview.ui.drawing.restyled import RestyledInSight
from warpview.ui.drawing.style import bold, dim
from warpview.ui.drawing.theme import Look
from warpview.ui.session.backend import Variant
from warpview.ui.session.session import Session

KEY = Qt.ItemDataRole.UserRole


class LibraryPanel(Panel):
    """Show the list of kernels with a filter; a click runs a kernel at once."""

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self._session, self._look = session, look
        self.tree = VariantTree()
        self.items: list[tuple[Variant, QTreeWidgetItem]] = []
        self.tree.setAccessibleName("Library")
        self.lesson = QLabel()
        self.lesson.setWordWrap(True)
        self.lesson.setTextFormat(Qt.TextFormat.RichText)
        self.lesson.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.lesson.setContentsMargins(10, 6, 8, 8)
        self._about = scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setBackgroundRole(QPalette.ColorRole.Base)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(self.lesson)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        heading = QLabel("Library")
        bold(heading)
        heading.setContentsMargins(10, 4, 0, 2)
        tip = "Type part of a kernel's name, or of what it teaches"
        self.filter = text_field("Filter the library", tip, "Filter", clears=True)
        self.filter.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.filter.textChanged.connect(self._show_matches)
        self.no_match = QLabel()
        self.no_match.setWordWrap(True)
        dim(self.no_match)
        self.no_match.hide()
        self._split = splitter(Qt.Orientation.Vertical, self.tree, scroll)
        self._split.setSizes([500, 500])
        column = QVBoxLayout(self)
        column.setContentsMargins(2, 2, 2, 2)
        column.setSpacing(0)
        top = QHBoxLayout()
        top.setContentsMargins(0, 0, 4, 0)
        top.setSpacing(8)
        top.addWidget(heading)
        top.addWidget(self.filter, 1)
        column.addLayout(top)
        column.addWidget(self.no_match)
        column.addWidget(self._split)
        self._fill()
        self.tree.currentItemChanged.connect(self._on_item)
        session.variant_changed.connect(self.show_variant)
        session.compatibility_changed.connect(self.grey)
        RestyledInSight(self, look, self.grey)
        self.grey()
        self.show_variant(session.variant)

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(240, 400)

    def set_lower(self, widget: QWidget | None) -> None:
        """Show another widget in place of what the kernel teaches; None brings that back."""
        self._about.setVisible(widget is None)
        if widget is not None and self._split.indexOf(widget) < 0:
            self._split.addWidget(widget)
            self._split.setSizes([400, 0, 600])
            self.tree.scrollTo(self.tree.currentIndex())

    def _fill(self) -> None:
        for family in self._session.catalogue.families:
            top = QTreeWidgetItem([family.title])
            top.setFlags(Qt.ItemFlag.ItemIsEnabled)
            font = self.tree.font()
            font.setBold(True)
            top.setFont(0, font)
            self.tree.addTopLevelItem(top)
            for number, variant in enumerate(family.variants, 1):
                item = QTreeWidgetItem([f"{number}  {variant.title}"])
                item.setData(0, KEY, variant.key)
                top.addChild(item)
                self.items.append((variant, item))
            top.setExpanded(family.key == self._session.variant.family)

    def _show_matches(self, typed: str) -> None:
        """Hide the kernels that do not contain every word typed, and the families without any left."""
        chosen = self._session.variant.key
        for n in range(self.tree.topLevelItemCount()):
            top = self.tree.topLevelItem(n)
            assert top is not None
            mine = [(variant, item) for variant, item in self.items if item.parent() is top]
            for variant, item in mine:
                item.setHidden(not search([_entry(variant, top.text(0))], typed))
            top.setHidden(all(item.isHidden() for _, item in mine))
            top.setExpanded(bool(typed.strip()) or any(variant.key == chosen for variant, _ in mine))
        self.no_match.setText(f"No kernel matches “{typed.strip()}”.")
        self.no_match.setVisible(all(item.isHidden() for _, item in self.items))

    def grey(self) -> None:
        """Show kernels that the device cannot run in grey italics, with the reason; they can still be chosen."""
        for variant, item in self.items:
            reason = self._session.incompatibility(variant)
            font = self.tree.font()
            font.setItalic(bool(reason))
            item.setFont(0, font)
            item.setForeground(0, self._look.theme.qcolor("dim" if reason else "text"))
            item.setToolTip(0, "\n".join(filter(None, (variant.title, reason, variant.teaches))))

    def item_of(self, key: str) -> QTreeWidgetItem | None:
        return next((item for variant, item in self.items if variant.key == key), None)

    def show_variant(self, variant: Variant) -> None:
        item = self.item_of(variant.key)
        self.tree.blockSignals(True)
        parent = item.parent() if item is not None else None
        if parent is not None:
            parent.setExpanded(True)
        if item is not None:
            self.tree.setCurrentItem(item)
        else:
            self.tree.clearSelection()
        self.tree.blockSignals(False)
        look = "".join(f"<li style='margin-bottom:4px'>{escape(line)}</li>" for line in variant.look_at.splitlines())
        parts = [f"<b>{escape(variant.title)}</b>", f"<p style='margin-top:6px'>{escape(variant.teaches)}</p>"]
        parts += [f"<b>Look at</b><ul style='margin-left:-22px;margin-top:4px'>{look}</ul>"] if look else []
        self.lesson.setText("".join(parts))

    def _on_item(self, item: QTreeWidgetItem | None, _: QTreeWidgetItem | None = None) -> None:
        key = item.data(0, KEY) if item is not None else None
        if key:
            self._session.choose(key)


class VariantTree(QTreeWidget):
    """Show the variants of a family: a click chooses a kernel. The tree never takes the keyboard: keys mean the same as
    everywhere (K searches)."""

    def __init__(self) -> None:
        super().__init__()
        self.setHeaderHidden(True)
        self.setRootIsDecorated(True)
        self.setIndentation(14)
        self.setWordWrap(True)
        self.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setItemDelegate(WrappedItems(self))
        self.itemClicked.connect(self._on_click)

    def _on_click(self, item: QTreeWidgetItem) -> None:
        if item.childCount():
            item.setExpanded(not item.isExpanded())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()


class WrappedItems(QStyledItemDelegate):
    """Wrap titles: those too long for the panel go on in a second line."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:  # noqa: N802
        size = super().sizeHint(option, index)
        tree = self.parent()
        assert isinstance(tree, VariantTree)
        depth = 2 if index.parent().isValid() else 1
        width = tree.viewport().width() - depth * tree.indentation() - 10
        box = option.fontMetrics.boundingRect(
            QRect(0, 0, max(40, width), 1000), int(Qt.TextFlag.TextWordWrap), str(index.data())
        )
        return QSize(size.width(), max(option.fontMetrics.height(), box.height()) + 6)


def _entry(variant: Variant, family: str) -> SearchEntry:
    keywords = f"{variant.key.replace('/', ' ').replace('_', ' ')} {variant.teaches}"
    return SearchEntry("Kernel", variant.title, lambda: None, family, keywords)
