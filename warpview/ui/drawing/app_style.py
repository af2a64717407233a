"""Style the controls: Qt's Fusion in the colours of the theme, with flat buttons and fields.

A style sheet could say the same, but Qt matches it anew against every widget whenever the theme, the type or a
widget's place changes, which takes a tenth of a second; this takes nothing but the painting.
"""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPalette, QPen
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QProxyStyle,
    QStyle,
    QStyleHintReturn,
    QStyleOption,
    QStyleOptionComboBox,
    QStyleOptionComplex,
    QStyleOptionFrame,
    QStyleOptionMenuItem,
    QStyleOptionSlider,
    QWidget,
)

from warpview.ui.drawing.guarded import guarded
from warpview.ui.drawing.theme import Look

Contents = QStyle.ContentsType
Control = QStyle.ControlElement
Primitive = QStyle.PrimitiveElement
State = QStyle.StateFlag

BUTTONS = (Primitive.PE_PanelButtonCommand, Primitive.PE_PanelButtonTool)
MARKS = {Primitive.PE_IndicatorCheckBox: 2.0, Primitive.PE_IndicatorRadioButton: 100.0}  # radii of their corners
LABELS = (Control.CE_PushButtonLabel, Control.CE_ToolButtonLabel)
PLAIN = (QStyle.StyleHint.SH_ComboBox_Popup, QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons)
PADDED = (Contents.CT_PushButton, Contents.CT_ToolButton, Contents.CT_ComboBox, Contents.CT_LineEdit)
RADIUS = 4.0  # of the corners of buttons and fields, in pixels
CELL_MARGIN = 6  # pixels beside the text of a cell in a list or table
HEADING_INSET = CELL_MARGIN - 2  # pixels from Fusion's place for the heading of a column to that of its cells' text
SCROLL_BAR = 12  # width in pixels at normal type


