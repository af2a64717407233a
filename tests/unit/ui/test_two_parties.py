"""A race has two parties: both are marked, in the lanes and in memory, on a real run."""

import pytest

from warpview.isa.types import Space
from warpview.ui.drawing.picture import Rects
from warpview.ui.views.arrays.arrays_model import TileCache, pictures
from warpview.ui.views.arrays.elements_model import findings_in, happened, lanes_with_findings, parties
from warpview.ui.views.lanes import lanes_model


@pytest.fixture
def racing(real):
    return real("mistakes/missing_barrier", "h200")


def race(scenes):
    return next(f for f in scenes.run.findings if f.other is not None)


def test_both_threads_of_a_race_are_told(racing):
    context = racing.at(racing.run.trace.steps)
    finding = race(racing)
    assert len(parties(finding)) == 2
    lanes = lanes_with_findings(context)
    for party in parties(finding):
        thread = party.thread[0]
        block = party.block[0]
        assert lanes[block, thread // 32, thread % 32].startswith(finding.kind)


def test_both_lanes_have_the_sign_once_it_has_happened(racing, picture):
    finding = race(racing)
    warp = finding.block[0], finding.thread[0] // 32
    step = int(racing.run.trace.steps_of_warp(*warp)[finding.issue])
    for at, marked in ((step - 1, False), (step, True)):
        context = racing.at(at)
        assert (finding in happened(context)) == marked
        resident = {(w.block, w.warp) for w in context.frame.warps}
        lanes = [key for key in lanes_with_findings(context) if key[:2] in resident]
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
    assert f"⚠ {finding.kind}" in shared[0].note
    assert findings_in(context, shared[0].array) == shared[0].findings
