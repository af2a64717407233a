"""Choose the steps to export, the views, the size and the speed. Free of Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from warpview.trace.words import counted
from warpview.ui.views.context import History

WINDOW = ""  # the key of the whole window among the keys of views
MODES = (
    ("warp", "each instruction of the selected warp"),
    ("line", "each source line of the selected warp"),
    ("any", "each instruction of any warp"),
)
USUAL_PICTURES, MOST_PICTURES = 30, 300
USUAL_WIDTH, WIDTHS = 1280, (320, 3840)  # pixels
USUAL_SECONDS, SECONDS = 0.7, (0.1, 10.0)  # a picture


@dataclass(frozen=True)
class StepsChoice:
    """Hold a choice of steps: of the view with the key ``view`` or of the ``WINDOW``; ``width`` in pixels."""

    first: int
    last: int
    mode: str = MODES[0][0]
    view: str = WINDOW
    width: int = USUAL_WIDTH
    seconds: float = USUAL_SECONDS
    animated: bool = True


def steps_of(trace: History, mode: str, key: tuple[int, int], first: int, last: int, most: int = MOST_PICTURES
             ) -> list[int]:  # fmt: skip
    """Return the steps from ``first`` to ``last`` that one comes to in this mode of moving, ``first`` among them; at
    most ``most``. ``key``: the selected (block, warp)."""
    if mode == "any":
        return list(range(first, min(last, first + most - 1) + 1))
    following = trace.next_line if mode == "line" else trace.next_of_warp
    found, step = [first], following(first, *key)
    while step is not None and step <= last and len(found) < most:
        found.append(step)
        step = following(step, *key)
    return found


def usual(trace: History, mode: str, key: tuple[int, int], now: int) -> tuple[int, int]:
    """Return the first and last step that are offered: some pictures from here on, or the whole run from its end."""
    first = 0 if now >= trace.steps else now
    return first, steps_of(trace, mode, key, first, trace.steps, USUAL_PICTURES)[-1]


def summary(choice: StepsChoice, pictures: int, shape: tuple[int, int]) -> str:
    """Return a summary of the files to write: "30 pictures of 1280 × 720, 21 s"; ``shape`` is that of what is shown."""
    height = round(choice.width * shape[1] / shape[0])
    words = f"{counted(pictures, 'picture')} of {choice.width} × {height}"
    if pictures >= MOST_PICTURES:
        words += " (the maximum)"
    return f"{words}, {np.round(pictures * choice.seconds, 1):g} s" if choice.animated else words
