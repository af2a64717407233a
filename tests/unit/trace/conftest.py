"""Traces of small kernels, and events made by hand."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from warpview.diagnostics import SourceText, Span
from warpview.isa.program import Program
from warpview.sim.events import EVENT_COLUMNS, Events


def make_events(**columns: list[int]) -> Events:
    """Events from some columns; the others are zero, except that a warp waits for nothing before its issue."""
    length = len(next(iter(columns.values())))
    data = {name: np.array(columns.get(name, [0] * length), dtype=kind) for name, kind in EVENT_COLUMNS.items()}
    for name in ("since", "ready", "free"):
        if name not in columns:
            data[name] = data["cycle"].copy()
    return Events(**data)


def program_of_lines(lines: list[int]) -> Program:
    """Something with instructions on the given source lines."""
    source = SourceText("k.cu", "\n".join(f"line {n}" for n in range(1, 100)))
    return SimpleNamespace(instructions=[SimpleNamespace(span=Span(source, n, 1)) for n in lines])  # type: ignore[return-value]


@pytest.fixture
def events():
    return make_events


@pytest.fixture
def lines():
    return program_of_lines
