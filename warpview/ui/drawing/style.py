"""Set the fonts, the colours and the style of the whole application, made from the theme."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QFont, QPalette
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from warpview.ui.drawing.app_style import AppStyle
from warpview.ui.drawing.theme import Look

ROLES = {
    QPalette.ColorRole.Window: "window",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Base: "panel",
    QPalette.ColorRole.AlternateBase: "raised",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.Button: "raised",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.BrightText: "error",
    QPalette.ColorRole.Light: "panel",
    QPalette.ColorRole.Midlight: "raised",
    QPalette.ColorRole.Mid: "faint",
    QPalette.ColorRole.Dark: "dim",
    QPalette.ColorRole.Shadow: "dim",
    QPalette.ColorRole.Highlight: "accent",
    QPalette.ColorRole.HighlightedText: "on_active",
    QPalette.ColorRole.ToolTipBase: "raised",
    QPalette.ColorRole.ToolTipText: "text",
    QPalette.ColorRole.Link: "accent",
    QPalette.ColorRole.LinkVisited: "accent",
    QPalette.ColorRole.Accent: "accent",
}  # all roles that Qt paints with: one that is missing would be the system's, whose colours fit those of no theme


def apply_style(app: QApplication, look: Look) -> None:
    """Style the application; called again whenever the look changes."""
    style = app.style()
    if isinstance(style, AppStyle):
        style.look = look
    else:
        app.setStyle(AppStyle(look))
    colours = palette(look)
    app.setPalette(colours)
    app.setFont(look.font())
    # Qt would tell the widgets in the next turn of the event loop; views measure their text in this one.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.ApplicationFontChange)
    QToolTip.setPalette(colours)
    QToolTip.setFont(look.font())


def palette(look: Look) -> QPalette:
    result = QPalette()
    for role, token in ROLES.items():
        result.setColor(role, look.theme.qcolor(token))
    faint = look.theme.qcolor("text", 0.5)
    result.setColor(QPalette.ColorRole.PlaceholderText, faint)
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, role, faint)
    return result


def dim(widget: QWidget) -> None:
    """Give a widget the secondary text colour, in every theme."""
    widget.setForegroundRole(QPalette.ColorRole.Dark)


def bold(widget: QWidget, weight: QFont.Weight = QFont.Weight.DemiBold) -> None:
    """Give a widget a heavier font, in every size."""
    font = QFont()
    font.setWeight(weight)
    widget.setFont(font)


def mark(widget: QWidget, name: str, on: bool) -> None:
    """Mark a control as 'primary', 'invited' or 'wrong', which sets its colours."""
    if bool(widget.property(name)) != on:
        widget.setProperty(name, on)
        widget.update()


def fill_background(widget: QWidget) -> None:
    """Let the widget paint all of itself. Of others Qt first paints everything that they lie upon."""
    widget.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
