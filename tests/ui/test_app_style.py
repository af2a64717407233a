"""The style draws controls right in every theme, and they grow with the type."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPalette, QTextLayout
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QScrollBar,
    QSpinBox,
    QStyle,
    QStyleOptionFrame,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QWidget,
)

from warpview.ui.drawing.faces import face
from warpview.ui.drawing.panel import Panel
from warpview.ui.drawing.style import apply_style, bold, dim, mark
from warpview.ui.drawing.theme import SCALES, SIZES, THEMES, Look, contrast


@pytest.fixture(params=sorted(THEMES))
def themed(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[Look]:
    look = Look(THEMES[request.param], motion=False)
    apply_style(qapp, look)
    yield look
    apply_style(qapp, Look(motion=False))


def middle(widget: QWidget, x: int | None = None) -> QColor:
    """The colour at half height, in the middle or ``x`` pixels from the left."""
    picture = widget.grab().toImage()
    return picture.pixelColor(picture.width() // 2 if x is None else x, picture.height() // 2)


def near(one: QColor, token: str, look: Look) -> bool:
    other = look.theme.qcolor(token)
    return max(abs(a - b) for a, b in zip(one.getRgb(), other.getRgb(), strict=True)) < 12  # type: ignore[arg-type]


def test_colours_of_the_system_never_mix_with_those_of_the_theme(themed: Look, qapp: QApplication) -> None:
    """Qt fills in from the system's palette, whenever that changes, the roles that an application leaves out."""
    system, roles = QPalette(), set(QPalette.ColorRole) - {QPalette.ColorRole.NoRole, QPalette.ColorRole.NColorRoles}
    for role in roles:
        system.setColor(role, QColor("magenta"))
    shown = qapp.palette().resolve(system)
    groups = QPalette.ColorGroup.Active, QPalette.ColorGroup.Inactive, QPalette.ColorGroup.Disabled
    assert [r for r in roles for group in groups if shown.color(group, r) == QColor("magenta")] == []


