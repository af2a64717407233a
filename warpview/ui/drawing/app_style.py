"""Style all controls: Qt's Fusion, with flat shapes in the theme's colours and sizes that grow with the type.

A style sheet could say the same, but Qt matches it anew against every widget whenever the theme, the type or a
widget's place changes, which takes a tenth of a second; this takes nothing but the painting.
"""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QProxyStyle,
    QStyle,
    QStyleHintReturn,
    QStyleOption,
    QStyleOptionButton,
    QStyleOptionComboBox,
    QStyleOptionComplex,
    QStyleOptionFrame,
    QStyleOptionHeader,
    QStyleOptionMenuItem,
    QStyleOptionProgressBar,
    QStyleOptionSlider,
    QStyleOptionTab,
    QStyleOptionToolButton,
    QTreeView,
    QWidget,
)

from warpview.ui.drawing import shapes
from warpview.ui.drawing.theme import Look

Complex = QStyle.ComplexControl
Contents = QStyle.ContentsType
Control = QStyle.ControlElement
Metric = QStyle.PixelMetric
Part = QStyle.SubControl
Primitive = QStyle.PrimitiveElement
Sub = QStyle.SubElement
State = QStyle.StateFlag

# What Fusion draws and a flat window does without.
_BARE = {Primitive.PE_FrameTabBarBase, Primitive.PE_FrameTabWidget, Primitive.PE_PanelScrollAreaCorner,
         Primitive.PE_PanelMenuBar}  # fmt: skip
_BARE_CONTROLS = {Control.CE_MenuBarEmptyArea}


