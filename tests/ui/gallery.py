"""Draw all views, the bars, the ladder, the roofline and the history, for three kernels at a telling step.

They are taken with DejaVu, which every machine that tests has, so that only the edges of letters differ from one
machine to another. ``difference`` looks past these and still sees a missing mark.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontDatabase, QImage
from PySide6.QtWidgets import QApplication, QToolButton, QWidget
from ui.rest import come_to_rest

from warpview.trace.frame import Mark
from warpview.ui.drawing import faces, theme
from warpview.ui.drawing.style import apply_style
from warpview.ui.drawing.theme import Look
from warpview.ui.moving.access_index import AccessIndex
from warpview.ui.moving.presenter import Presenter
from warpview.ui.moving.selection import Selection
from warpview.ui.panels.comparison import ComparisonPage
from warpview.ui.panels.history_bar import HistoryBar
from warpview.ui.session.backend import Measured, Setup, Variant
from warpview.ui.session.engine import Engine
from warpview.ui.view_list import VIEWS
from warpview.ui.views.context import RunLike

FOLDER = Path(__file__).parent / "references"
FONTS = ("DejaVu Sans", "DejaVu Sans Mono")
COLOURS = 256  # of a kept picture: no eye sees the difference, and the file is a third as long


@dataclass(frozen=True)
class Scene:
    """Name a kernel on a device, at the first step with that mark."""

    variant: str
    device: str
    mark: Mark


SCENES = {
    "reduction": Scene("reduction/interleaved", "8800gtx", Mark.DIVERGENCE),
    "transpose": Scene("transpose/tile_32", "c2050", Mark.CONFLICT),
    "histogram": Scene("histogram/global", "h200", Mark.COLLISION),
}
SIZES = dict.fromkeys((view.key for view in VIEWS), (680, 420)) | {
    "source": (560, 460), "instructions": (520, 240), "lanes": (680, 420), "divergence": (520, 420),
    "shared": (680, 460), "global": (680, 460), "timeline": (820, 320), "occupancy": (680, 400),
    "counters": (620, 420), "console": (460, 140), "values": (680, 260), "barrier": (560, 300), "atomics": (680, 360),
    "multiprocessor": (900, 620), "key_counters": (560, 220), "arrays": (700, 460), "grid": (680, 420),
    "bars": (940, 400), "ladder": (940, 400), "roofline": (940, 440), "history": (900, 46),
}  # fmt: skip
DARK = tuple((scene, name) for scene, names in (
    ("reduction", ("lanes", "divergence", "counters")), ("transpose", ("source", "shared", "bars")),
    ("histogram", ("global", "timeline", "roofline")),
) for name in names)  # fmt: skip
THEMES_SHOWN = ("light", "dark")
NAMES = (*((s, n, "light") for s in SCENES for n in SIZES), *((s, n, "dark") for s, n in DARK))


def file_of(scene: str, name: str, look: str) -> Path:
    return FOLDER / f"{scene}-{name}{'' if look == 'light' else f'-{look}'}.png"


def has_fonts() -> bool:
    return set(FONTS) <= set(QFontDatabase.families())


class Unhinted(QFont):
    """A font whose letters are as wide on every machine: fitting them to the pixels is a matter of its settings."""

    def __init__(self, *like: object) -> None:
        super().__init__(*like)  # type: ignore[call-overload]
        self.setHintingPreference(QFont.HintingPreference.PreferNoHinting)


@contextmanager
def dejavu() -> Iterator[None]:
    """Everything is written in DejaVu."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(theme, "_SANS", FONTS[:1])
        patch.setattr(theme, "_MONO", FONTS[1:])
        for module in (theme, faces):
            patch.setattr(module, "QFont", Unhinted)
        _forget_fonts()
        yield
    _forget_fonts()


def _forget_fonts() -> None:
    for kept in (theme._font, faces._face, faces.face, faces._family, faces.measure):
        kept.cache_clear()


@dataclass(frozen=True)
class Show:
    """What the pictures of a scene are of."""

    run: RunLike
    step: int
    runs: list[Measured]  # of the whole family


def perform(scene: Scene, engine: Engine, comparing: bool = True) -> Show:
    """Simulate the kernel, and its family to compare it with."""
    family = next(f for f in engine.families() for v in f.variants if v.key == scene.variant)
    setups = [(v.title, _setup(v, scene.device)) for v in family.variants]
    run = engine.trace(next(s for _, s in setups if s.variant == scene.variant), lambda *_: True)
    step = run.trace.find(0, scene.mark)
    assert step is not None
    return Show(run, step, engine.measure(setups, lambda *_: True) if comparing else [])


