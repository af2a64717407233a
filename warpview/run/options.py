"""Type the keyword options that every way of launching a program takes, and show them in signatures."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypedDict, TypeVar

from numpy.typing import ArrayLike

from warpview.devices import Device

Function = TypeVar("Function", bound=Callable[..., object])


class RunOptions(TypedDict, total=False):
    """Give the types of options of ``simulate_series``, whose signature has their defaults, to functions that hand them
    on."""

    engine: str
    check: bool
    registers: int | None
    step_budget: int | None
    threads: int
    l1: bool
    traced_block: int
    history_bytes: int
    progress: Callable[[int, int], object] | None
    expect: Mapping[str, ArrayLike] | None
    tolerance: float | None
    sample: float
    too_long: Callable[[float], float] | None


class SeriesOptions(RunOptions, total=False):
    """Add the options of which a library kernel has its own: the device, constant memory, the launch to record."""

    device: str | Path | Device
    constants: Mapping[str, ArrayLike] | None
    traced: int | None


def shows_options_of(origin: Callable[..., object], hidden: tuple[str, ...] = ()) -> Callable[[Function], Function]:
    """Return a decorator that lists the keywords of ``origin``, less the hidden ones, in place of ``**options`` in the
    signature that ``help`` and notebooks show."""

    def decorate(function: Function) -> Function:
        own = inspect.signature(function)
        kept = [parameter for parameter in own.parameters.values() if parameter.kind is not parameter.VAR_KEYWORD]
        names = {*hidden, *own.parameters}
        added = [
            parameter
            for parameter in inspect.signature(origin).parameters.values()
            if parameter.kind is parameter.KEYWORD_ONLY and parameter.name not in names
        ]
        vars(function)["__signature__"] = own.replace(parameters=[*kept, *added])
        return function

    return decorate
