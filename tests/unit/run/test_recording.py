"""A recorded run is the run: every frame of it, every access and every counter."""

from __future__ import annotations

import io
import os
import pickle
from dataclasses import replace

import numpy as np
import pytest
from record_opening import recorded

from warpview import library
from warpview.diagnostics import WarpviewError
from warpview.run import Run, simulate_preset
from warpview.run.recording import OPENING, read_recording, write_recording


@pytest.fixture(scope="module")
def run() -> Run:
    return simulate_preset(library.entry(OPENING.kernel), OPENING.preset, OPENING.device, engine="sm").launches[0]


@pytest.fixture(scope="module")
def again() -> Run:
    return read_recording(OPENING.path.read_bytes())


def test_the_file_that_is_shipped_is_that_of_the_program_as_it_is() -> None:
    """Otherwise run tests/record_opening.py."""
    shipped, now = OPENING.path.read_bytes(), recorded()
    with np.load(OPENING.path) as one:
        names = set(one.files)
    assert len(shipped) < 100_000
    assert {"about", "warps", "event pc", "state memory", "change memory to"} <= names
    assert shipped == now or _alike(shipped, now)


def _alike(one: bytes, other: bytes) -> bool:
    """Whether two files hold the same, however it is compressed, and however the same program is pickled."""
    with np.load(io.BytesIO(one)) as a, np.load(io.BytesIO(other)) as b:
        same = all(np.array_equal(a[name], b[name]) for name in a.files if name != "program")
    return a.files == b.files and same and read_recording(one).program == read_recording(other).program


def test_the_program_is_the_compiled_one(run: Run, again: Run) -> None:
    assert again.program == run.program
    assert again.program.instructions[0].span.source is again.program.source


def test_every_frame_is_that_of_the_run(run: Run, again: Run) -> None:
    assert run.trace is not None
    assert again.trace is not None
    steps = run.trace.steps
    assert again.trace.steps == steps > 400
    order = [*range(steps + 1), 7, steps, 0]
    for step in order:
        one, other = run.trace.frame(step), again.trace.frame(step)
        assert (one.event, one.warps, one.cycle) == (other.event, other.warps, other.cycle)
        for name in ("counts", "registers32", "registers64"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
        for mine, its in zip(one.shared, other.shared, strict=True):
            np.testing.assert_array_equal(mine.data, its.data)
            np.testing.assert_array_equal(mine.written, its.written)


def test_counters_and_arrays_are_those_of_the_run(run: Run, again: Run) -> None:
    assert dict(again.counters) == dict(run.counters)
    assert again.occupancy == run.occupancy
    assert again.allocations == run.allocations
    assert again.shapes == run.shapes
    assert run.trace is not None
    assert again.trace is not None
    rows = [np.zeros((run.trace.steps, 3), np.uint32) for _ in range(2)]
    words = [np.zeros(32 * run.trace.steps, np.uint32) for _ in range(2)]
    for first, last in ((0, run.trace.steps), (100, 200)):
        counts = [
            r.trace.replay.accesses(first, last, rows[n], words[n]) for n, r in enumerate((run, again)) if r.trace
        ]
        assert counts[0] == counts[1] > 10
        np.testing.assert_array_equal(rows[0], rows[1])
        np.testing.assert_array_equal(words[0], words[1])


def test_a_recording_of_another_source_is_refused(run: Run) -> None:
    text = run.program.source.text
    other = replace(run.program, source=replace(run.program.source, text=text.replace("2 * s", "3 * s")))
    with pytest.raises(WarpviewError, match="is of another source"):
        read_recording(write_recording(replace(run, program=other), OPENING.kernel, OPENING.preset))


class _Harmful:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.getcwd, ()  # type: ignore[return-value]


def test_a_recording_cannot_name_other_code() -> None:
    with np.load(io.BytesIO(OPENING.path.read_bytes())) as file:
        arrays = dict(file)
    arrays["program"] = np.frombuffer(pickle.dumps(_Harmful()), np.uint8)
    changed = io.BytesIO()
    np.savez(changed, **arrays)
    with pytest.raises(pickle.UnpicklingError, match="a program has no"):
        read_recording(changed.getvalue())
