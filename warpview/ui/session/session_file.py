"""Save a session to a file, to be opened again or passed on: kernel, source if edited, device, launch, and place.

Qt-free. The file is JSON with the ending ``.warpview``.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from warpview.diagnostics import WarpviewError
from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.session.backend import Setup

ENDING = ".warpview"
VERSION = 1


@dataclass(frozen=True)
class _Versioned:
    warpview: int


@dataclass(frozen=True)
class Saved:
    """``layout`` is what ``Workspace.state`` gave, ``warpview`` the version of the file's format; ``lesson`` the key of
    the lesson that was open at ``page``, from 0, empty where none was."""

    setup: Setup
    place: Snapshot
    layout: str = "{}"
    lesson: str = ""
    page: int = 0
    warpview: int = VERSION


def to_text(saved: Saved) -> str:
    return f"{msgspec.json.format(msgspec.json.encode(saved), indent=2).decode()}\n"


def from_text(text: str, name: str) -> Saved:
    """Return the session in a file's text: what it does not have keeps its default, what nobody knows is left out.
    WarpviewError, which names the key at fault, if it is not one."""
    try:
        if msgspec.json.decode(text, type=_Versioned).warpview > VERSION:
            raise WarpviewError(f"{name} was written by a later version of warpview")
        return msgspec.json.decode(text, type=Saved)
    except (msgspec.DecodeError, RecursionError) as problem:
        words = str(problem).replace("`$.", "`").replace("`", "'")
        raise WarpviewError(f"{name} is not a warpview session: {words}") from None
