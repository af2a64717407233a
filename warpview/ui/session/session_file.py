"""Save a session to a file, to be opened again or passed on: kernel, source if edited, device, launch, and place.

Qt-free. The file is JSON with the ending ``.warpview``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, fields, is_dataclass
from enum import Enum
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from warpview.diagnostics import WarpviewError
from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.session.backend import Setup

T = TypeVar("T")
ENDING = ".warpview"
VERSION = 1


@dataclass(frozen=True)
class Saved:
    """``layout`` is what ``Workspace.state`` gave; ``lesson`` the key of the lesson that was open at ``page``, from 0,
    empty where none was."""

    setup: Setup
    place: Snapshot
    layout: str = "{}"
    lesson: str = ""
    page: int = 0


def to_text(saved: Saved) -> str:
    place = asdict(saved.place) | {"breakpoints": sorted(saved.place.breakpoints)}
    rest = {"layout": saved.layout, "lesson": saved.lesson, "page": saved.page}
    content = {"warpview": VERSION, "setup": asdict(saved.setup), "place": place, **rest}
    return json.dumps(content, indent=2) + "\n"


def from_text(text: str, name: str) -> Saved:
    """Return the session in a file's text. WarpviewError, which names the key at fault, if it is not one."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise WarpviewError(f"{name} is not a session of warpview: {problem}") from None
    try:
        version = _of_type(int, _member(content, "warpview", ""), "warpview")
        if version > VERSION:
            raise WarpviewError(f"{name} was written by a later warpview")
        setup = _record(Setup, _member(content, "setup", ""), "setup")
        place = _record(Snapshot, _member(content, "place", ""), "place")
        layout = _of_type(str, content.get("layout", "{}"), "layout")
        lesson, page = _of_type(str, content.get("lesson", ""), "lesson"), _of_type(int, content.get("page", 0), "page")
        return Saved(setup, place, layout, lesson, page)
    except _WrongError as problem:
        raise WarpviewError(f"{name} is not a session of warpview: {problem}") from None


class _WrongError(Exception):
    """A value is not what its key wants."""


def _member(content: Any, key: str, above: str) -> Any:
    if not isinstance(content, dict):
        raise _WrongError(f"{above or 'its content'} is not an object")
    if key not in content:
        raise _WrongError(f"{above}{'.' if above else ''}{key} is missing")
    return content[key]


def _record(kind: type[T], value: Any, key: str) -> T:
    """Return a data class of a JSON object: what it does not have keeps its default, what nobody knows is left out."""
    hints = get_type_hints(kind)
    found = {}
    for field in fields(kind):  # type: ignore[arg-type]
        needed = field.default is MISSING and field.default_factory is MISSING
        if needed or (isinstance(value, dict) and field.name in value):
            found[field.name] = _read(hints[field.name], _member(value, field.name, key), f"{key}.{field.name}")
        elif not isinstance(value, dict):
            raise _WrongError(f"{key} is not an object")
    return kind(**found)


def _read(kind: Any, value: Any, key: str) -> Any:
    """Return a value of JSON as a field of this type has it."""
    outer, inner = get_origin(kind), get_args(kind)
    if outer in (Union, UnionType):
        return None if value is None else _read(inner[0], value, key)
    if outer in (tuple, frozenset):
        items = _of_type(list, value, key)
        if outer is tuple and inner[-1] is not Ellipsis and len(items) != len(inner):
            raise _WrongError(f"{key} is {_shown(value)}, not {len(inner)} values")
        return outer(_read(inner[0], item, f"{key}[{n}]") for n, item in enumerate(items))
    if outer is Mapping:
        return {k: _read(inner[1], v, f"{key}.{k}") for k, v in _of_type(dict, value, key).items()}
    if isinstance(kind, type) and is_dataclass(kind):
        return _record(kind, value, key)
    if issubclass(kind, Enum):
        try:
            return kind(value)
        except ValueError:
            raise _WrongError(f"{key} is {_shown(value)}, not one of {', '.join(str(k.value) for k in kind)}") from None
    return _of_type(kind, value, key)


def _of_type(kind: type[T], value: Any, key: str) -> T:
    if type(value) is not kind:
        raise _WrongError(f"{key} is {_shown(value)}, not {_WANTED[kind]}")
    return value


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


_WANTED: dict[type, str] = {
    str: "a text", int: "a whole number", bool: "true or false", list: "a list", dict: "an object",
}  # fmt: skip
