"""Two runs are aligned by the accesses of their source lines, warp by warp."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from ui.backend import engine, run_of, setup_of

from warpview.isa.ops import MEMORY_OPS, Op
from warpview.isa.types import Space
from warpview.ui.moving.alignment import Alignment, same_lines
from warpview.ui.moving.navigation import access_steps
from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.views.context import RunLike


def _instruction(run: RunLike, step: int):
    return run.program.instructions[run.trace.event(step).pc]


def _accesses(run: RunLike, warp: tuple[int, int]) -> list[int]:
    steps = run.trace.steps_of_warp(*warp)
    return [int(step) for step in steps if _instruction(run, int(step)).op in MEMORY_OPS]


def test_accesses_of_an_edited_kernel_are_those_of_the_same_line_and_iteration():
    tile, padded = run_of("transpose/tile_32"), run_of("transpose/padded_32")
    aligned = Alignment(tile, padded)
    for warp in tile.trace.navigator.warps():
        mine, theirs = _accesses(tile, warp), _accesses(padded, warp)
        assert [aligned.counterpart(step).step for step in mine] == theirs
        for step, other in zip(mine, theirs, strict=True):
            assert aligned.counterpart(step).exact
            assert _instruction(tile, step).span.line == _instruction(padded, other).span.line
            ours, beside = tile.trace.frame(step).addresses, padded.trace.frame(other).addresses
            if ours.space is Space.GLOBAL:
                assert np.array_equal(ours.address - ours.address.min(), beside.address - beside.address.min())


def test_devices_are_aligned_instruction_by_instruction():
    old, new = run_of("reduction/interleaved", "8800gtx"), run_of("reduction/interleaved", "h200")
    aligned = Alignment(old, new)
    for nth, step in enumerate(old.trace.steps_of_warp(0, 1)[:200]):
        found = aligned.counterpart(int(step))
        assert found.exact
        assert new.trace.event(found.step).pc == old.trace.event(int(step)).pc
        assert found.step in new.trace.steps_of_warp(0, 1)
        if nth < 20:  # before the first divergence both go the same way
            assert found.step == new.trace.steps_of_warp(0, 1)[nth]


def test_accesses_of_lines_that_differ_are_paired_by_kind_and_ordinal():
    naive, padded = run_of("transpose/naive_32"), run_of("transpose/padded_32")
    aligned = Alignment(naive, padded)
    for kind in (Op.LD, Op.ST):
        mine = [s for s in _accesses(naive, (0, 0)) if _instruction(naive, s).op is kind]
        theirs = [
            s for s in _accesses(padded, (0, 0))
            if _instruction(padded, s).op is kind and _instruction(padded, s).space is Space.GLOBAL
        ]  # fmt: skip
        assert [aligned.counterpart(s).step for s in mine] == theirs


def test_what_only_one_run_has_stays_at_the_last_common_step():
    padded, naive = run_of("transpose/padded_32"), run_of("transpose/naive_32")
    aligned = Alignment(padded, naive)
    alone = [s for s in _accesses(padded, (0, 0)) if _instruction(padded, s).space is Space.SHARED]
    found = [aligned.counterpart(s) for s in alone]
    assert not any(f.exact for f in found)
    assert all(f.present for f in found)
    before = [s for s in _accesses(padded, (0, 0)) if s < alone[0]]
    assert found[0].step == aligned.counterpart(before[-1]).step > 0


def test_a_warp_that_the_other_run_did_not_record_is_said_to_be_absent():
    many, few = run_of("reduction/sequential", "h200"), run_of("transpose/tile_32", "h200")
    few_warps = set(few.trace.navigator.warps())
    aligned = Alignment(few, many)
    absent = next(w for w in few.trace.navigator.warps() if w not in set(many.trace.navigator.warps()))
    found = aligned.counterpart(int(few.trace.steps_of_warp(*absent)[0]))
    assert (found.step, found.exact, found.present) == (0, False, False)
    assert absent in few_warps


def test_the_start_of_one_is_the_start_of_the_other():
    run = run_of()
    assert Alignment(run, run).counterpart(0).step == 0
    assert [Alignment(run, run).counterpart(s).step for s in (1, 7, run.trace.steps)] == [1, 7, run.trace.steps]


def test_an_inserted_access_does_not_shift_the_others():
    text = setup_of("reduction/sequential").text
    line = "sdata[tid] += sdata[tid + s];"
    assert line in text
    edited = replace(
        setup_of("reduction/sequential"), edited=True, text=text.replace(line, f"{{ int x = sdata[tid]; {line} }}")
    )
    before, after = run_of("reduction/sequential"), engine().trace(edited, lambda *_: True)
    aligned = Alignment(before, after)
    stores = [s for s in _accesses(before, (0, 0)) if _instruction(before, s).op is Op.ST]
    for step in stores:
        found = aligned.counterpart(step)
        assert found.exact
        mine, theirs = before.trace.frame(step).addresses, after.trace.frame(found.step).addresses
        assert np.array_equal(mine.address, theirs.address)


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("a\nb\nc", "a\nb\nc", {1: 1, 2: 2, 3: 3}),
        ("a\nlong_name = 1;\nc", "a\nlong_name = 2;\nc", {1: 1, 2: 2, 3: 3}),
        ("a\nc", "a\nnew = 1;\nc", {1: 1, 2: 3}),
        ("x = 1;  // one", "x=1;", {1: 1}),
        ("sum += a[i];", "__syncthreads();", {}),
        ("p\nvalue = in[i];\nq", "p\nint k = 0;\nk++;\nvalue = in[i + k];\nq", {1: 1, 2: 4, 3: 5}),
    ],
)
def test_lines_are_the_same_when_they_are_alike(first: str, second: str, same: dict[int, int]):
    assert same_lines(first, second) == same


def test_the_accesses_of_a_warp():
    run = run_of()
    assert access_steps(run, Snapshot(block=0, warp=1)).tolist() == _accesses(run, (0, 1))
