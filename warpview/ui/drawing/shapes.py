"""Draw the shapes of controls, flat and in the theme's colours. Each function draws one, by the state that Qt gives."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QGuiApplication, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import (
    QStyle,
    QStyleOption,
    QStyleOptionButton,
    QStyleOptionHeader,
    QStyleOptionMenuItem,
    QStyleOptionProgressBar,
    QStyleOptionTab,
    QStyleOptionToolButton,
    QWidget,
)

from warpview.ui.drawing.theme import Look

State = QStyle.StateFlag
Align = Qt.AlignmentFlag
LEFT = int(Align.AlignLeft | Align.AlignVCenter | Qt.TextFlag.TextSingleLine)
CENTRE = int(Align.AlignCenter | Qt.TextFlag.TextSingleLine)
ELIDE = Qt.TextElideMode.ElideRight
MNEMONIC = int(Qt.TextFlag.TextShowMnemonic)


def rounded(
    painter: QPainter, area: QRect, fill: QColor | None, edge: QColor | None, radius: float, width: float = 1.0
) -> None:
    """Draw a filled box with an edge that lies within ``area``."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    inset = width / 2 if edge is not None else 0.0
    painter.setPen(QPen(edge, width) if edge is not None else Qt.PenStyle.NoPen)
    painter.setBrush(fill if fill is not None else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(area).adjusted(inset, inset, -inset, -inset), radius, radius)
    painter.restore()


def words(painter: QPainter, area: QRect, flags: int, text: str, colour: QColor, font: QFont | None = None) -> None:
    painter.save()
    painter.setPen(colour)
    if font is not None:
        painter.setFont(font)
    painter.drawText(area, flags, text)
    painter.restore()


def _strokes(painter: QPainter, points: list[tuple[float, float]], colour: QColor, width: float) -> None:
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in points]))
    painter.restore()


def _chevron(painter: QPainter, centre: QPointF, reach: float, colour: QColor, down: bool = True) -> None:
    x, y = centre.x(), centre.y()
    points = [(x - reach, y - reach / 2), (x, y + reach / 2), (x + reach, y - reach / 2)]
    if not down:
        points = [(x - reach / 2, y - reach), (x + reach / 2, y), (x - reach / 2, y + reach)]
    _strokes(painter, points, colour, reach / 2.6)


# ---- buttons


def push_button(painter: QPainter, option: QStyleOptionButton, widget: QWidget | None, look: Look) -> None:
    """Draw the box of a push button: filled with the accent if the button is the default, or pressed."""
    colour, lit = look.theme.qcolor, option.state & (State.State_MouseOver | State.State_HasFocus)
    full = _is_full(option, widget)
    edge = "accent" if full or lit else "faint"
    rounded(painter, option.rect, colour("accent" if full else "raised"), colour(edge), 5)


def push_button_label(painter: QPainter, option: QStyleOptionButton, widget: QWidget | None, look: Look) -> None:
    off = not option.state & State.State_Enabled
    token = "dim" if off else "on_active" if _is_full(option, widget) else "text"
    words(painter, option.rect, CENTRE | MNEMONIC, option.text, look.theme.qcolor(token))


def _is_full(option: QStyleOptionButton, widget: QWidget | None) -> bool:
    pressed = bool(option.state & (State.State_Sunken | State.State_On))
    return pressed or (widget is not None and bool(widget.property("primary")))


def tool_button(painter: QPainter, option: QStyleOptionToolButton, widget: QWidget | None, look: Look) -> None:
    """Draw the box of a tool button. One that raises itself, as in the heading of a view, has one only under the
    pointer or checked."""
    colour, state = look.theme.qcolor, option.state
    fill: QColor | None
    edge: QColor | None
    flat, hover = bool(state & State.State_AutoRaise), bool(state & State.State_MouseOver)
    if state & (State.State_Sunken | State.State_On):
        fill, edge = colour("accent"), colour("accent", 0.0 if flat else 1.0)
    elif widget is not None and widget.property("invited"):
        fill, edge = colour("glow"), colour("accent")
    elif flat:
        fill, edge = None, colour("faint") if hover else None
    else:
        fill, edge = colour("raised"), colour("accent" if hover else "faint")
    rounded(painter, option.rect, fill, edge, 5)