def ink(picture: QImage) -> tuple[int, int]:
    """The first and the last column of a picture with pixels that are not of the colour of its middle row's edge."""
    ground, rows = picture.pixelColor(1, picture.height() // 2), range(4, picture.height() - 4)
    inked = [
        x for x in range(1, picture.width() - 2)
        if any(abs(picture.pixelColor(x, y).lightness() - ground.lightness()) > 90 for y in rows)
    ]  # fmt: skip
    return inked[0], inked[-1]


def test_a_disabled_button_looks_it(themed: Look) -> None:
    enabled, disabled = QPushButton("Stop"), QPushButton("Stop")
    mark(disabled, "primary", True)
    disabled.setEnabled(False)
    colour, off = QPalette.ColorRole.ButtonText, QPalette.ColorGroup.Disabled
    assert disabled.palette().color(off, colour).alpha() < enabled.palette().color(colour).alpha()
    assert near(middle(disabled, 6), "raised", themed)


def test_check_boxes_and_groups_of_a_menu_can_be_seen(themed: Look) -> None:
    menu = QMenu()
    action = menu.addAction("one")
    action.setCheckable(True)
    separator = menu.addSeparator()
    menu.addAction("two")
    menu.show()
    picture = menu.grab().toImage()
    box, line = menu.actionGeometry(action), menu.actionGeometry(separator)
    edges = [x for x in range(2, box.height() + 4) if near(picture.pixelColor(x, box.center().y()), "dim", themed)]
    assert len(edges) == 2, "left and right of the empty box"
    assert near(picture.pixelColor(line.center()), "faint", themed)


def test_menus_and_spin_boxes_have_an_edge(themed: Look) -> None:
    spin, menu = QSpinBox(), QMenu()
    menu.addAction("Open …")
    menu.resize(menu.sizeHint())
    spin.resize(120, 30)
    for widget in (spin, menu):
        assert near(middle(widget, 0), "faint", themed), type(widget).__name__


def test_a_scroll_bar_with_nothing_to_scroll_leaves_its_room_empty(themed: Look) -> None:
    bar = QScrollBar(Qt.Orientation.Vertical)
    bar.resize(12, 80)
    bar.setRange(0, 0)
    empty = bar.grab().toImage()
    assert {empty.pixel(x, y) for x in range(12) for y in range(80)} == {themed.theme.qcolor("panel").rgba()}
    bar.setRange(0, 9)
    assert bar.grab().toImage() != empty


@pytest.mark.parametrize("side", [Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight])
def test_the_heading_of_a_column_stands_over_the_text_of_its_cells(themed: Look, side: Qt.AlignmentFlag) -> None:
    table, place = QTableWidget(1, 1), side | Qt.AlignmentFlag.AlignVCenter
    for item in (heading := QTableWidgetItem("II"), cell := QTableWidgetItem("II")):
        item.setTextAlignment(place)
    table.setHorizontalHeaderItem(0, heading)
    table.setItem(0, 0, cell)
    table.resize(300, 120)
    above, below = table.horizontalHeader().viewport(), table.viewport()
    row = QRect(0, 0, table.columnWidth(0), table.rowHeight(0))
    over = ink(above.grab(QRect(0, 0, row.width(), above.height())).toImage())
    under = ink(below.grab(row).toImage())
    which = 0 if side == Qt.AlignmentFlag.AlignLeft else 1
    assert abs(over[which] - under[which]) <= 1


@pytest.mark.parametrize("kind", [QPushButton, QToolButton])
def test_a_button_is_raised_and_one_that_is_pressed_is_full(themed: Look, kind: type[QAbstractButton]) -> None:
    button = kind()
    button.resize(60, 30)
    assert near(middle(button), "raised", themed)
    button.setDown(True)
    assert near(middle(button), "accent", themed)


def test_the_button_to_press_is_full(themed: Look) -> None:
    button = QPushButton()
    button.resize(60, 30)
    mark(button, "primary", True)
    assert near(middle(button), "accent", themed)


def test_a_field_that_cannot_be_read_has_the_edge_of_an_error(themed: Look) -> None:
    field = QLineEdit()
    field.resize(60, 26)
    assert near(middle(field, 0), "faint", themed)
    mark(field, "wrong", True)
    assert near(middle(field, 0), "error", themed)
    mark(field, "wrong", False)
    assert near(middle(field, 0), "faint", themed)


def test_a_panel_is_lit_as_long_as_there_is_a_reason(themed: Look) -> None:
    panel = Panel()
    panel.resize(60, 60)
    assert near(middle(panel), "panel", themed)
    assert near(middle(panel, 0), "faint", themed)
    panel.light("one", True)
    panel.light("other", True)
    panel.light("one", False)
    assert near(middle(panel, 0), "accent", themed)
    panel.light("other", False)
    assert near(middle(panel, 0), "faint", themed)


def test_widgets_that_are_there_follow_the_theme(qapp: QApplication) -> None:
    """Without being told one by one; they were made after the style, as those of the window are."""
    apply_style(qapp, Look(motion=False))
    button, label = QPushButton(), QWidget()
    dim(label)
    for theme in THEMES.values():
        look = Look(theme, motion=False)
        apply_style(qapp, look)
        assert near(middle(button), "raised", look)
        colours = label.palette()
        ink, ground = colours.color(label.foregroundRole()), colours.window().color()
        assert contrast(ink.name(), ground.name()) > 4.5
    apply_style(qapp, Look(motion=False))


@pytest.mark.parametrize("scale", SCALES)
def test_the_text_of_a_control_has_its_height(qapp: QApplication, scale: float) -> None:
    look = Look(scale=scale, motion=False)
    apply_style(qapp, look)
    high = QFontMetrics(look.font()).height()
    tool = QToolButton()
    tool.setText("x")
    for widget in (QPushButton("x"), tool, QComboBox(), QLineEdit()):
        assert widget.sizeHint().height() >= high + 2, type(widget)
    field, option = QLineEdit(), QStyleOptionFrame()
    field.resize(field.sizeHint())
    field.initStyleOption(option)
    box = field.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, field)
    assert box.height() >= high
    apply_style(qapp, Look(motion=False))


def test_nothing_has_a_style_sheet(qapp: QApplication) -> None:
    """Qt would dress every widget anew whenever it changes, or a widget's place."""
    assert not qapp.styleSheet()
    assert not [w for w in QApplication.allWidgets() if w.styleSheet()]


def glyphs(text: str, font: QFont) -> list[int]:
    layout = QTextLayout(text, font)
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    return [glyph for run in layout.glyphRuns() for glyph in run.glyphIndexes()]


def test_an_address_is_no_product(qapp: QApplication) -> None:
    """Inter has a rule by which an x between two digits becomes ×, JetBrains Mono one by which != becomes ≠."""
    look = Look(motion=False)
    apply_style(qapp, look)
    heavy = QLabel()
    bold(heavy)
    heavy.ensurePolished()
    faces = [face(13, mono, heavy_).font for mono in (False, True) for heavy_ in (False, True)]
    for font in (heavy.font(), QLabel().font(), *faces, *map(look.font, SIZES)):
        for text in ("0x28", "a != b"):
            assert glyphs(text, font) == [glyphs(sign, font)[0] for sign in text], (font.toString(), text)
