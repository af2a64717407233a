"""Colours can be read, and told apart by those who see fewer of them."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from warpview.trace.frame import Stall
from warpview.ui.drawing.palette import colour
from warpview.ui.drawing.theme import CONTRAST, DARK, LIGHT, Theme, contrast

READABLE, AT_A_DISTANCE, VISIBLE = 4.5, 7.0, 3.0  # WCAG 2: text, text of the highest grade, marks
APART = 0.05  # least distance in OKLab of two ideas; 0.02 is what side by side can just be told apart

# What a dichromat sees of linear RGB (Machado, Oliveira and Fernandes 2009, severity 1).
SIGHT = {
    "full": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
}
IDEAS = ("active", "idle", "barrier", "conflict", "wasted", "error", "divergence", "atomic", "good")
STALLS = tuple(f"stall_{s.name.lower()}" for s in Stall if s not in (Stall.EXITED, Stall.EMPTY))
GROUNDS = {
    "text": ("panel", "raised", "window", "glow"), "dim": ("panel", "raised", "window", "glow"),
    "accent": ("panel", "raised"), "error": ("panel", "raised", "window", "glow"),
    "conflict_text": ("panel", "raised", "glow"),
    **dict.fromkeys(("keyword", "type_", "number", "string", "comment", "builtin"), ("panel", "glow")),
    "on_active": ("active", "accent"), "on_conflict": ("conflict",), "on_lane": tuple(f"lane{k}" for k in range(32)),
}  # fmt: skip

themes = pytest.mark.parametrize("theme", [LIGHT, DARK, CONTRAST], ids=lambda t: t.name)


def ratio(theme: Theme, first: str, second: str) -> float:
    return contrast(colour(theme, first).name(), colour(theme, second).name())


def seen(theme: Theme, token: str, sight: NDArray[np.float64]) -> NDArray[np.float64]:
    """A token in OKLab, as such eyes see it."""
    rgb = np.array(colour(theme, token).getRgbF()[:3])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    cones = np.array([
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ])  # fmt: skip
    lab = np.array([
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ])  # fmt: skip
    found: NDArray[np.float64] = lab @ np.cbrt(cones @ np.clip(sight @ linear, 0, 1))
    return found


@themes
@pytest.mark.parametrize("token", GROUNDS)
def test_text_can_be_read_from_the_back(theme: Theme, token: str) -> None:
    least = AT_A_DISTANCE if token == "text" else READABLE
    low = {ground: ratio(theme, token, ground) for ground in GROUNDS[token]}
    assert min(low.values()) >= least, low


@themes
@pytest.mark.parametrize("stall", STALLS)
def test_words_on_the_timeline_can_be_read(theme: Theme, stall: str) -> None:
    assert ratio(theme, f"on_{stall}", stall) >= READABLE


@themes
def test_a_lane_is_seen_whatever_it_does(theme: Theme) -> None:
    for token in ("active", "idle", "barrier", "error", "atomic", "good"):
        assert ratio(theme, token, "panel") >= VISIBLE, token


@themes
@pytest.mark.parametrize("tokens", [IDEAS, STALLS], ids=["ideas", "stalls"])
@pytest.mark.parametrize("sight", SIGHT)
def test_colours_are_told_apart_by_all_eyes(theme: Theme, tokens: tuple[str, ...], sight: str) -> None:
    found = {token: seen(theme, token, SIGHT[sight]) for token in tokens}
    near = {(a, b): float(np.linalg.norm(found[a] - found[b])) for a, b in combinations(tokens, 2)}
    alike = {pair: round(distance, 3) for pair, distance in near.items() if distance < APART}
    assert alike == {}
