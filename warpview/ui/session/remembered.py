"""What the window remembers from one time to the next. A value that is broken counts as none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSettings

if TYPE_CHECKING:
    from warpview.ui.main_window import MainWindow

FIRST_SIZE = (1600, 1000)
LIBRARY_WIDTH = 240  # pixels at normal type


def restore(window: MainWindow, settings: QSettings) -> None:
    """Bring the window back as it was left."""
    look = window.look
    look.set(
        str(settings.value("theme", look.theme.name)),
        _number(settings, "scale", look.scale),
        str(settings.value("motion", "true")) != "false",
    )
    window.library_wanted = str(settings.value("library", "true")) != "false"
    window.stage.set_state(str(settings.value("stage", "{}")))
    window.commands.layouts.set_state(str(settings.value("layouts", "{}")))
    window.counters.set_pins(str(settings.value("pins", "")).split())
    geometry = settings.value("geometry")
    if not isinstance(geometry, QByteArray) or not window.restoreGeometry(geometry):
        window.resize(*FIRST_SIZE)
    window.set_library_width(round(_number(settings, "library_width", look.px(LIBRARY_WIDTH))))


def keep(window: MainWindow, settings: QSettings) -> None:
    """Write down how the window is left."""
    settings.setValue("theme", window.look.theme.name)
    settings.setValue("scale", window.usual_scale)
    settings.setValue("motion", "true" if window.look.motion else "false")
    settings.setValue("library", "true" if window.library_wanted else "false")
    settings.setValue("stage", window.stage.state())
    settings.setValue("layouts", window.commands.layouts.state())
    settings.setValue("pins", " ".join(window.counters.pins))
    if window.library.isVisible():
        settings.setValue("library_width", window.library.width())
    if not window.presenting:
        settings.setValue("geometry", window.saveGeometry())
    settings.sync()


def _number(settings: QSettings, name: str, otherwise: float) -> float:
    try:
        return float(str(settings.value(name, otherwise)))
    except ValueError:
        return otherwise
