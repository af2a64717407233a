"""Pick by buttons one part of an access, a wavefront or a step of a protocol, or all of them."""

from __future__ import annotations

from warpview.ui.drawing.picture import Box, Picture, Target
from warpview.ui.views.parts_model import ALL

MOST_CHIPS = 12  # more parts than that are paged through


def part_chips(picture: Picture, n: int, part: int, noun: str, right: float, y: float, room: float) -> float:
    """Draw them from the right end: all and each; or, in little room, one back and forth. Returns the left end."""
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
