"""Define colours, type and spacing, each decided once.

Okabe and Ito's palette, which colour-blind eyes can tell apart: one accent an idea, the same in every view, and
each idea also has a mark of its own (see ``marks``). Text colours reach a contrast of 7:1 on their background.
"""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from PySide6.QtCore import QObject, QSize, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication

from warpview.resources import assets_dir

Role = Literal["text", "small", "title", "number", "big", "page", "mono", "mono_bold", "mono_small"]


@dataclass(frozen=True, eq=False)  # one object a theme, found by identity many times a frame
class Theme:
    """Hold the colours of one appearance, as '#rrggbb'."""

    name: str
    dark: bool
    window: str  # behind everything
    panel: str  # behind a view
    raised: str  # headers, buttons, inputs
    text: str
    dim: str  # secondary text
    faint: str  # lines, grids, empty cells
    accent: str  # selection, current line, the thing about to happen
    glow: str  # background of the current line
    active: str  # an active lane; bytes used
    idle: str  # outline of an idle lane
    barrier: str
    conflict: str
    wasted: str  # bytes moved for nothing
    error: str
    divergence: str
    atomic: str
    good: str  # coalesced, no conflict
    on_active: str  # text upon ``active``
    keyword: str
    type_: str
    number: str
    string: str
    comment: str
    builtin: str

    def qcolor(self, token: str, alpha: float = 1.0) -> QColor:
        """Return a token as a QColor, e.g. ``theme.qcolor("conflict", 0.3)``. One object for all: not to be changed."""
        return _qcolor(getattr(self, token), alpha)


@cache
def _qcolor(colour: str, alpha: float) -> QColor:
    result = QColor(colour)
    result.setAlphaF(alpha)
    return result


ORANGE, SKY, GREEN, YELLOW = "#E69F00", "#56B4E9", "#009E73", "#F0E442"
BLUE = "#0072B2"

LIGHT = Theme(
    name="light", dark=False, window="#E9ECF0", panel="#FFFFFF", raised="#F4F6F8", text="#12161C", dim="#4A5361",
    faint="#CBD2DB", accent=BLUE, glow="#FFF3B8", active=BLUE, idle="#687284", barrier="#8A4A66", conflict=ORANGE,
    wasted="#B9C1CC", error="#BD4100", divergence="#DC7D94", atomic="#563B8F", good=GREEN, on_active="#FFFFFF",
    keyword="#0B4F8A", type_="#00664B", number="#9A3C00", string="#9A3C00", comment="#5E6875", builtin="#7B2D6B",
)  # fmt: skip
DARK = Theme(
    name="dark", dark=True, window="#0D1117", panel="#151B23", raised="#1E2630", text="#F2F5F9", dim="#B3BDCA",
    faint="#38424F", accent=SKY, glow="#3B3614", active=SKY, idle="#747B80", barrier="#F5CDD2", conflict=ORANGE,
    wasted="#566170", error="#EE7E5D", divergence="#C677A8", atomic="#9385FF", good="#2BC79A", on_active="#08121B",
    keyword="#7CC4F5", type_="#5FD3AE", number="#F2B24C", string="#F2B24C", comment="#94A0AE", builtin="#E3A3C8",
)  # fmt: skip
CONTRAST = Theme(
    name="high contrast", dark=True, window="#000000", panel="#000000", raised="#141414", text="#FFFFFF", dim="#E6E6E6",
    faint="#7A7A7A", accent=YELLOW, glow="#4A4600", active="#84BAFD", idle="#A2A2A2", barrier="#B56DBD",
    conflict="#FFB000", wasted="#C0C0C0", error="#FF9569", divergence="#FFCEFF", atomic="#9091F0", good="#4DFFC3",
    on_active="#000000", keyword="#9FD8FF", type_="#7DFFD4", number="#FFD27A", string="#FFD27A", comment="#D0D0D0",
    builtin="#FFC0E6",
)  # fmt: skip
THEMES = {theme.name: theme for theme in (LIGHT, DARK, CONTRAST)}

# Multiples of the base point size.
SIZES: dict[Role, float] = {
    "text": 1.0, "small": 0.88, "title": 1.0, "number": 1.0, "big": 1.6, "page": 1.44, "mono": 1.0, "mono_bold": 1.0,
    "mono_small": 0.85,
}  # fmt: skip
_SANS = ("Inter", "Segoe UI", "SF Pro Text", "Helvetica Neue", "Noto Sans", "DejaVu Sans")
_MONO = ("JetBrains Mono", "Cascadia Mono", "SF Mono", "Menlo", "Consolas", "Noto Sans Mono", "DejaVu Sans Mono")

BASE_POINTS = 11.5
SCALES = (0.8, 0.9, 1.0, 1.1, 1.25, 1.4, 1.6, 1.8, 2.0, 2.4)


@cache
def load_fonts() -> tuple[str, ...]:
    """Load the bundled typefaces into the application and return their families. It is done once."""
    families: set[str] = set()
    for path in sorted((assets_dir() / "fonts").glob("*.[ot]tf")):
        number = QFontDatabase.addApplicationFont(str(path))
        if number < 0:
            logging.getLogger(__name__).warning("the typeface %s could not be loaded", path.name)
        else:
            families.update(QFontDatabase.applicationFontFamilies(number))
    return tuple(sorted(families))


def _first_family(families: tuple[str, ...], fallback: QFontDatabase.SystemFont) -> str:
    there = {*load_fonts(), *QFontDatabase.families()}
    return next((f for f in families if f in there), QFontDatabase.systemFont(fallback).family())


