"""Read the lessons that come with warpview."""

from __future__ import annotations

from warpview.ui.teaching.lessons import Lesson, files, load


def lessons() -> list[Lesson]:
    """Return them in order."""
    return [load(path) for path in files()]