class AppStyle(QProxyStyle):
    """Style the window by Fusion, with flat shapes. ``look`` may be exchanged at any time."""

    def __init__(self, look: Look) -> None:
        super().__init__("Fusion")
        self.look = look

    def pixelMetric(  # noqa: N802
        self, metric: QStyle.PixelMetric, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> int:
        if metric == QStyle.PixelMetric.PM_ScrollBarExtent:
            return self.look.px(SCROLL_BAR)
        if metric == QStyle.PixelMetric.PM_FocusFrameHMargin:
            return CELL_MARGIN - 1  # Qt adds one
        if metric == QStyle.PixelMetric.PM_DefaultFrameWidth and isinstance(widget, QAbstractScrollArea):
            return 0
        return super().pixelMetric(metric, option, widget)

    def sizeFromContents(  # noqa: N802
        self, kind: QStyle.ContentsType, option: QStyleOption, size: QSize, /, widget: QWidget | None = None
    ) -> QSize:
        wide = self.look.px(6) if kind in (Contents.CT_PushButton, Contents.CT_ToolButton) else 0
        padding = QSize(wide, self.look.px(2)) if kind in PADDED else QSize(0, 0)
        found = super().sizeFromContents(kind, option, size + padding, widget)  # type: ignore[arg-type]
        return found + QSize(2 * HEADING_INSET, 0) if kind == Contents.CT_HeaderSection else found

    def styleHint(  # noqa: N802
        self, hint: QStyle.StyleHint, option: QStyleOption | None = None, widget: QWidget | None = None,
        data: QStyleHintReturn | None = None,
    ) -> int:  # fmt: skip
        """Have a combo box offer a list under it, not a menu over it, and the buttons of dialogs show words alone."""
        return 0 if hint in PLAIN else super().styleHint(hint, option, widget, data)

    @guarded
    def drawPrimitive(  # noqa: N802
        self, element: QStyle.PrimitiveElement, option: QStyleOption, painter: QPainter, widget: QWidget | None = None
    ) -> None:
        if element in BUTTONS:
            self._draw_button(option, painter, widget)
        elif element == Primitive.PE_PanelLineEdit and isinstance(option, QStyleOptionFrame) and option.lineWidth > 0:
            colour, wrong = self.look.theme.qcolor, bool(widget and widget.property("wrong"))
            edge = "error" if wrong else _edge(option)
            rounded(painter, option.rect, colour("panel"), colour(edge), RADIUS, 2.0 if wrong else 1.0)
        elif element == Primitive.PE_PanelMenu:
            rounded(painter, option.rect, self.look.theme.qcolor("panel"), self.look.theme.qcolor("faint"), 0.0)
        elif element == Primitive.PE_Frame and isinstance(widget, QAbstractScrollArea):
            return
        elif element != Primitive.PE_FrameTabBarBase:
            super().drawPrimitive(element, option, painter, widget)
            if element in MARKS:  # Fusion's own edge cannot be seen in the dark
                radius = min(MARKS[element], option.rect.height() / 2)
                rounded(painter, option.rect, None, self.look.theme.qcolor("dim"), radius)

    def drawComplexControl(  # noqa: N802
        self, control: QStyle.ComplexControl, option: QStyleOptionComplex, painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:  # fmt: skip
        """Give a spin box the edge of the other fields, as Fusion's own cannot be seen in the dark; leave the room of a
        scroll bar empty where there is nothing to scroll."""
        is_bar = control == QStyle.ComplexControl.CC_ScrollBar
        if is_bar and isinstance(option, QStyleOptionSlider) and option.maximum <= option.minimum:
            painter.fillRect(option.rect, self.look.theme.qcolor("panel"))
            return
        super().drawComplexControl(control, option, painter, widget)
        if control == QStyle.ComplexControl.CC_SpinBox:
            rounded(painter, option.rect, None, self.look.theme.qcolor(_edge(option)), RADIUS)

    def _draw_button(self, option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
        """Draw the box of a button, full where it is pressed, checked or the one to press."""
        colour, hover = self.look.theme.qcolor, bool(option.state & State.State_MouseOver)
        fill, edge = ("accent", "accent") if _is_full(option, widget) else ("raised", "accent" if hover else "faint")
        if widget is not None and widget.property("invited"):
            fill, edge = "glow", "accent"
        rounded(painter, option.rect, colour(fill), colour(edge), RADIUS)

    @guarded
    def drawControl(  # noqa: N802
        self, element: QStyle.ControlElement, option: QStyleOption, painter: QPainter, widget: QWidget | None = None
    ) -> None:
        if element in LABELS and _is_full(option, widget):
            colours = QPalette(option.palette)
            colours.setColor(QPalette.ColorRole.ButtonText, self.look.theme.qcolor("on_active"))
            option.palette = colours
        elif element == Control.CE_ComboBoxLabel and isinstance(option, QStyleOptionComboBox):
            part = QStyle.SubControl.SC_ComboBoxEditField
            room = self.subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, widget).width() - 2  # type: ignore[arg-type]
            option.currentText = option.fontMetrics.elidedText(option.currentText, Qt.TextElideMode.ElideRight, room)
        elif element == Control.CE_MenuItem and isinstance(option, QStyleOptionMenuItem) and _parts_groups(option):
            line = QRect(option.rect.left() + 6, option.rect.center().y(), option.rect.width() - 12, 1)
            painter.fillRect(line, self.look.theme.qcolor("faint"))
            return
        elif element == Control.CE_HeaderLabel:
            option.rect = option.rect.adjusted(HEADING_INSET, 0, -HEADING_INSET, 0)
        elif element == Control.CE_TabBarTabShape:
            if option.state & State.State_Selected:
                line = option.rect.adjusted(0, option.rect.height() - 3, 0, 0)
                painter.fillRect(line, self.look.theme.qcolor("accent"))
            return
        super().drawControl(element, option, painter, widget)


def _parts_groups(item: QStyleOptionMenuItem) -> bool:
    return item.menuItemType == QStyleOptionMenuItem.MenuItemType.Separator


def _edge(option: QStyleOption) -> str:
    """Return the colour of the edge of a field."""
    return "accent" if option.state & State.State_HasFocus else "faint"


def _is_full(option: QStyleOption, widget: QWidget | None) -> bool:
    pressed = bool(option.state & (State.State_Sunken | State.State_On))
    return bool(option.state & State.State_Enabled) and (pressed or bool(widget and widget.property("primary")))


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