@cache
def lane_colour(lane: int, dark: bool) -> str:
    """Return the hue of a lane, evenly from 0 to 31 in a space of equal lightness (OKLCH), as '#rrggbb'."""
    # The last step stops short of the first hue, so that lanes 0 and 31 stay apart.
    return _oklch(0.76 if dark else 0.535, 0.13, 20.0 + lane * (320.0 / 31))


def heat_colour(theme: Theme, share: float) -> QColor:
    """Return the heat of a source line as a colour: from nothing (0) to the accent of conflict (1)."""
    return theme.qcolor("conflict", round(0.12 + 0.78 * max(0.0, min(1.0, share)) ** 0.7, 2))


def _oklch(lightness: float, chroma: float, degrees: float) -> str:
    a, b = chroma * math.cos(math.radians(degrees)), chroma * math.sin(math.radians(degrees))
    # Björn Ottosson's OKLab matrices.
    l_ = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    m_ = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    s_ = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = (
        4.0767416621 * l_ - 3.3077115913 * m_ + 0.2309699292 * s_,
        -1.2684380046 * l_ + 2.6097574011 * m_ - 0.3413193965 * s_,
        -0.0041960863 * l_ - 0.7034186147 * m_ + 1.7076147010 * s_,
    )
    srgb = (12.92 * v if v <= 0.0031308 else 1.055 * max(v, 0.0) ** (1 / 2.4) - 0.055 for v in linear)
    return "#{:02x}{:02x}{:02x}".format(*(round(255 * max(0.0, min(1.0, v))) for v in srgb))


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colours as WCAG defines it, 1 to 21."""

    def luminance(colour: str) -> float:
        channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


class Look(QObject):
    """Hold the appearance in force: theme, type size, motion. Views draw with it and redraw when ``changed``."""

    changed = Signal()

    def __init__(self, theme: Theme = LIGHT, scale: float = 1.0, motion: bool = True) -> None:
        super().__init__()
        self._theme, self._scale, self._motion = theme, scale, motion

    @property
    def theme(self) -> Theme:
        return self._theme

    @property
    def scale(self) -> float:
        return self._scale

    @property
    def motion(self) -> bool:
        """Return whether short animations are wanted; they never last longer than 150 ms, and never hold up a key."""
        return self._motion

    def set(self, theme: str | None = None, scale: float | None = None, motion: bool | None = None) -> None:
        """Change some of the look; announced once, and only if anything is different."""
        before = (self._theme, self._scale, self._motion)
        if theme is not None:
            self._theme = THEMES.get(theme, LIGHT)
        if scale is not None:
            self._scale = max(SCALES[0], min(SCALES[-1], scale))
        if motion is not None:
            self._motion = motion
        if (self._theme, self._scale, self._motion) != before:
            self.changed.emit()

    def set_theme(self, name: str) -> None:
        self.set(theme=name)

    def set_scale(self, scale: float) -> None:
        self.set(scale=scale)

    def set_motion(self, on: bool) -> None:
        self.set(motion=on)

    def larger(self) -> None:
        self.set_scale(next((s for s in SCALES if s > self._scale + 1e-6), SCALES[-1]))

    def smaller(self) -> None:
        self.set_scale(next((s for s in reversed(SCALES) if s < self._scale - 1e-6), SCALES[0]))

    def font(self, role: Role = "text", factor: float = 1.0) -> QFont:
        """Return a font for a role, ``factor`` times as large as usual. Numbers are set bold with tabular figures so
        that columns stand still."""
        # Finding a family takes long; a copy does not.
        return QFont(_font(role, self.scale * factor))

    def unit(self) -> float:
        """Return the size of the text in pixels."""
        return BASE_POINTS * self.scale * QGuiApplication.primaryScreen().logicalDotsPerInchY() / 72.0

    def px(self, value: float) -> int:
        """Return a length that grows with the type, in pixels."""
        return max(1, round(value * self.scale))

    def page_size(self) -> QSize:
        """Return the size that a page in place of the stage asks for."""
        return QSize(self.px(1200), self.px(680))


class ViewLook(Look):
    """Hold the look of one view: that of the window, with type ``factor`` times as large."""

    def __init__(self, window: Look) -> None:
        super().__init__()
        self.window, self.factor = window, 1.0  # the look that this one magnifies, and by how much
        window.changed.connect(self.changed)

    @property
    def theme(self) -> Theme:
        return self.window.theme

    @property
    def scale(self) -> float:
        return self.window.scale * self.factor

    @property
    def motion(self) -> bool:
        return self.window.motion

    def magnify(self, factor: float) -> None:
        """Make the type of this view alone larger; 1.0 is as everywhere."""
        if factor != self.factor:
            self.factor = factor
            self.changed.emit()


def as_typed(font: QFont) -> None:
    """Turn off contextual forms, so that a font shows the characters as typed: 0x28 is no product, != no ligature."""
    font.setFeature(QFont.Tag("calt"), 0)


@lru_cache(256)
def _font(role: Role, scale: float) -> QFont:
    mono = role.startswith("mono")
    family = (
        _first_family(_MONO, QFontDatabase.SystemFont.FixedFont)
        if mono
        else _first_family(_SANS, QFontDatabase.SystemFont.GeneralFont)
    )
    font = QFont(family)
    font.setPointSizeF(BASE_POINTS * scale * SIZES[role])
    if mono:
        font.setStyleHint(QFont.StyleHint.Monospace)
    as_typed(font)
    if role in ("title", "number", "big", "page", "mono_bold"):
        font.setWeight(QFont.Weight.DemiBold if role == "title" else QFont.Weight.Bold)
    if role in ("number", "big"):
        font.setFeature(QFont.Tag("tnum"), 1)
    return font
