"""Read the arguments of a launch from texts, as the command line and the fields of the window give them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from warpview import library
from warpview.diagnostics import LaunchError
from warpview.isa.program import Param, Program
from warpview.isa.types import Type, small_float
from warpview.library.arguments import no_parameter
from warpview.sim.arguments.binding import Argument, Uninitialised
from warpview.sim.arguments.untyped_structs import word
from warpview.sim.arguments.values import DTYPES, small_patterns


def arguments_from_texts(program: Program, texts: Mapping[str, str]) -> dict[str, Argument]:
    """Return the arguments of a launch by name. A struct is a mapping, made of texts for its fields: ``view.size``.

    Raises LaunchError for a parameter that does not exist, WarpviewError for a spec that means nothing.
    """
    arguments: dict[Any, Any] = {}
    for path, text in texts.items():
        param = _parameter(program, path)
        *outer, last = (param.name, *param.steps)
        place = arguments
        for step in outer:
            place = place.setdefault(step, {})
        place[last] = _value(param, text)
    return arguments


def _parameter(program: Program, path: str) -> Param:
    param = next((param for param in program.params if param.path == path), None)
    if param is None:
        raise LaunchError(no_parameter(program.kernel, path, (param.path for param in program.params)))
    return param


def _value(param: Param, text: str) -> Argument:
    """Return the value that an input spec of the library gives to a parameter or a field, typed by it."""
    if param.untyped:
        value = _untyped_argument(param.path, text)
        return _word(param, value) if param.field else value
    element = (param.element or Type.U8) if param.is_pointer else param.type
    small = small_float(param.ctype, element)
    if small and param.is_pointer and text.partition(":")[0] in library.KINDS:
        return small_patterns(np.asarray(library.make_input(text, np.dtype(np.float32))), small)
    return BlankConverter().on(library.make_input(text, DTYPES[element]))


def _word(param: Param, value: Argument) -> Argument:
    """Return a number as one that fills its word of a struct; a buffer as it is."""
    if isinstance(value, float):
        return {4: np.float32, 8: np.float64}.get(param.type.bytes, np.float16)(value)
    if isinstance(value, int):
        return np.frombuffer(word(param.path, value, param.type.bytes), DTYPES[param.type])[0]
    return value


def _untyped_argument(name: str, text: str) -> Argument:
    """Return an argument of a kernel that tells no types: a number has its own, a buffer's stands before its spec."""
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            pass
    kind, _, spec = text.partition(" ")
    try:
        element = np.dtype(kind)
    except TypeError:
        raise LaunchError(
            f"'{name}={text}': the file does not tell types: write the type of the elements before a buffer, "
            f"as in '{name}=float32 iota:256'"
        ) from None
    return BlankConverter().on(library.make_input(spec, element))


class BlankConverter:
    """Turn the library's blank buffers into uninitialised ones, the same one each time; the rest stays as it is."""

    def __init__(self) -> None:
        self._blanks: dict[int, Uninitialised] = {}

    def on(self, value: library.Input) -> Argument:
        if not isinstance(value, library.Blank):
            return value
        return self._blanks.setdefault(id(value), Uninitialised(value.shape, value.dtype))
