"""A session as a file: kernel, source if edited, device, launch, and where one was, to be opened again or passed on.

Qt-free. The file is JSON with the ending ``.warpview``.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import Any

from warpview.diagnostics import WarpviewError
from warpview.isa.types import Space
from warpview.ui.backend import Setup
from warpview.ui.elements import Element
from warpview.ui.snapshot import Bookmark, Snapshot

ENDING = ".warpview"
VERSION = 1


@dataclass(frozen=True)
class Saved:
    """``layout`` is what ``Stage.state`` gave."""

    setup: Setup
    place: Snapshot
    layout: str = "{}"


def to_text(saved: Saved) -> str:
    place = asdict(saved.place) | {"breakpoints": sorted(saved.place.breakpoints)}
    content = {"warpview": VERSION, "setup": asdict(saved.setup), "place": place, "layout": saved.layout}
    return json.dumps(content, indent=2) + "\n"


def from_text(text: str, name: str) -> Saved:
    """The session in a file's text. WarpviewError if it is not one, or of a later version."""
    try:
        content = json.loads(text)
        if content["warpview"] > VERSION:
            raise WarpviewError(f"{name} was written by a later warpview")
        setup, place = content["setup"], content["place"]
        known = {field.name for field in fields(Setup)}
        setup = {key: value for key, value in setup.items() if key in known}
        setup["grid"], setup["block"] = _dims(setup["grid"]), _dims(setup["block"])
        place["breakpoints"] = frozenset(int(line) for line in place["breakpoints"])
        place["bookmarks"] = tuple(Bookmark(**mark) for mark in place.get("bookmarks", ()))
        place["element"] = None if place.get("element") is None else _element(**place["element"])
        return Saved(Setup(**setup), Snapshot(**place), str(content.get("layout", "{}")))
    except (ValueError, TypeError, KeyError, AttributeError):
        raise WarpviewError(f"{name} is not a session of warpview") from None


def _element(space: int, **fields: Any) -> Element:
    return Element(space=Space(space), **fields)


def _dims(values: Any) -> tuple[int, int, int]:
    x, y, z = (int(v) for v in values)
    return (x, y, z)
