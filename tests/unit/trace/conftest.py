"""Make traces of small kernels, and events by hand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest

from warpview.devices import Device, load_device
from warpview.diagnostics import SourceText, Span
from warpview.frontend import compile_source
from warpview.isa.program import Program
from warpview.resources import kernels_dir
from warpview.sim.arguments.binding import bind
from warpview.sim.history.events import EVENT_COLUMNS, Events, SmOptions
from warpview.sim.launch import Options
from warpview.trace import Trace, caption, record


def make_events(**columns: list[int]) -> Events:
    """Make events from some columns; the others are zero, except that a warp waits for nothing before its issue."""
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


@dataclass(frozen=True)
class Story:
    """Hold a recorded reduction: 2 blocks of 128 threads on a multiprocessor that has both."""

    trace: Trace
    data: np.ndarray
    total: np.ndarray

    def captions(self, first: int, last: int) -> list[str]:
        trace = self.trace
        return [caption(trace.frame(k), trace.program, trace.device) for k in range(first, last + 1)]


@cache
def tell(name: str, device: str, limit: int) -> Story:
    path = kernels_dir() / "reduction" / f"{name}.cu"
    program = compile_source(SourceText(path.name, path.read_text()))
    chip = Device(**{**vars(load_device(device)), "multiprocessors": 1})
    data = np.arange(256, dtype=np.int32)
    binding = bind(program, (2, 1, 1), (128, 1, 1), [data, np.zeros(2, dtype=np.int32), 256], 512)
    options = SmOptions(history_limit=limit)
    _, trace = record(program, chip, binding.launch, binding.memory, Options(), options)
    return Story(trace, data, binding.buffers["output"].read(binding.memory))


@pytest.fixture
def story():
    """story(kernel of the reduction family, device) runs it once."""
    return lambda name, device="8800gtx", limit=1_000_000: tell(name, device, limit)
