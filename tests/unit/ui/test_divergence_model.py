import numpy as np
import pytest

from warpview.trace.frame import ControlPath
from warpview.ui.drawing.picture import Box
from warpview.ui.views import band_model, divergence_model
from warpview.ui.views.flow_model import arrange, flow


def test_blocks_and_edges_of_a_loop_with_an_if(scenes):
    graph = flow(scenes().run.program)
    assert [(b.first, b.last) for b in graph.blocks] == [
        (0, 5), (6, 7), (8, 11), (12, 15), (16, 18), (19, 20), (21, 22), (23, 23)
    ]  # fmt: skip
    assert {(e.source, e.target, e.kind) for e in graph.edges} == {
        (0, 1, "next"), (1, 2, "next"), (1, 5, "taken"), (2, 3, "next"), (2, 4, "taken"), (3, 4, "next"),
        (4, 1, "back"), (5, 6, "next"), (5, 7, "taken"), (6, 7, "next"),
    }  # fmt: skip
    assert [b.layer for b in graph.blocks] == list(range(8))
    assert graph.blocks[3].depth > graph.blocks[2].depth
    assert graph.blocks[2].title == "if (tid % (2 * s) == 0)"
    assert graph.at(14).index == 3
    assert graph.at(-1) is None


def test_the_graph_is_placed_inside_its_area_without_overlaps(scenes):
    graph = flow(scenes().run.program)
    area = Box(10, 20, 400, 500)
    drawing = arrange(graph, area, 15, None)
    assert all(b is not None for b in drawing.boxes)
    assert len(drawing.routes) == len(graph.edges)
    for k, a in enumerate(drawing.boxes):
        assert a.x >= area.x
        assert a.right <= area.right
        assert a.bottom <= area.bottom
        assert not any(a.overlaps(b) for b in drawing.boxes[k + 1 :])
    for route in drawing.routes:
        assert all(area.x <= x <= area.right for x, _ in route.points)


def test_a_graph_too_tall_shows_what_is_around_the_lanes(scenes):
    graph = flow(scenes().run.program)
    drawing = arrange(graph, Box(0, 0, 300, 100), 15, 6)
    assert drawing.boxes[0] is None
    assert drawing.boxes[6] is not None
    assert drawing.cut_above > 0


def test_the_stack_lists_the_running_path_first(scenes):
    context = scenes().pc(12, nth=2)
    found = divergence_model.cards(context, context.warp)
    assert [c.title for c in found] == ["line 11", "line 12"]
    assert found[0].running
    assert found[0].until == "until line 12"
    assert found[0].path.mask == 0x01010101
    assert found[1].until == "all remaining lanes"


def test_splits_say_what_they_wait_for(scenes):
    context = scenes("divergent", "h200").pc(12, nth=2)
    paths = (ControlPath(16, 0xFEFEFEFE, 16, "reconvergence"), ControlPath(13, 0x01010101, 16))
    warp = context.warp._replace(paths=paths, pc=13, mask=0x01010101)
    found = divergence_model.cards(context, warp)
    assert [c.running for c in found] == [True, False]
    assert found[1].words == "waits for the others"


def test_lanes_travel_along_both_sides_of_a_branch(scenes):
    context = scenes().pc(11, nth=2)
    graph = flow(context.program)
    assert divergence_model.moves(context, graph) == {(2, 4): 0xFEFEFEFE, (2, 3): 0x01010101}
    assert divergence_model.moves(scenes().pc(12), graph) == {}
    assert divergence_model.moves(scenes().pc(18), graph) == {(4, 1): 0xFFFFFFFF}


def test_the_band_shows_the_comb_and_marks_what_is_to_come(scenes):
    context = scenes().pc(12, nth=1)
    band = band_model.band(context, 60)
    assert band.steps[band.current] == context.frame.step
    column = band.lanes[:, band.current]
    assert np.flatnonzero(column == band_model.ACTIVE).tolist() == list(range(0, 32, 4))
    assert band.active[band.current] == 8
    assert set(np.unique(band.lanes[:, band.current + 1 :])) <= {
        band_model.IDLE, band_model.LATER_ACTIVE, band_model.LATER_OFF
    }  # fmt: skip


def test_a_click_on_the_band_goes_to_its_step(scenes, picture):
    p = picture()
    context = scenes().pc(12, nth=1)
    divergence_model.draw(context, p)
    steps = {h.target.step for x in range(10, 500, 3) if (h := p.at(x, 370)) and h.target}
    assert context.frame.step in steps


@pytest.mark.parametrize("pc", [11, 12, 23])
def test_the_answer_is_hidden_while_the_hall_is_asked(scenes, picture, pc):
    p = picture()
    assert divergence_model.draw(scenes().pc(pc, predicting=True), p) in ("", "ended")
