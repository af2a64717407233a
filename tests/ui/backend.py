"""Keep the runs of the real backend of the window under test, so that none is simulated twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from warpview.diagnostics import SourceText
from warpview.ui.session.backend import LaunchPreset, Measured, Progress, Setup, Variant
from warpview.ui.session.engine import Engine
from warpview.ui.views.context import RunLike

OPENING, NEIGHBOUR, DEVICE = "reduction/interleaved", "reduction/strided_index", "8800gtx"
MOST_KEPT = 40

_kept: dict[Setup, RunLike] = {}
_measured: dict[tuple[str, Setup], Measured] = {}


class RealBackend(Engine):
    """Compile and simulate as the window does, and record what it was asked for.

    ``before_trace`` is called in the worker before each run: a test can make one take long, or fail.
    """

    def __init__(self) -> None:
        super().__init__()
        self.traced: list[Setup] = []
        self.before_trace: Callable[[Progress], object] = lambda progress: None

    def trace(self, setup: Setup, progress: Progress) -> RunLike:
        self.traced.append(setup)
        self.before_trace(progress)
        kept = _hashable(setup)
        run = _kept.pop(kept, None) or super().trace(setup, progress)
        if len(_kept) >= MOST_KEPT:
            del _kept[next(iter(_kept))]  # the one that was asked for longest ago
        _kept[kept] = run
        return run

    def measure(self, setups: Sequence[tuple[str, Setup]], progress: Progress) -> list[Measured]:
        for titled in setups:
            key = titled[0], _hashable(titled[1])
            if key not in _measured:
                _measured[key] = super().measure([titled], progress)[0]
        return [_measured[title, _hashable(setup)] for title, setup in setups]


def _hashable(setup: Setup) -> Setup:
    return replace(setup, arguments=tuple(sorted(setup.arguments.items())))  # type: ignore[arg-type]


@cache
def engine() -> RealBackend:
    """A backend for tests that need no window."""
    return RealBackend()


def variant_of(key: str) -> Variant:
    """A kernel of the library."""
    return next(v for family in engine().families() for v in family.variants if v.key == key)


def preset_of(key: str, name: str = "") -> LaunchPreset:
    """A launch of a library kernel, the first one by default."""
    return next(p for p in variant_of(key).presets if name in ("", p.key))


def setup_of(key: str = OPENING, device: str = DEVICE, preset: str = "") -> Setup:
    """The setup of a library kernel as the window makes it."""
    variant = variant_of(key)
    setup = Setup(variant.key, variant.text, variant.file_name, variant.entry, device)
    return setup.with_preset(preset_of(key, preset))


def run_of(key: str = OPENING, device: str = DEVICE, preset: str = "") -> RunLike:
    """A real run of a library kernel."""
    return engine().trace(setup_of(key, device, preset), lambda *_: True)


def source_of(key: str = OPENING) -> SourceText:
    """The source of a library kernel."""
    variant = variant_of(key)
    return SourceText(variant.file_name, variant.text)
