"""Parts of pictures that depend on their arguments alone: drawn once and put into every picture that has the same."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar, TypeVarTuple

from warpview.ui.drawing.picture import Measure, Picture

Arguments = TypeVarTuple("Arguments")
Told = TypeVar("Told")
Part = Callable[[Picture, *Arguments], Told]


def cached_drawing(kept: int) -> Callable[[Part[*Arguments, Told]], Part[*Arguments, Told]]:
    """Decorates a function that adds to a picture, or measures what will be, by arguments that can be hashed and by the
    picture's size, unit and measure. For arguments that it had before (the last ``kept`` of them) it is not called: the
    same marks and hit region are added again. From step to step most of a picture stays as it is; and marks that are
    the same objects are quickly told to be alike."""

    def decorate(draw: Part[*Arguments, Told]) -> Part[*Arguments, Told]:
        @lru_cache(kept)
        def drawn(
            width: float, height: float, unit: float, measure: Measure, *arguments: *Arguments
        ) -> tuple[Picture, Told]:
            part = Picture(width, height, unit, measure)
            told = draw(part, *arguments)
            return part, told

        @wraps(draw)
        def add(picture: Picture, *arguments: *Arguments) -> Told:
            part, told = drawn(picture.width, picture.height, picture.unit, picture.measure, *arguments)
            picture.marks += part.marks
            picture.hit_regions += part.hit_regions
            picture.covers += part.covers
            return told

        return add

    return decorate
