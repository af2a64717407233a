"""Show the key table, made from the table of actions."""

from __future__ import annotations

from functools import cache
from html import escape
from itertools import chain, zip_longest

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QVBoxLayout, QWidget

from warpview.ui.commands.actions import LAYOUTS, MENUS, TABLE, Action, shown_key
from warpview.ui.drawing.theme import Look

# Menus side by side in this many columns, or in fewer where there is no room.
COLUMNS = (("Run", "Go"), ("Kernel", "View"), ("File", "Edit", "Lessons", "Help"))
EMPTY = "<td></td><td></td>"
FRAME = 60  # pixels: what lies around the table, and around the page


def table_html(look: Look, columns: int = len(COLUMNS)) -> str:
    """Return every action that has a key, menu by menu; the last of ``columns`` has the menus of those left out.

    It is one table, as Qt lays out a table within a table twice.
    """
    assert {menu for column in COLUMNS for menu in column} == set(MENUS)
    colour = look.theme.accent
    columns_ = (*COLUMNS[: columns - 1], tuple(chain.from_iterable(COLUMNS[columns - 1 :])))
    cells = [[cell for menu in column for cell in _cells(menu, colour)][1:] for column in columns_]
    rows = "".join(f"<tr>{''.join(row)}</tr>" for row in zip_longest(*cells, fillvalue=EMPTY))
    return f"<table cellpadding='2'>{rows}</table>"


def _cells(menu: str, colour: str) -> list[str]:
    """Return two cells for each row of a menu, keys and words, below an empty row and the menu's title."""
    title = f"<td></td><td style='font-size:large;font-weight:700'>&nbsp;{menu}</td>"
    return [EMPTY, title, *(_row(row, colour) for row in _rows(menu))]


def _rows(menu: str) -> list[Action]:
    """Return the rows of a menu: an action and its opposite with Shift in one, the digits in one."""
    rows = [row for row in TABLE if row.menu.partition("/")[0] == menu and row.keys and row.id not in _turns()]
    if menu == "Go":
        return [*_without(rows, "warp_"), Action("", menu, 0, "Select warp", ("0 … 9",), "")]
    if menu == "View":
        return [*_without(rows, "layout_"), Action("", menu, 0, "Saved layout", (f"Ctrl+Alt+1 … {LAYOUTS}",), "")]
    return rows


def _without(rows: list[Action], start: str) -> list[Action]:
    return [row for row in rows if not row.id.startswith(start)]


@cache
def _turns() -> frozenset[str]:
    """Return the ids of the actions that have the key of another row with Shift."""
    turns = (_with_shift(row)[0] for row in TABLE)
    return frozenset(turn.id for turn in turns if turn is not None)


def _with_shift(row: Action) -> tuple[Action | None, str]:
    """Return the action that Shift makes of this one, and what that is in a word or two."""
    wanted = f"Shift+{row.keys[0]}" if row.keys else None
    turn = next((r for r in TABLE if r.keys and r.keys[0] == wanted), None)
    if turn is None or turn.menu != row.menu or turn.menu == "Kernel":
        return None, ""
    if not turn.id.startswith("previous") and not turn.id.endswith("_any"):
        return None, ""  # something else altogether
    return turn, "of any warp" if turn.id.endswith("_any") else "previous"


def _row(row: Action, colour: str) -> str:
    keys = escape(shown_key(row, all_keys=row.id in ("next", "previous", "next_variant", "previous_variant")))
    style = f"color:{colour};font-weight:700;white-space:pre"
    turn, word = _with_shift(row)
    text = f"{row.text} (⇧ {word})" if turn is not None else row.text
    return f"<td align='right' style='{style}'>{keys}</td><td style='white-space:pre'>&nbsp;{escape(text)}&nbsp;</td>"


class KeysPage(QDialog):
    """Show the key table in a window that any key closes."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keys")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        text, table = QTextBrowser(), QTextDocument(self)
        table.setDefaultFont(text.font())
        space = parent.size() if parent is not None else self.size()
        for columns in range(len(COLUMNS), 0, -1):
            table.setHtml(table_html(look, columns))
            table.setTextWidth(-1)  # lays it out
            wide = round(table.idealWidth()) + FRAME
            if wide <= space.width() - FRAME:
                break
        text.setDocument(table)
        text.setAccessibleName("Keys")
        text.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(text)
        column.addWidget(buttons)
        self.resize(min(space.width() - FRAME, wide), min(space.height() - FRAME, look.px(640)))
