"""The page of two runs says the right things, without a window."""

from __future__ import annotations

from ui.backend import run_of

from warpview.profile.counters import BY_KEY
from warpview.ui.arranging import side_by_side_model as model
from warpview.ui.moving.alignment import Counterpart
from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.views.context import FrameContext
from warpview.ui.views.counters.counters_model import CounterTable


def _context(step: int) -> FrameContext:
    run = run_of("transpose/tile_32")
    event = run.trace.event(step) if step else None
    key = {"block": event.block, "warp": event.warp} if event else {}
    return FrameContext(run, run.trace.frame(step), Snapshot(step=step, **key))


def test_titles_say_what_is_common_and_what_is_not():
    assert model.titles(("Tile", "G80", "small"), ("Padded", "G80", "small")) == ("G80 · small", "Tile", "Padded")
    assert model.titles(("Tile", "G80"), ("Tile", "H200")) == ("Tile", "G80", "H200")
    assert model.titles(("Tile",), ("Tile", "edited")) == ("Tile", "before the edit", "edited")


def test_counters_that_differ_come_first_and_in_full():
    first, second = run_of("transpose/tile_32"), run_of("transpose/padded_32")
    keys = model.keys_of(first, second)
    assert keys[0] == "shared_ld_bank_conflicts"
    assert len(keys) == model.SHOWN
    ends = [CounterTable(run).so_far(run.trace.frame(run.trace.steps).counts) for run in (first, second)]
    rows = dict(zip(keys, model.counter_rows(keys, first, second, *ends), strict=True))
    assert len(model.HEADER) == len(rows["inst_executed"])
    assert rows["shared_ld_bank_conflicts"] == (
        BY_KEY["shared_ld_bank_conflicts"].title, "960", "0", "−100 %", "3\u202f840", "0", "−100 %",
    )  # fmt: skip
    assert rows["time_us"][0] == "Time, µs"


def test_a_change_from_nothing_is_the_number_itself():
    assert model.change(0, 5) == "+5"
    assert model.change(4, 5) == "+25 %"
    assert model.change(None, 5) == ""


def test_the_status_says_how_the_steps_correspond():
    load = _context(20)
    assert model.status(load, Counterpart(20, True)) == "Block 0, warp 0: the same access in both runs."
    assert model.status(load, Counterpart(3, False)).endswith(
        "the right run has no such access and stays at the last step that both have."
    )
    assert model.status(load, Counterpart(0, False)).endswith("has no such access and has not begun.")
    assert "not on the recorded multiprocessor" in model.status(load, Counterpart(0, False, False))
    assert "the same instruction" in model.status(_context(1), Counterpart(1, True))
    assert model.status(_context(0), Counterpart(0, True)).startswith("Both runs are before")


def test_the_source_line_has_its_number():
    assert model.source_line(_context(20), False).startswith("11  tile[threadIdx.y + j]")
    assert model.source_line(_context(0), False) == ""