def _setup(variant: Variant, device: str) -> Setup:
    setup = Setup(variant.key, variant.text, variant.file_name, variant.entry, device)
    return setup.with_preset(variant.presets[0])


class Gallery:
    """Draw the views and panels of these names, each by itself."""

    def __init__(self, look: Look, show: Show, names: Collection[str] = tuple(SIZES)) -> None:
        self.selection, self.accesses = Selection(), AccessIndex()
        self.views = {kind.key: kind(self.selection, look) for kind in VIEWS if kind.key in names}
        self.presenter = Presenter(self.selection, list(self.views.values()), self.accesses)
        self.history, self.comparison = HistoryBar(look), ComparisonPage(look)
        self.comparison.filter.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # or its cursor blinks
        self._widgets: dict[str, QWidget] = {**self.views, "history": self.history}
        for name, widget in self._widgets.items():
            widget.resize(*SIZES[name])
            widget.show()
            for button in widget.findChildren(QToolButton):
                if button.text() == "?":
                    button.click()
        self._set(show)

    def close(self) -> None:
        self.accesses.close()
        for widget in (*self._widgets.values(), self.comparison):
            QWidget.close(widget)  # a GraphicsView's own takes its viewport away, and Qt calls it once more
            widget.deleteLater()

    def _set(self, show: Show) -> None:
        event = show.run.trace.event(show.step)
        self.selection.update(step=show.step, block=event.block, warp=event.warp)
        self.accesses.set_run(show.run)
        source = show.run.program.source
        if "source" in self.views:
            self.views["source"].set_text(source.text, source.name)  # type: ignore[attr-defined]
        self.presenter.set_run(show.run)
        self.history.set_run(show.run)
        self.history.show_step(show.step)
        self.comparison.show_runs("The family", "Whole launch.", show.runs, steps=len(show.runs))
        self._settle()

    def _settle(self) -> None:
        """Until nothing is drawn or sampled any more."""
        for widget in self._widgets.values():
            come_to_rest(widget)

    def picture(self, name: str) -> QImage:
        """One of them as it is now."""
        tabs = ("bars", "ladder", "roofline")
        if name in tabs:
            self.comparison.tabs.setCurrentIndex(tabs.index(name))
            self.comparison.resize(*SIZES[name])
            self.comparison.show()
            self.comparison.bars.finish()
            come_to_rest(self.comparison)
            return self.comparison.grab().toImage()
        return self._widgets[name].grab().toImage()


@contextmanager
def gallery(
    app: QApplication, show: Show, theme_name: str = THEMES_SHOWN[0], names: Collection[str] = tuple(SIZES)
) -> Iterator[Gallery]:
    """The views of a scene in a theme, written in DejaVu."""
    with dejavu():
        look = Look(motion=False)
        look.set_theme(theme_name)
        apply_style(app, look)
        made = Gallery(look, show, names)
        yield made
        made.close()


# ---- keeping and comparing

CELL = 4  # pixels of the squares that are compared
REACH = 2  # squares across which a difference is averaged
TOLERANCE = 24  # of 255, for the place where two pictures differ most; the few colours of a kept picture take 16


def array(image: QImage) -> NDArray[np.uint8]:
    """uint8[height, width, 3]"""
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    lines = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return lines[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).copy()


def keep(image: QImage, file: Path) -> None:
    """Write a reference picture, small."""
    Image.fromarray(array(image)).quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(
        file, optimize=True
    )


def kept(file: Path) -> NDArray[np.uint8]:
    with Image.open(file) as image:
        return np.asarray(image.convert("RGB"))


def difference(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    """How much two pictures differ where they differ most, 0 to 255; 255 where their sizes differ."""
    if one.shape != other.shape:
        return 255.0
    return float(np.abs(_coarse(one) - _coarse(other)).max())


def _coarse(image: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return averages of squares of CELL x CELL pixels, and of REACH x REACH of these: letters lose their edges."""
    height, width = (n // CELL * CELL for n in image.shape[:2])
    cells = image[:height, :width].reshape(height // CELL, CELL, width // CELL, CELL, 3).mean((1, 3))
    rows = np.lib.stride_tricks.sliding_window_view(cells, (REACH, REACH), (0, 1))
    result: NDArray[np.float64] = rows.mean((-2, -1))
    return result
