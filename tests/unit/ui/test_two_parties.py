"""A race has two parties: both are marked, in the lanes and in memory, on a real run."""

import pytest

from warpview.isa.types import Space
from warpview.ui.drawing.picture import Rects
from warpview.ui.moving.parties import lanes_of_finding, parties_of
from warpview.ui.views.arrays.arrays_model import TileCache, pictures
from warpview.ui.views.arrays.elements_model import findings_in, happened, parties
from warpview.ui.views.lanes import lanes_model


@pytest.fixture
def racing(real):
    return real("mistakes/missing_barrier", "h200")


def race(scenes):
    return next(f for f in scenes.run.findings if f.other is not None)


def test_both_threads_of_a_race_are_told(racing):
    finding = race(racing)
    context = racing.at(parties_of(racing.run, finding)[0].step)
    assert len(parties(finding)) == 2
    lanes = lanes_of_finding(context)
    for party in parties(finding):
        thread = party.thread[0]
        block = party.block[0]
        assert lanes[block, thread // 32, thread % 32].startswith(finding.kind)


def test_both_lanes_have_the_sign_at_the_step_of_the_race(racing, picture):
    finding = race(racing)
    step = parties_of(racing.run, finding)[0].step
    for at, marked in ((step - 1, False), (step, True), (step + 1, False)):
        context = racing.at(at)
        assert (finding in happened(context)) == (at >= step)
        assert bool(lanes_of_finding(context)) == marked
        resident = {(w.block, w.warp) for w in context.frame.warps}
        lanes = [key for key in lanes_of_finding(context) if key[:2] in resident]
        p = picture(900, 500)
        lanes_model.draw(context, p, None)
        assert len([m for m in p.marks if isinstance(m, Rects) and m.edge == "error"]) == len(lanes)


def test_the_element_of_the_race_is_marked_and_named(racing):
    finding = race(racing)
    step = int(racing.run.trace.steps_of_warp(finding.block[0], finding.thread[0] // 32)[finding.issue])
    context = racing.at(step, block=finding.block[0], warp=finding.thread[0] // 32)
    drawn = pictures(context, TileCache(racing.run.program))
    shared = [p for p in drawn if p.findings and p.array.space is Space.SHARED]
    assert shared
    assert f"⚠ {finding.kind}" in shared[0].note()
    assert findings_in(context, shared[0].array) == shared[0].findings
