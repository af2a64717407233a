"""Keep an exception from the methods that paint from reaching Qt, which would end the process."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGraphicsItem

log = logging.getLogger(__name__)
FAILED = "This view failed: the log says why."
Paint = TypeVar("Paint", bound=Callable[..., None])


def guarded(paint: Paint) -> Paint:
    """Return a method that Qt calls to paint, made safe: what it raises is logged, and an item of a scene says in its
    place that it failed."""

    @wraps(paint)
    def safe(self: object, *args: object, **kwargs: object) -> None:
        painter = next((each for each in args if isinstance(each, QPainter)), None)
        if painter is not None:
            painter.save()
        try:
            paint(self, *args, **kwargs)
        except Exception:
            log.exception("a %s could not be painted", type(self).__name__)
            if painter is not None:
                painter.restore()
                painter.save()
                _say_failed(self, painter)
        if painter is not None:
            painter.restore()

    return cast(Paint, safe)


def _say_failed(of: Any, painter: QPainter) -> None:
    """Write into the place of an item of a scene, in the colours of its look, that it could not be painted."""
    look = getattr(of, "look", None)
    if isinstance(of, QGraphicsItem) and look is not None:
        painter.fillRect(of.boundingRect(), look.theme.qcolor("panel"))
        painter.setPen(look.theme.qcolor("error"))
        painter.drawText(of.boundingRect(), Qt.AlignmentFlag.AlignCenter, FAILED)
