"""What Python shows of the public objects is short and in words."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv


def test_names_can_be_completed() -> None:
    assert {"compile", "simulate", "run_program", "occupancy"} <= set(dir(wv))


def test_objects_are_shown_in_one_line() -> None:
    entry = next(iter(wv.kernels()))
    program = wv.compile("__global__ void k(int *x) { x[0] = 1; }")
    shown = [repr(entry), repr(wv.devices()[0]), repr(program)]
    assert all(len(text) < 150 for text in shown), shown
    assert entry.key in shown[0]
    assert shown[2] == f"<Program k of {program.source.name}, {len(program.instructions)} instructions>"


def test_a_verdict_and_a_finding_are_printed_as_sentences() -> None:
    program = wv.compile("__global__ void k(int *x) { x[threadIdx.x] = 1; }")
    run = wv.simulate(program, 1, 64, [np.zeros(32, np.int32)], engine="sm")
    assert str(run.verdict()) == run.verdict().text()
    assert len(repr(run.verdict())) < 300
    assert str(run.findings[0]) == run.findings[0].render()
    with pytest.raises(KeyError, match="there is no counter 'divergent_branch'; did you mean 'divergent_branches'"):
        run.counters["divergent_branch"]
