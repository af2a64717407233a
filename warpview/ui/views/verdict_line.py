"""Draw the line above a diagram: what the step came to, and buttons for the parts of its access."""

from __future__ import annotations

from collections.abc import Sequence

from warpview.ui.drawing.picture import Box, Picture, Target
from warpview.ui.views.memory.parts_model import ALL

MOST_CHIPS = 12  # more parts than that are paged through


def draw_hidden(picture: Picture) -> None:
    """Write that the answer is hidden; the caption, or the lesson, asks the one question."""
    picture.text(0.5 * picture.unit, 0.95 * picture.unit, "?", 1.4 * picture.unit, "accent", bold=True)


def draw_verdict(
    picture: Picture, lead: str, token: str, told: Sequence[str], colour: str = "dim",
    parts: tuple[int, int, str] = (1, ALL, ""),
) -> None:  # fmt: skip
    """Write what the step came to: ``lead`` behind a bar of the colour ``token``, then the first of ``told`` that fits,
    or the last. ``parts`` are their number, the one shown and what one is called; each can be picked by a button."""
    u, y, right = picture.unit, 0.95 * picture.unit, picture.width - 0.5 * picture.unit
    picture.rect(Box(0.5 * u, y - 0.55 * u, 0.45 * u, 1.1 * u), token, radius=2)
    said = picture.text(1.3 * u, y, lead, 1.25 * u, bold=True, room=right - 1.3 * u, least=0.9 * u)
    if parts[0] > 1:  # the words come first; the buttons take what is left
        room = right - said.right - picture.size_of(told[-1]) - 1.6 * u
        right = _part_buttons(picture, *parts, right, y, room)
    room = right - said.right - 1.3 * u
    words = next((t for t in told if picture.size_of(t) <= room), told[-1])
    picture.text(said.right + 0.8 * u, y, words, u, colour, room=room, least=0.75 * u)


def _part_buttons(picture: Picture, n: int, part: int, noun: str, right: float, y: float, room: float) -> float:
    """Draw the buttons of the parts from the right end: all and each; or, in little room, back and forth. Return the
    left end of the row."""
    u = picture.unit

    def width(label: str) -> float:
        return max(1.5 * u, picture.size_of(label, 0.9 * u) + 0.7 * u)

    each = [(ALL, "all"), *((k, str(k + 1)) for k in range(n if n <= MOST_CHIPS else 0))]
    pager = [(ALL, "all"), ((part - 1) % n if part != ALL else n - 1, "‹"), ((part + 1) % n, "›")]
    for labels in (each if n <= MOST_CHIPS else pager, pager, pager[1:], pager[2:], []):
        if sum(width(label) + 0.25 * u for _, label in labels) <= room:
            break
    for k, label in reversed(labels):
        box = Box(right - width(label), y - 0.7 * u, width(label), 1.4 * u)
        on = k == part and label not in "‹›"
        picture.rect(box, "accent" if on else "raised", "accent" if on else "faint", radius=4)
        picture.text(box.cx, y, label, 0.9 * u, "on_active" if on else "text", 0, on)
        says = f"all {noun}s" if k == ALL else f"{noun} {k + 1} of {n}"
        picture.hit(box, f"{says} (U)", Target(command="part", value=k))
        right = box.x - 0.25 * u
    return right
