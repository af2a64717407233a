import numpy as np
import pytest
from msgspec import structs
from support.pictures import text_boxes

from warpview.sim.history.events import Mark
from warpview.trace.frame import ControlPath
from warpview.ui.drawing.picture import Box, Picture
from warpview.ui.views.divergence import band_model, divergence_model
from warpview.ui.views.divergence.flow_model import arrange, flow


def test_blocks_and_edges_of_a_loop_with_an_if(scenes):
    graph = flow(scenes().run.program)
    assert [(b.first, b.last) for b in graph.blocks] == [
        (0, 9), (10, 13), (14, 19), (20, 23), (24, 25), (26, 28), (29, 29)
    ]  # fmt: skip
    assert {(e.source, e.target, e.kind) for e in graph.edges} == {
        (0, 1, "next"), (0, 4, "taken"), (1, 2, "next"), (1, 3, "taken"), (2, 3, "next"), (3, 1, "back"),
        (3, 4, "next"), (4, 5, "next"), (4, 6, "taken"), (5, 6, "next"),
    }  # fmt: skip
    assert [b.layer for b in graph.blocks] == list(range(7))
    assert graph.blocks[2].depth > graph.blocks[1].depth
    assert graph.blocks[1].title == "if (tid % (2 * s) == 0)"
    assert graph.at(14).index == 2
    assert graph.at(-1) is None


def test_the_last_block_of_a_loop_is_known_by_the_line_at_which_lanes_meet(real):
    context = real("reduction/interleaved", "8800gtx").first(Mark.DIVERGENCE)
    graph = flow(context.program)
    waiting = divergence_model.cards(context, context.warp)[1]
    assert waiting.title == "line 14"
    meeting = graph.at(waiting.path.pc)
    assert (meeting.line, meeting.title) == (14, "__syncthreads();")
    assert [block.line for block in graph.blocks].count(11) == 1


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


def test_a_narrow_block_shows_its_statement_and_how_many_lanes_it_holds(real, picture):
    context = real("reduction/interleaved", "8800gtx").first(Mark.DIVERGENCE)

    def drawn(width):
        made = picture(width, 300)
        divergence_model.draw(context, made)
        return {text for text, _ in text_boxes(made)}

    assert "__syncthreads();" in drawn(900)
    assert any(text.startswith("__sync") for text in drawn(440))
    assert "16" in drawn(440)


def test_in_large_type_the_statements_of_blocks_are_whole(real):
    """The room of the view at 1600x1000 with type of 200 %."""
    context = real("reduction/interleaved", "8800gtx").first(Mark.DIVERGENCE)
    picture = Picture(910.0, 332.0, 30.7)
    divergence_model.draw(context, picture)
    texts = text_boxes(picture)
    assert not [text for text, _ in texts if "\u2026" in text]
    written = " ".join(text for text, _ in texts)
    assert "sdata[tid] += sdata[tid + s];" in written.replace("  ", " ")
    assert all(box.x >= 0 and box.right <= 910 and box.y >= 0 and box.bottom <= 332 for _, box in texts)


def test_what_does_not_fit_whole_is_not_begun(real, picture):
    """At 1280x720 with type of 200 % one card is all that there is room for; the note says of how many."""
    context = real("reduction/interleaved", "8800gtx").first(Mark.DIVERGENCE)
    shown = Picture(720.0, 150.0, 30.7)
    assert divergence_model.draw(context, shown) == "16/32 on 1 of 2 paths"
    assert all(box.bottom <= 150 for _, box in text_boxes(shown))


def test_the_label_of_a_loop_of_one_block_covers_no_other_number(real, picture):
    """At a spin lock all lanes but one go round; before, the label lay upon their number."""
    run = real("control_flow/spin_lock", "k40")
    shown = picture(790, 380)
    divergence_model.draw(run.at(run.run.trace.steps, block=0, warp=0), shown)
    inside, label = (box for text, box in text_boxes(shown) if text == "31")
    assert not label.inset(-0.25 * shown.unit).overlaps(inside)


def test_the_stack_lists_the_running_path_first(scenes):
    context = scenes().on("first read", nth=2)
    found = divergence_model.cards(context, context.warp)
    assert [c.title for c in found] == ["line 11", "line 12"]
    assert found[0].running
    assert found[0].until == "until line 12"
    assert found[0].path.mask == 0x01010101
    assert found[1].until == "all remaining lanes"


def test_splits_say_what_they_wait_for(scenes):
    context = scenes("divergent", "h200").on("first read", nth=2)
    paths = (ControlPath(16, 0xFEFEFEFE, 16, "reconvergence"), ControlPath(13, 0x01010101, 16))
    warp = structs.replace(context.warp, paths=paths, pc=13, mask=0x01010101)
    found = divergence_model.cards(context, warp)
    assert [c.running for c in found] == [True, False]
    assert found[1].words == "waits for the others"


def test_lanes_travel_along_both_sides_of_a_branch(scenes):
    context = scenes().on("branch", nth=2)
    graph = flow(context.program)
    assert divergence_model.moves(context, graph) == {(1, 3): 0xFEFEFEFE, (1, 2): 0x01010101}
    assert divergence_model.moves(scenes().on("first read"), graph) == {}
    assert divergence_model.moves(scenes().on("back"), graph) == {(3, 1): 0xFFFFFFFF}


def test_the_band_shows_the_comb_and_where_its_steps_are(scenes):
    context = scenes().on("first read", nth=1)
    band = band_model.band(context)
    now = band.column(context.frame.step)
    assert band.step_at(now) == context.frame.step
    assert np.flatnonzero(band.lanes[:, now] == band_model.ACTIVE).tolist() == list(range(0, 32, 4))
    assert band.active[now] == 8
    assert band.says(now + 0.5, False) == f"step {context.frame.step}: 8 of 32 lanes"
    assert band.says(now + 0.5, True) == f"step {context.frame.step}"
    assert band.says(-1.0, False) == band.says(band.whole, False) == ""
    assert band.column(0) == -1
    assert band.step_at(-1) is band.step_at(band.whole) is None


def test_a_long_band_is_made_of_the_chunks_around_the_present(scenes, monkeypatch):
    context = scenes().on("first read", nth=1)
    whole = band_model.band(context)
    monkeypatch.setattr(band_model, "CHUNK", 4)
    part = band_model.band(context)
    now = whole.column(context.frame.step)
    assert part.column(context.frame.step) == now
    assert len(part.steps) <= 12
    assert part.whole == whole.whole
    assert np.array_equal(part.lanes, whole.lanes[:, part.first : part.first + len(part.steps)])


def test_the_events_in_sight_stay_until_the_present_one_leaves_them():
    start = band_model.window(0, 1000, 100, (0.0, 1.0))
    assert start == (0.0, 100.0)
    assert band_model.window(80, 1000, 100, start) == start
    assert band_model.window(95, 1000, 100, start) == (62.0, 162.0)
    assert band_model.window(999, 1000, 100, start) == (900.0, 1000.0)
    assert band_model.columns_in_sight(900.0, 15.0, 60) == 66
    assert band_model.columns_in_sight(900.0, 15.0, 10_000) == 200


@pytest.mark.parametrize("place", ["branch", "first read", "end"])
def test_the_answer_is_hidden_while_the_class_is_asked(scenes, picture, place):
    p = picture()
    assert divergence_model.draw(scenes().on(place, predicting=True), p) in ("", "ended")
