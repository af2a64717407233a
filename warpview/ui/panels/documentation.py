"""Show the pages that come with warpview, with their headings beside them."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, QUrl
from PySide6.QtGui import (
    QBrush,
    QImage,
    QKeySequence,
    QShortcut,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextTable,
)
from PySide6.QtWidgets import QDialog, QHBoxLayout, QTextBrowser, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from warpview.resources import assets_dir
from warpview.ui.drawing.controls import small_button, text_field
from warpview.ui.drawing.restyled import RestyledInSight
from warpview.ui.drawing.theme import Look

COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)
HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
MARKDOWN = QTextDocument.ResourceType.MarkdownResource
WORD = re.compile(r"^\| (.+) \| (.+) \|$", re.MULTILINE)  # a row of the glossary
TARGET = Qt.ItemDataRole.UserRole  # of an item: the address of its heading


class Documentation(QDialog):
    """Show the pages in a window beside the main one, with the keys of a browser."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Documentation")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.text = DocumentationPage(look)
        self.pages = QTreeWidget()
        self.pages.setHeaderHidden(True)
        self.pages.setAccessibleName("Pages")
        self.pages.setFixedWidth(look.px(270))
        self.wanted = text_field("Find in this page", "Find in this page (Ctrl+F)", "Find in this page", clears=True)
        contents = [_contents(path) for path in sorted((assets_dir() / "docs").glob("*.md"))]
        self.pages.addTopLevelItems(contents)
        self._lay_out()
        self.wanted.textEdited.connect(self.find_from_here)
        self.wanted.returnPressed.connect(self.find_next)
        self.pages.currentItemChanged.connect(self._open)
        self.pages.setCurrentItem(contents[0])
        self.text.sourceChanged.connect(self._select)
        self.resize(look.page_size())

    def go_to(self, page: str, heading: str = "", words: str = "") -> None:
        """Show a page, ``<page>.md``, at a heading; or at words, which are selected."""
        address = QUrl.fromLocalFile(str(assets_dir() / "docs" / f"{page}.md"))
        address.setFragment(_anchor(heading))
        self.text.setSource(address)
        self.wanted.setText(words)
        if words:
            self.find_next()

    def find_from_here(self) -> None:
        """Select the first place of the text that is wanted, from the one that is selected on."""
        cursor = self.text.textCursor()
        cursor.setPosition(cursor.selectionStart())
        self.text.setTextCursor(cursor)
        self.find_next()

    def find_next(self) -> None:
        """Select the next place of the text that is wanted; after the last one the first."""
        if not self.text.find(self.wanted.text()):
            self.text.moveCursor(QTextCursor.MoveOperation.Start)
            self.text.find(self.wanted.text())

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.addWidget(small_button("◀", "Back (Alt+←)", self.text.backward))
        bar.addWidget(small_button("▶", "Forward (Alt+→)", self.text.forward))
        bar.addWidget(self.wanted)
        keys = {"Ctrl+F": self.wanted.setFocus, "Alt+Left": self.text.backward, "Alt+Right": self.text.forward}
        for key, does in keys.items():
            QShortcut(QKeySequence(key), self, does)
        column = QVBoxLayout()
        column.addLayout(bar)
        column.addWidget(self.text)
        row = QHBoxLayout(self)
        row.addWidget(self.pages)
        row.addLayout(column, 1)

    def _open(self, item: QTreeWidgetItem) -> None:
        address: QUrl = item.data(0, TARGET)
        if address.path() == self.text.source().path():
            self.text.scrollToAnchor(address.fragment())
        else:
            self.text.setSource(address)

    def _select(self, address: QUrl) -> None:
        """Select the heading of what is shown, where a link or a key led to it."""
        items = self.pages.findItems("", Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive)
        of_page = [item for item in items if item.data(0, TARGET).path() == address.path()]  # its title first
        shown = next((item for item in of_page if item.data(0, TARGET) == address), of_page[0])
        with QSignalBlocker(self.pages):
            self.pages.setCurrentItem(shown)