def tool_button_text(painter: QPainter, option: QStyleOptionToolButton, look: Look) -> None:
    state = option.state
    if state & (State.State_Sunken | State.State_On):
        token = "on_active"
    elif not state & State.State_Enabled or (state & State.State_AutoRaise and not state & State.State_MouseOver):
        token = "dim"
    else:
        token = "text"
    words(painter, option.rect, CENTRE | MNEMONIC, option.text, look.theme.qcolor(token), option.font)


# ---- fields


def field(painter: QPainter, option: QStyleOption, widget: QWidget | None, look: Look) -> None:
    """Draw the box of an input field: raised in a heading, marked where its content is wrong."""
    colour = look.theme.qcolor
    fill = colour("raised" if widget is not None and widget.property("compact") else "panel")
    if widget is not None and widget.property("wrong"):
        rounded(painter, option.rect, fill, colour("error"), 4, 2.0)
    else:
        rounded(painter, option.rect, fill, colour("accent" if option.state & State.State_HasFocus else "faint"), 4)


def combo_box(painter: QPainter, option: QStyleOption, widget: QWidget | None, look: Look, arrow: QRect) -> None:
    field(painter, option, widget, look)
    middle = QRectF(arrow).center() - QPointF(look.px(3), -0.5)
    _chevron(painter, middle, look.px(11) * 0.32, look.theme.qcolor("dim"))


# ---- menus


def menu_item(painter: QPainter, option: QStyleOptionMenuItem, look: Look) -> None:
    colour, px, area = look.theme.qcolor, look.px, option.rect
    if option.menuItemType == QStyleOptionMenuItem.MenuItemType.Separator:
        _separator(painter, option, look)
        return
    enabled = bool(option.state & State.State_Enabled)
    chosen = enabled and bool(option.state & State.State_Selected)
    if chosen:
        painter.fillRect(area, colour("accent"))
    ink = colour("on_active" if chosen else "text" if enabled else "dim")
    text, _, key = option.text.partition("\t")
    inner = area.adjusted(px(26), 0, -px(24), 0)
    words(painter, inner, LEFT | MNEMONIC, text, ink, option.font)
    if key:
        inner.setLeft(inner.right() + 1 - option.reservedShortcutWidth)
        words(painter, inner, LEFT, key, ink, option.font)
    if option.checked and option.checkType != QStyleOptionMenuItem.CheckType.NotCheckable:
        x, y, reach = area.x() + px(13), area.center().y() + 0.5, px(4)
        _strokes(painter, [(x - reach, y), (x - reach / 4, y + reach * 0.7), (x + reach, y - reach * 0.8)], ink, px(2))
    if option.menuItemType == QStyleOptionMenuItem.MenuItemType.SubMenu:
        _chevron(painter, QPointF(area.right() - px(11), area.center().y() + 0.5), px(11) * 0.32, ink, down=False)


def _separator(painter: QPainter, option: QStyleOptionMenuItem, look: Look) -> None:
    """Draw a separator: a line, or with a text the heading of the following entries."""
    area, px = option.rect, look.px
    if option.text:
        words(painter, area.adjusted(px(8), 0, -px(8), 0), LEFT, option.text, look.theme.qcolor("dim"), option.font)
    else:
        painter.fillRect(area.x() + px(8), area.center().y(), area.width() - 2 * px(8), 1, look.theme.qcolor("faint"))


def menu_bar_item(painter: QPainter, option: QStyleOptionMenuItem, look: Look) -> None:
    colour = look.theme.qcolor
    if option.state & State.State_Selected:
        rounded(painter, option.rect, colour("raised"), None, 4)
    hidden = 0 if option.state & State.State_Enabled else int(Qt.TextFlag.TextHideMnemonic)
    words(painter, option.rect, CENTRE | MNEMONIC | hidden, option.text, colour("text"))