class AppStyle(QProxyStyle):
    """``look`` may be exchanged at any time; what is measured in it is measured again when the font changes."""

    def __init__(self, look: Look) -> None:
        super().__init__("Fusion")
        self.set_look(look)

    def set_look(self, look: Look) -> None:
        self.look = look
        px = look.px
        self._metrics = {
            Metric.PM_MenuBarPanelWidth: 0, Metric.PM_MenuBarHMargin: px(4), Metric.PM_MenuBarVMargin: 1,
            Metric.PM_MenuPanelWidth: 1, Metric.PM_MenuVMargin: px(4),
            Metric.PM_MenuHMargin: 0, Metric.PM_ScrollBarExtent: px(10), Metric.PM_ScrollBarSliderMin: px(24) + 4,
            Metric.PM_TabBarTabHSpace: 2 * px(10), Metric.PM_TabBarTabVSpace: 2 * px(3) + 3,
            Metric.PM_TabBarBaseHeight: 0, Metric.PM_TabBarBaseOverlap: 0, Metric.PM_TabBarTabShiftVertical: 0,
            Metric.PM_TabBarTabShiftHorizontal: 0, Metric.PM_SliderLength: px(12),
            Metric.PM_ToolTipLabelFrameWidth: px(4),
        }  # fmt: skip

    # ---- sizes

    def pixelMetric(  # noqa: N802
        self, metric: QStyle.PixelMetric, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> int:
        known = self._metrics.get(metric)
        if known is not None:
            return known
        if metric == Metric.PM_DefaultFrameWidth and isinstance(widget, QAbstractScrollArea):
            return 0
        return super().pixelMetric(metric, option, widget)

    def styleHint(  # noqa: N802
        self, hint: QStyle.StyleHint, option: QStyleOption | None = None, widget: QWidget | None = None,
        data: QStyleHintReturn | None = None,
    ) -> int:  # fmt: skip
        if hint == QStyle.StyleHint.SH_ComboBox_Popup:
            return 0  # what a combo box offers is a list under it, not a menu over it
        return super().styleHint(hint, option, widget, data)

    def sizeFromContents(  # noqa: N802
        self, kind: QStyle.ContentsType, option: QStyleOption, size: QSize, /, widget: QWidget | None = None
    ) -> QSize:
        px = self.look.px
        if kind == Contents.CT_ToolButton:
            flat = option.state & State.State_AutoRaise
            return size + (QSize(2 * px(6) + 5, 5) if flat else QSize(2 * px(5) + 5, 2 * px(3) + 5))
        if kind == Contents.CT_PushButton:
            return size + QSize(2 * px(9) + 2, 2 * px(3) + 2)
        if kind in (Contents.CT_LineEdit, Contents.CT_ComboBox):
            across, down = self._padding(widget)
            arrow = px(20) + 2 if kind == Contents.CT_ComboBox else 0
            return size + QSize(2 * across + 2 + arrow, 2 * down + 2)
        if kind == Contents.CT_MenuItem and isinstance(option, QStyleOptionMenuItem):
            if option.menuItemType == QStyleOptionMenuItem.MenuItemType.Separator and not option.text:
                return QSize(size.width(), 1 + 2 * px(4))
            apart = px(16) if "\t" in option.text else 0
            return size + QSize(px(26) + px(24) + apart, 2 * px(4))
        if kind == Contents.CT_MenuBarItem:
            return size + QSize(2 * px(8), 2 * px(3))
        if kind == Contents.CT_TabBarTab and isinstance(option, QStyleOptionTab):
            return size + QSize(shapes.bold_excess(option), 0)
        found = super().sizeFromContents(kind, option, size, widget)  # type: ignore[arg-type]
        if kind == Contents.CT_ItemViewItem and widget is not None:
            offered = widget.window().windowType() == Qt.WindowType.Popup
            if offered or isinstance(widget, QTreeView):
                return found + QSize(2 * px(2), 2 * px(3))
        if kind == Contents.CT_HeaderSection and option.state & State.State_Horizontal:
            return found + QSize(2 * px(6), 2 * px(2) + 1)
        return found

    def _padding(self, widget: QWidget | None) -> tuple[int, int]:
        """Return the padding beside and above the text of a field; little in the heading of a view."""
        px = self.look.px
        return (px(4), 0) if widget is not None and widget.property("compact") else (px(5), px(2))

    def subElementRect(  # noqa: N802
        self, element: QStyle.SubElement, option: QStyleOption, /, widget: QWidget | None = None
    ) -> QRect:
        px = self.look.px
        if element == Sub.SE_LineEditContents and isinstance(option, QStyleOptionFrame) and option.lineWidth > 0:
            across, down = self._padding(widget)
            return option.rect.adjusted(across + 1, down + 1, -across - 1, -down - 1)
        if element == Sub.SE_TabBarTabText:
            return option.rect.adjusted(px(10), px(3), -px(10), -px(3) - 3)
        return super().subElementRect(element, option, widget)  # type: ignore[arg-type]

    def subControlRect(  # noqa: N802
        self, control: QStyle.ComplexControl, option: QStyleOptionComplex, part: QStyle.SubControl,
        /, widget: QWidget | None = None,
    ) -> QRect:  # fmt: skip
        if control == Complex.CC_ScrollBar and isinstance(option, QStyleOptionSlider):
            return self._scroll_part(option, part)
        if control == Complex.CC_Slider and isinstance(option, QStyleOptionSlider):
            return self._slider_part(option, part)
        if control == Complex.CC_ComboBox:
            across, down = self._padding(widget)
            arrow = self.look.px(20)
            if part == Part.SC_ComboBoxEditField:
                return option.rect.adjusted(across + 1, down + 1, -across - 1 - arrow, -down - 1)
            if part == Part.SC_ComboBoxArrow:
                return option.rect.adjusted(option.rect.width() - arrow - 1, 0, 0, 0)
        return super().subControlRect(control, option, part, widget)  # type: ignore[arg-type]

    def _scroll_part(self, option: QStyleOptionSlider, part: QStyle.SubControl) -> QRect:
        """Return the part of a scroll bar: a groove from end to end, without buttons."""
        area = option.rect
        upright = option.orientation.name == "Vertical"
        length = area.height() if upright else area.width()
        span = option.maximum - option.minimum
        handle = length
        if span > 0:
            least = self._metrics[Metric.PM_ScrollBarSliderMin]
            handle = min(length, max(least, length * option.pageStep // (span + option.pageStep)))
        start = QStyle.sliderPositionFromValue(
            option.minimum, option.maximum, option.sliderPosition, length - handle, option.upsideDown
        )
        first, last = {
            Part.SC_ScrollBarGroove: (0, length), Part.SC_ScrollBarSlider: (start, start + handle),
            Part.SC_ScrollBarSubPage: (0, start), Part.SC_ScrollBarAddPage: (start + handle, length),
        }.get(part, (0, 0))  # fmt: skip
        if upright:
            return QRect(area.x(), area.y() + first, area.width(), last - first)
        return QRect(area.x() + first, area.y(), last - first, area.height())

    def _slider_part(self, option: QStyleOptionSlider, part: QStyle.SubControl) -> QRect:
        area, side = option.rect, self.look.px(12)
        if part != Part.SC_SliderHandle:
            return area
        x = QStyle.sliderPositionFromValue(
            option.minimum, option.maximum, option.sliderPosition, area.width() - side, option.upsideDown
        )
        return QRect(area.x() + x, area.center().y() - side // 2, side, side)

    # ---- drawing

    def drawPrimitive(  # noqa: N802
        self, element: QStyle.PrimitiveElement, option: QStyleOption, painter: QPainter, widget: QWidget | None = None
    ) -> None:
        theme = self.look.theme
        if element in _BARE or (element == Primitive.PE_Frame and isinstance(widget, QAbstractScrollArea)):
            return
        if element == Primitive.PE_PanelLineEdit and isinstance(option, QStyleOptionFrame) and option.lineWidth > 0:
            shapes.field(painter, option, widget, self.look)
        elif element == Primitive.PE_PanelMenu:
            painter.fillRect(option.rect, theme.qcolor("panel"))
        elif element == Primitive.PE_FrameMenu:
            shapes.rounded(painter, option.rect, None, theme.qcolor("faint"), 0)
        elif element == Primitive.PE_PanelTipLabel:
            shapes.rounded(painter, option.rect, theme.qcolor("raised"), theme.qcolor("faint"), 0)
        elif element == Primitive.PE_FrameFocusRect and isinstance(widget, QAbstractItemView):
            return  # the row that is chosen is filled
        else:
            super().drawPrimitive(element, option, painter, widget)

    def drawControl(  # noqa: N802
        self, element: QStyle.ControlElement, option: QStyleOption, painter: QPainter, widget: QWidget | None = None
    ) -> None:
        if element in _BARE_CONTROLS:
            return
        if not self._drawn(element, option, painter, widget):
            super().drawControl(element, option, painter, widget)

    def _drawn(
        self, element: QStyle.ControlElement, option: QStyleOption, painter: QPainter, widget: QWidget | None
    ) -> bool:
        """Draw what is flat here; False for what is as in Fusion."""
        look = self.look
        match element, option:
            case Control.CE_PushButtonBevel, QStyleOptionButton():
                shapes.push_button(painter, option, widget, look)
            case Control.CE_PushButtonLabel, QStyleOptionButton():
                shapes.push_button_label(painter, option, widget, look)
            case Control.CE_ToolButtonLabel, QStyleOptionToolButton() if option.text and option.icon.isNull():
                shapes.tool_button_text(painter, option, look)
            case Control.CE_ComboBoxLabel, QStyleOptionComboBox():
                self._choice(option, painter, widget)
            case Control.CE_MenuItem, QStyleOptionMenuItem():
                shapes.menu_item(painter, option, look)
            case Control.CE_MenuBarItem, QStyleOptionMenuItem():
                shapes.menu_bar_item(painter, option, look)
            case Control.CE_TabBarTabShape, QStyleOptionTab():
                shapes.tab(painter, option, look)
            case Control.CE_TabBarTabLabel, QStyleOptionTab():
                area = self.subElementRect(Sub.SE_TabBarTabText, option, widget)
                shapes.tab_label(painter, option, look, area)
            case ((Control.CE_HeaderSection | Control.CE_HeaderEmptyArea), _):
                shapes.header(painter, option, look)
            case Control.CE_HeaderLabel, QStyleOptionHeader():
                shapes.header_label(painter, option, look)
            case Control.CE_ProgressBarGroove, _:
                shapes.progress_groove(painter, option, look)
            case Control.CE_ProgressBarContents, QStyleOptionProgressBar() if option.maximum > option.minimum:
                shapes.progress_done(painter, option, look)
            case Control.CE_Splitter, _:
                hover = option.state & State.State_MouseOver
                painter.fillRect(option.rect, look.theme.qcolor("faint" if hover else "window"))
            case _:
                return False
        return True

    def _choice(self, option: QStyleOptionComboBox, painter: QPainter, widget: QWidget | None) -> None:
        """Draw the choice of a combo box, shortened where it does not fit."""
        area = self.subControlRect(Complex.CC_ComboBox, option, Part.SC_ComboBoxEditField, widget).adjusted(1, 0, 0, 0)
        shown = option.fontMetrics.elidedText(option.currentText, shapes.ELIDE, area.width())
        shapes.words(painter, area, shapes.LEFT, shown, self.look.theme.qcolor("text"))

    def drawComplexControl(  # noqa: N802
        self, control: QStyle.ComplexControl, option: QStyleOptionComplex, painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:  # fmt: skip
        look = self.look
        match control, option:
            case Complex.CC_ToolButton, QStyleOptionToolButton():
                shapes.tool_button(painter, option, widget, look)
                self.drawControl(Control.CE_ToolButtonLabel, option, painter, widget)
            case Complex.CC_ComboBox, QStyleOptionComboBox():
                arrow = self.subControlRect(control, option, Part.SC_ComboBoxArrow, widget)
                shapes.combo_box(painter, option, widget, look, arrow)
            case Complex.CC_ScrollBar, QStyleOptionSlider():
                if option.maximum > option.minimum:
                    hover = bool(option.activeSubControls & Part.SC_ScrollBarSlider)
                    shapes.scroll_bar(painter, self._scroll_part(option, Part.SC_ScrollBarSlider), hover, look)
            case Complex.CC_Slider, QStyleOptionSlider():
                shapes.slider(painter, option.rect, self._slider_part(option, Part.SC_SliderHandle), look)
            case _:
                super().drawComplexControl(control, option, painter, widget)