class DocumentationPage(QTextBrowser):
    """Show one page in the colours of the theme; pictures are as wide as there is room for."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.setOpenExternalLinks(True)
        self.setAccessibleName("Page")
        self.document().setDocumentMargin(look.px(16))
        soon = QTimer(self, singleShot=True, interval=0)  # a long page takes a turn of the event loop of its own
        soon.timeout.connect(self.reload)
        RestyledInSight(self, look, soon.start)

    def doSetSource(self, name: QUrl | str, /, type: QTextDocument.ResourceType = MARKDOWN) -> None:  # noqa: N802
        address = QUrl(name)
        super().doSetSource(address, MARKDOWN)
        edit = QTextCursor(self.document())
        edit.beginEditBlock()  # the page is laid out once
        self._style_tables()
        self._style_text()
        edit.endEditBlock()
        self.document().size()  # lays out all of it, so that any heading can be scrolled to
        self.scrollToAnchor(address.fragment())

    def loadResource(self, type: int, name: QUrl | str) -> object:  # noqa: N802
        path = self.source().resolved(QUrl(name)).toLocalFile()
        if type == MARKDOWN.value:
            return COMMENT.sub("", Path(path).read_text(encoding="utf-8"))
        if type == QTextDocument.ResourceType.ImageResource.value:
            return QImage(path).scaledToWidth(self._look.px(840), Qt.TransformationMode.SmoothTransformation)
        return super().loadResource(type, name)

    def _style_tables(self) -> None:
        theme = self._look.theme
        for frame in self.document().rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                form = frame.format()
                form.setBorderCollapse(True)
                form.setBorder(1)
                form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
                form.setBorderBrush(QBrush(theme.qcolor("faint")))
                form.setCellPadding(self._look.px(5))
                form.setTopMargin(self._look.px(6))
                form.setBottomMargin(0)  # an empty line follows
                frame.setFormat(form)

    def _style_text(self) -> None:
        """Set code in the font for code, and give each heading its distance and the name by which links lead to it."""
        code = QTextCharFormat()
        code.setFont(self._look.font("mono"))
        format_code(self.document(), code)
        block = self.document().begin()
        while block.isValid():
            if level := block.blockFormat().headingLevel():
                named, cursor = QTextCharFormat(), QTextCursor(block)
                named.setAnchor(True)
                named.setAnchorNames([_anchor(block.text())])
                cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
                cursor.mergeCharFormat(named)
                spaced = block.blockFormat()
                spaced.setTopMargin(self._look.px(0 if level == 1 else 22))
                cursor.setBlockFormat(spaced)
            block = block.next()


def format_code(document: QTextDocument, form: QTextCharFormat) -> None:
    """Add a format to the code in a document that was Markdown."""
    cursor, block = QTextCursor(document), document.begin()
    while block.isValid():
        for run in [piece.fragment() for piece in block]:  # type: ignore[attr-defined]
            if run.charFormat().fontFixedPitch() or block.blockFormat().nonBreakableLines():
                cursor.setPosition(run.position())
                cursor.setPosition(run.position() + run.length(), QTextCursor.MoveMode.KeepAnchor)
                cursor.mergeCharFormat(form)
        block = block.next()


def glossary_words() -> dict[str, str]:
    """Return the words that the glossary explains, with their meaning."""
    page = (assets_dir() / "docs" / "glossary.md").read_text(encoding="utf-8")
    return dict(WORD.findall(page.partition("## Views")[0].partition("|---|")[2]))


def _contents(path: Path) -> QTreeWidgetItem:
    """Return the heading of a page with the others below it."""
    page = QTreeWidgetItem()
    for level, words in HEADING.findall(path.read_text(encoding="utf-8")):
        address = QUrl.fromLocalFile(str(path))
        address.setFragment(_anchor(words))
        item = page if level == "#" else QTreeWidgetItem(page)
        item.setText(0, words.replace("`", ""))
        item.setData(0, TARGET, address)
    return page


def _anchor(heading: str) -> str:
    """Return the name by which links lead to a heading, as GitHub makes it."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