# ---- tabs and headings of columns


def tab(painter: QPainter, option: QStyleOptionTab, look: Look) -> None:
    """Draw a tab: a line under the one in front."""
    if option.state & State.State_Selected:
        area = option.rect
        painter.fillRect(area.x(), area.bottom() - 2, area.width(), 3, look.theme.qcolor("accent"))


def tab_label(painter: QPainter, option: QStyleOptionTab, look: Look, area: QRect) -> None:
    font, chosen = painter.font(), bool(option.state & State.State_Selected)
    if chosen:
        font.setWeight(QFont.Weight.DemiBold)
    lit = chosen or option.state & State.State_MouseOver
    flags = CENTRE | MNEMONIC | int(Qt.TextFlag.TextDontClip)
    words(painter, area, flags, option.text, look.theme.qcolor("text" if lit else "dim"), font)


def bold_excess(option: QStyleOptionTab) -> int:
    """Return by how much the name of the tab in front is wider than it would be behind."""
    if not option.state & State.State_Selected:
        return 0
    font = QGuiApplication.font()
    usual = QFontMetrics(font).horizontalAdvance(option.text)
    font.setWeight(QFont.Weight.DemiBold)
    return max(0, QFontMetrics(font).horizontalAdvance(option.text) - usual)


def header(painter: QPainter, option: QStyleOption, look: Look) -> None:
    area, colour = option.rect, look.theme.qcolor
    painter.fillRect(area, colour("panel"))
    painter.fillRect(area.x(), area.bottom(), area.width(), 1, colour("faint"))


def header_label(painter: QPainter, option: QStyleOptionHeader, look: Look) -> None:
    area, px, colour = option.rect, look.px, look.theme.qcolor("dim")
    inner = area.adjusted(px(4), 0, -px(4), -1)
    words(painter, inner, int(option.textAlignment) | int(Align.AlignVCenter), option.text, colour)
    up = option.sortIndicator == QStyleOptionHeader.SortIndicator.SortUp
    if up or option.sortIndicator == QStyleOptionHeader.SortIndicator.SortDown:
        reach = px(3)
        x, y, way = area.center().x() + 0.5, area.y() + 1 + reach / 2, -1 if up else 1
        points = [(x - reach, y - way * reach / 2), (x, y + way * reach / 2), (x + reach, y - way * reach / 2)]
        _strokes(painter, points, colour, 1.2)


# ---- bars


def scroll_bar(painter: QPainter, handle: QRect, hover: bool, look: Look) -> None:
    """Draw the handle of a scroll bar and nothing else."""
    area = handle.adjusted(2, 2, -2, -2)
    radius = min(float(look.px(4)), area.width() / 2, area.height() / 2)
    rounded(painter, area, look.theme.qcolor("idle" if hover else "faint"), None, radius)


def slider(painter: QPainter, groove: QRect, handle: QRect, look: Look) -> None:
    """Draw a horizontal slider."""
    high = look.px(4)
    bar = QRect(groove.x(), groove.center().y() - high // 2, groove.width(), high)
    rounded(painter, bar, look.theme.qcolor("faint"), None, 2)
    rounded(painter, handle, look.theme.qcolor("accent"), None, handle.width() / 2)


def progress_groove(painter: QPainter, option: QStyleOption, look: Look) -> None:
    rounded(painter, option.rect, look.theme.qcolor("panel"), look.theme.qcolor("faint"), 4)


def progress_done(painter: QPainter, option: QStyleOptionProgressBar, look: Look) -> None:
    inner = option.rect.adjusted(1, 1, -1, -1)
    done = (option.progress - option.minimum) / max(1, option.maximum - option.minimum)
    inner.setWidth(round(inner.width() * done))
    rounded(painter, inner, look.theme.qcolor("accent"), None, 3)


def ring(painter: QPainter, area: QRect, colour: QColor) -> None:
    """Draw a ring around the control that has the keys."""
    rounded(painter, area, None, colour, 4, 2.0)
