"""Keys lead from one party of a race to the other, on a real run."""

from __future__ import annotations

from dataclasses import replace

import pytest
from ui.backend import run_of

from warpview.isa.ops import MEMORY_OPS
from warpview.trace.frame import Mark
from warpview.ui.moving.parties import lanes_of_finding, other_party, parties_of
from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.views.context import FrameContext


@pytest.fixture(scope="module")
def racing():
    return run_of("mistakes/missing_barrier", "h200")


def race(run):
    return next(f for f in run.findings if f.other is not None)


def test_each_party_is_at_a_step_of_its_warp_that_accesses_memory(racing):
    for finding in (found for found in racing.findings if found.other is not None):
        for party in parties_of(racing, finding):
            event = racing.trace.event(party.step)
            assert (event.block, event.warp, event.pc) == (party.block, party.warp, party.finding.pc)
            assert racing.program.instructions[event.pc].op in MEMORY_OPS or finding.kind != "race"
            assert event.marks & Mark.FINDING or finding.kind != "race"
            assert event.on >> party.lane & 1


def test_the_move_goes_to_and_fro(racing):
    later, first = parties_of(racing, race(racing))
    now = Snapshot(step=later.step, block=later.block, warp=later.warp, lane=later.lane)
    move, words = other_party(racing, now)
    assert (move["step"], move["block"], move["warp"], move["lane"]) == (
        first.step,
        first.block,
        first.warp,
        first.lane,
    )
    assert "came first" in words
    assert later.words in words
    back, words = other_party(racing, replace(now, **{k: move[k] for k in ("step", "block", "warp", "lane")}))
    assert (back["step"], back["lane"]) == (later.step, later.lane)
    assert "came second" in words


def test_from_elsewhere_the_move_leads_to_the_next_race(racing):
    races = [finding for finding in racing.findings if finding.other is not None]
    move, _ = other_party(racing, Snapshot())
    assert move["step"] == min(parties_of(racing, finding)[0].step for finding in races)
    assert other_party(racing, Snapshot(step=racing.trace.steps))[0]["step"] is not None


def test_both_lanes_are_marked_at_either_end(racing):
    both = parties_of(racing, race(racing))
    for party in both:
        now = Snapshot(step=party.step, block=party.block, warp=party.warp)
        context = FrameContext(racing, racing.trace.frame(party.step), now)
        marked = lanes_of_finding(context)
        assert {(p.block, p.warp, p.lane) for p in both} <= set(marked)


def test_a_run_without_a_race_has_nowhere_to_go():
    assert other_party(run_of(), Snapshot()) == (None, "This run has no races.")


def test_a_party_on_another_multiprocessor_is_named(racing):
    finding = race(racing)
    elsewhere = replace(finding, other=replace(finding.other, block=(3, 0, 0)))

    class Other:
        program, device, launch, trace = racing.program, racing.device, racing.launch, racing.trace
        findings = (elsewhere,)

    launch = replace(racing.launch, grid=(8, 1, 1))
    Other.launch = launch
    later, first = parties_of(Other, elsewhere)
    assert first.step is None
    move, words = other_party(Other, Snapshot(step=later.step, block=later.block, warp=later.warp, lane=later.lane))
    assert move is None
    assert "block 3" in words
    assert "on a multiprocessor that was not recorded" in words
