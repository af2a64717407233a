"""The style sheet and palette of the whole application, made from the theme."""

from __future__ import annotations

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication

from warpview.resources import assets_dir
from warpview.ui.drawing.theme import Look, ViewLook


def apply_style(app: QApplication, look: Look) -> None:
    """Dress the application; called again whenever the look changes."""
    # Qt dresses a widget once for each that it lies in where one sheet follows another; once where there was none.
    app.setStyleSheet("")
    app.setFont(look.font())
    app.setPalette(palette(look))
    app.setStyleSheet(sheet(look))


def palette(look: Look) -> QPalette:
    theme = look.theme
    roles = {
        QPalette.ColorRole.Window: "window",
        QPalette.ColorRole.WindowText: "text",
        QPalette.ColorRole.Base: "panel",
        QPalette.ColorRole.AlternateBase: "raised",
        QPalette.ColorRole.Text: "text",
        QPalette.ColorRole.Button: "raised",
        QPalette.ColorRole.ButtonText: "text",
        QPalette.ColorRole.Highlight: "accent",
        QPalette.ColorRole.HighlightedText: "on_active",
        QPalette.ColorRole.ToolTipBase: "raised",
        QPalette.ColorRole.ToolTipText: "text",
        QPalette.ColorRole.PlaceholderText: "dim",
        QPalette.ColorRole.Link: "accent",
    }
    result = QPalette()
    for role, token in roles.items():
        result.setColor(role, theme.qcolor(token))
    return result


def type_sheet(look: ViewLook) -> str:
    """What a view has of its own while its type is larger than the window's; nothing otherwise."""
    if look.factor == 1.0:
        return ""
    text, small = look.font().pointSizeF(), look.font("small").pointSizeF()
    return f"QWidget {{ font-size: {text}pt; }} QToolButton, QLineEdit, QComboBox {{ font-size: {small}pt; }}"


def sheet(look: Look) -> str:
    """The style sheet, from one kind of widget to the next."""
    kinds = (_windows, _menus, _views, _texts, _fields, _buttons, _tabs, _bars, _names)
    return "\n".join(kind(look) for kind in kinds)


def _windows(look: Look) -> str:
    """Windows, tool tips and what parts them."""
    t, px = look.theme, look.px
    return f"""
QMainWindow, QDialog {{ background: {t.window}; }}
QWidget {{ color: {t.text}; }}
QToolTip {{ background: {t.raised}; color: {t.text}; border: 1px solid {t.faint}; padding: {px(4)}px; }}
QSplitter::handle {{ background: {t.window}; }}
QSplitter::handle:hover {{ background: {t.faint}; }}"""


def _menus(look: Look) -> str:
    """Menus and the bar that they hang from."""
    t, px = look.theme, look.px
    return f"""
QMenuBar {{ background: {t.window}; padding: 1px {px(4)}px; }}
QMenuBar::item {{ padding: {px(3)}px {px(8)}px; background: transparent; border-radius: 4px; }}
QMenuBar::item:selected {{ background: {t.raised}; }}
QMenu {{ background: {t.panel}; border: 1px solid {t.faint}; padding: {px(4)}px 0; }}
QMenu::item {{ padding: {px(4)}px {px(24)}px {px(4)}px {px(26)}px; }}
QMenu::item:selected {{ background: {t.accent}; color: {t.on_active}; }}
QMenu::item:disabled {{ color: {t.dim}; }}
QMenu::separator {{ height: 1px; background: {t.faint}; margin: {px(4)}px {px(8)}px; }}"""


def _views(look: Look) -> str:
    """Panels, and what stands in their headings."""
    t = look.theme
    return f"""
View, QFrame[panel="true"] {{ background: {t.panel}; border: 1px solid {t.faint}; border-radius: 6px; }}
View[hinted="true"] {{ border: 2px solid {t.accent}; }}
View[editing="true"] {{ border: 2px solid {t.accent}; }}
#view-title {{ font-weight: 600; color: {t.text}; background: transparent; }}
#view-note {{ color: {t.dim}; background: transparent; }}
QScrollArea, QScrollArea > QWidget > QWidget {{ background: transparent; }}
View QLineEdit, View QComboBox, View QMenu, View QAbstractItemView#popup {{ background-color: {t.raised}; }}"""


def _texts(look: Look) -> str:
    """Texts, tables, trees and lists."""
    t, px = look.theme, look.px
    mono = look.font("mono")
    return f"""
QPlainTextEdit, QTableView, QTreeView, QListView, QTextBrowser {{
  background: {t.panel}; border: none; selection-background-color: {t.accent}; selection-color: {t.on_active}; }}
QPlainTextEdit {{ font-family: "{mono.family()}"; font-size: {mono.pointSizeF()}pt; }}
QTableView {{ gridline-color: {t.faint}; }}
QTableView::item {{ padding: 0 {px(4)}px; }}
QTreeView::item {{ padding: {px(3)}px {px(2)}px; }}
QTreeView:focus {{ border: 2px solid {t.accent}; border-radius: 4px; }}
QHeaderView {{ background: {t.panel}; }}
QHeaderView::section {{ background: {t.panel}; color: {t.dim}; border: none; border-bottom: 1px solid {t.faint};
  padding: {px(2)}px {px(6)}px; }}
QHeaderView::down-arrow, QHeaderView::up-arrow {{ subcontrol-position: top center; }}
QTableCornerButton::section {{ background: {t.panel}; border: none; }}"""


