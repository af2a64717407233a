"""Find the texts of pictures."""

from __future__ import annotations

from warpview.ui.drawing.picture import Box, Picture, Text


def text_boxes(picture: Picture) -> list[tuple[str, Box]]:
    """Return every text and the box that it takes."""
    found = []
    for mark in picture.marks:
        if isinstance(mark, Text):
            width = picture.measure(mark.text, mark.size, mark.mono, mark.bold)
            left = mark.x - width * (mark.align + 1) / 2
            found.append((mark.text, Box(left, mark.y - 0.5 * mark.size, width, mark.size)))
    return found