def _fields(look: Look) -> str:
    """Fields to type in and to choose from."""
    t, px = look.theme, look.px
    chevron = (assets_dir() / "icons" / "chevron.svg").as_posix()
    return f"""
QLineEdit, QComboBox {{ background: {t.panel}; border: 1px solid {t.faint}; border-radius: 4px;
  padding: {px(2)}px {px(5)}px; min-height: {px(20)}px; selection-background-color: {t.accent}; }}
QLineEdit:focus, QComboBox:focus {{ border: 1px solid {t.accent}; }}
QLineEdit[wrong="true"] {{ border: 2px solid {t.error}; }}
QComboBox::drop-down {{ border: none; width: {px(20)}px; }}
QComboBox::down-arrow {{ image: url({chevron}); width: {px(11)}px; height: {px(11)}px; margin-right: {px(6)}px; }}
QComboBox QAbstractItemView {{ background: {t.panel}; border: 1px solid {t.faint}; outline: none;
  selection-background-color: {t.accent}; selection-color: {t.on_active}; }}"""


def _buttons(look: Look) -> str:
    """Buttons, plain and in the headings of views."""
    t, px = look.theme, look.px
    small = look.font("small").pointSizeF()
    return f"""
QPushButton, QToolButton {{ background: {t.raised}; border: 1px solid {t.faint}; border-radius: 5px;
  padding: {px(3)}px {px(9)}px; }}
QToolButton {{ padding: {px(3)}px {px(5)}px; }}
QPushButton:hover, QToolButton:hover {{ border-color: {t.accent}; }}
QPushButton:pressed, QToolButton:pressed, QToolButton:checked {{ background: {t.accent}; color: {t.on_active}; }}
QToolButton[invited="true"] {{ background: {t.glow}; border-color: {t.accent}; }}
QPushButton[primary="true"] {{ background: {t.accent}; color: {t.on_active}; border-color: {t.accent};
  font-weight: 600; }}
View QToolButton {{ border: 1px solid transparent; padding: 0 {px(6)}px; font-size: {small}pt; color: {t.dim};
  background-color: transparent; }}
View QToolButton::menu-indicator {{ image: none; width: 0; }}
View QToolButton:hover {{ border-color: {t.faint}; color: {t.text}; }}
View QToolButton:checked {{ background-color: {t.accent}; color: {t.on_active}; }}
View QLineEdit, View QComboBox {{ font-size: {small}pt; min-height: {px(15)}px; padding: 0 {px(4)}px; }}"""


def _tabs(look: Look) -> str:
    """Rows of tabs."""
    t, px = look.theme, look.px
    return f"""
QTabWidget::pane {{ border: none; }}
QTabBar {{ background: transparent; qproperty-drawBase: 0; }}
QTabBar::tab {{ background: transparent; color: {t.dim}; padding: {px(3)}px {px(10)}px; border: none;
  border-bottom: 3px solid transparent; }}
QTabBar::tab:selected {{ color: {t.text}; border-bottom: 3px solid {t.accent}; font-weight: 600; }}
QTabBar::tab:hover {{ color: {t.text}; }}"""


def _bars(look: Look) -> str:
    """Scroll bars, progress and sliders."""
    t, px = look.theme, look.px
    return f"""
QAbstractScrollArea::corner {{ background: transparent; border: none; }}
QScrollBar:vertical {{ background: transparent; width: {px(10)}px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: {px(10)}px; margin: 0; }}
QScrollBar::handle {{ background: {t.faint}; border-radius: {px(4)}px; min-height: {px(24)}px; min-width: {px(24)}px;
  margin: 2px; }}
QScrollBar::handle:hover {{ background: {t.idle}; }}
QScrollBar::handle:disabled {{ background: transparent; }}
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page {{ background: none;
  border: none; width: 0; height: 0; }}
QProgressBar {{ background: {t.panel}; border: 1px solid {t.faint}; border-radius: 4px; text-align: center; }}
QProgressBar::chunk {{ background: {t.accent}; border-radius: 3px; }}
QSlider::groove:horizontal {{ height: {px(4)}px; background: {t.faint}; border-radius: 2px; }}
QSlider::handle:horizontal {{ width: {px(12)}px; margin: -{(px(12) - px(4)) // 2}px 0; border-radius: {px(12) // 2}px;
  background: {t.accent}; }}"""


def _names(look: Look) -> str:
    """Parts that are known by a name of their own."""
    t, px = look.theme, look.px
    small = look.font("small").pointSizeF()
    large = look.font().pointSizeF() * 1.44
    return f"""
#caption {{ background: transparent; }}
#followed {{ background: {t.glow}; color: {t.text}; border: 1px solid {t.accent}; border-radius: 4px;
  padding: {px(2)}px {px(8)}px; font-weight: 600; }}
#banner {{ background: {t.panel}; border: 2px solid {t.error}; border-radius: 6px; }}
#dim {{ color: {t.dim}; }}
#heading {{ font-weight: 600; }}
#lesson-title {{ color: {t.dim}; font-size: {small}pt; }}
#page-title {{ font-weight: 700; font-size: {large}pt; }}"""
