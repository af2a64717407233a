"""Two runs side by side are stepped together by the keys of one."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from ui.rows.working import choose_by_typing
from ui.stand import Stand
from ui.view_texts import texts_of

from warpview.trace.frame import Mark
from warpview.ui.arranging.side_by_side import SideBySidePage
from warpview.ui.drawing.words import Words


def beside(stand: Stand, words: str) -> SideBySidePage:
    """Set the first match of ``words`` beside the run shown."""
    stand.press("Ctrl+2")
    choose_by_typing(stand, words)
    stand.wait(lambda: stand.w.pages.beside)
    stand.activate()
    stand.settle()
    return stand.w.pages.side_by_side


def naive_and_padded(stand: Stand) -> SideBySidePage:
    stand.w.session.choose("transpose/tile_32")
    stand.settle()
    return beside(stand, "padded 32")


def test_naive_and_padded_step_together_from_access_to_access(stand: Stand) -> None:
    page = naive_and_padded(stand)
    assert [side.title.text() for side in page.sides] == ["Tile of 32 × 32 in shared memory", "Padded tile of 32 × 33"]
    stand.go(0)
    lines = []
    for _ in range(9):
        stand.press("Right")
        assert page.status == "Block 0, warp 0: the same access in both runs."
        lines.append([side.source_line.words.split("  ")[0] for side in page.sides])
    assert all(left == right for left, right in lines)
    left, right = page.sides
    assert left.stage.key == right.stage.key == "shared"
    assert "16-way conflict, 32 wavefronts" in left.caption.words
    assert "no conflict, 2 wavefronts" in right.caption.words
    for side in page.sides:
        side.flush()
    assert "16-way conflict" in texts_of(left.stage)
    assert "no conflict" in texts_of(right.stage)
    stand.press("Left")
    assert left.stage.key == "shared" or left.source_line.words.startswith("11")


def test_a_jump_leads_to_the_conflicts_of_either_run(stand: Stand) -> None:
    """Those of the right run alone were passed over."""
    stand.w.session.choose("transpose/padded_32")
    stand.settle()
    page = beside(stand, "tile of 32 in")
    stand.go(0)
    left, right = page.sides
    places = []
    for _ in range(3):
        stand.press("C")
        assert "16-way conflict" in right.caption.words
        assert "no conflict" in left.caption.words
        places.append(stand.w.selection.now.step)
    assert places == sorted(set(places))
    for place in reversed(places[:-1]):
        stand.press("Shift+C")
        assert stand.w.selection.now.step == place
    stand.press("Shift+C")
    none = "There is no bank conflict in the left run before this step, nor at a corresponding step of the right run."
    assert none in stand.w.caption.text
    stand.w.player.follow("warp")
    followed = stand.w.selection.now.key
    for _ in range(2):
        stand.press("C")
        assert stand.w.selection.now.key == followed


def test_the_caption_says_how_the_steps_correspond_and_not_one_side_again(stand: Stand) -> None:
    stand.w.session.choose("transpose/tile_32")
    stand.settle()
    stand.press("C")
    stand.press("Ctrl+2")
    choose_by_typing(stand, "padded 32")
    stand.wait(lambda: stand.w.pages.beside)  # and before anything else is shown
    page = stand.w.pages.side_by_side
    assert stand.w.caption.text == page.status == "Block 0, warp 0: the same access in both runs."
    stand.activate()
    stand.settle()
    stand.press("C")
    assert stand.w.caption.text == page.status
    assert "the same access in both runs." in page.status
    stand.press("Escape")
    assert "reads `tile`" in stand.w.caption.text


def test_the_lines_are_those_of_the_step_whatever_was_selected_before(stand: Stand) -> None:
    stand.w.session.set_device("h200")
    stand.settle()
    for _ in range(2):  # the second time selects a line
        stand.press("Ctrl+Alt+N")
        stand.wait(lambda: stand.w.pages.beside)
        stand.settle()
    assert stand.w.selection.now.line is not None
    stand.press("Esc")
    page = naive_and_padded(stand)
    stand.go(0)
    stand.press("Right")
    event = stand.trace.event(stand.step)
    line = stand.w.session.run.program.instructions[event.pc].span.line
    assert [side.source_line.words.split("  ")[0] for side in page.sides] == [str(line)] * 2


def test_the_counters_of_both_are_shown_with_their_difference(stand: Stand) -> None:
    page = naive_and_padded(stand)
    stand.go(0)
    stand.press("C")
    assert stand.trace.event(stand.step).marks & Mark.CONFLICT
    table = page.counters
    texts = [[table.item(r, c).text() for c in range(table.columnCount())] for r in range(table.rowCount())]
    conflicts = next(row for row in texts if row[0] == "Shared load bank conflicts")
    assert conflicts[1:] == ["30", "0", "−100 %", "3\u202f840", "0", "−100 %"]


def test_the_keys_step_as_before_once_it_is_closed(stand: Stand) -> None:
    assert stand.w.player.mode == "instruction"
    assert stand.w.pages.memory_bytes == 0
    page = naive_and_padded(stand)
    assert stand.w.pages.memory_bytes == page.second.trace.memory_bytes > 0
    assert stand.w.player.mode == "access"
    assert stand.w.transport.mode.currentData() == "access"
    stand.press("Esc")
    assert not stand.w.pages.beside
    assert page.second is None, "the other run is let go"
    assert stand.w.pages.memory_bytes == 0
    assert stand.w.player.mode == "instruction"


def test_another_step_size_is_kept(stand: Stand) -> None:
    naive_and_padded(stand)
    stand.w.player.set_mode("line")
    stand.press("Esc")
    assert stand.w.player.mode == "line"


def test_two_devices(stand: Stand) -> None:
    page = beside(stand, "h200")
    assert [side.title.text() for side in page.sides] == ["GeForce 8800 GTX", "NVIDIA H200"]
    stand.go(0)
    stand.press("D")
    assert page.status.endswith("the same instruction in both runs.")
    assert page.sides[0].stage.key == "divergence"


def test_before_and_after_an_edit(stand: Stand) -> None:
    session = stand.w.session
    session.set_text(session.setup.text.replace("tid % (2 * s)", "tid % (4 * s)"))
    session.start()
    stand.settle()
    page = beside(stand, "before edit")
    assert [side.title.text() for side in page.sides] == ["edited", "before the edit"]
    assert page.second is not None
    assert page.second.program.source.text == session.variant.text
    stand.go(0)
    stand.press("Right")
    assert page.status.endswith("the same access in both runs.")


def test_the_run_before_is_the_first_choice(stand: Stand) -> None:
    stand.w.session.set_device("h200")
    stand.settle()
    page = beside(stand, "")
    assert [side.title.text() for side in page.sides] == ["NVIDIA H200", "GeForce 8800 GTX"]


def test_another_run_takes_the_left_side(stand: Stand) -> None:
    page = naive_and_padded(stand)
    other = page.second
    stand.press("V")
    stand.settle()
    assert stand.w.pages.beside
    assert page.second is other
    assert page.sides[0].title.text() == stand.w.session.variant.title
    assert page.sides[0].lanes.run is stand.w.session.run


def test_a_lane_selected_at_the_right_is_selected_at_the_left(stand: Stand) -> None:
    page = naive_and_padded(stand)
    stand.press("Right")
    step = stand.step
    page.sides[1].lanes.selection.update(lane=5)
    assert stand.w.selection.now.lane == 5
    assert stand.step == step


def test_the_answer_is_hidden_on_both_sides(stand: Stand) -> None:
    page = naive_and_padded(stand)
    stand.go(0)
    stand.press("C")
    stand.press("P")
    assert not page.status
    assert all(not side.caption.words for side in page.sides)
    assert page.counters.item(0, 1).text() == "–"
    stand.press("P")
    assert all(side.caption.words for side in page.sides)


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_both_are_exported_as_one_picture(stand: Stand, tmp_path: Path, ending: str) -> None:
    page = naive_and_padded(stand)
    path = tmp_path / f"both.{ending}"
    stand.answer(save=path)
    stand.press("Ctrl+Shift+E")
    if ending == "svg":
        assert "Padded tile" in path.read_text(encoding="utf-8")
    else:
        assert QImage(str(path)).width() == 2 * page.width()


def test_the_page_follows_the_theme(stand: Stand) -> None:
    page = naive_and_padded(stand)
    stand.look.set_theme("dark")
    stand.look.larger()
    stand.settle()
    assert page.sides[0].lanes.canvas.backgroundBrush().color() == stand.look.theme.qcolor("panel")


def test_a_run_that_fails_says_so(stand: Stand) -> None:
    stand.press("Ctrl+2")
    choose_by_typing(stand, "shuffle kernel")
    stand.wait(lambda: stand.w.banner.isVisible())
    assert not stand.w.pages.beside
    assert "compute capability 3.0" in " ".join(problem.message for problem in stand.w.banner.problems)


def test_a_source_line_that_does_not_fit_ends_in_an_ellipsis(stand: Stand) -> None:
    page = naive_and_padded(stand)
    stand.press("C")
    side = page.sides[0]
    (line,) = [words for words in side.findChildren(Words) if words.words == side.source_line.words]
    line.setFixedWidth(1000)
    assert line.fitting() == side.source_line.words
    line.setFixedWidth(90)
    assert line.fitting().endswith("…")
    assert line.fontMetrics().horizontalAdvance(line.fitting()) <= 90
    assert line.toolTip() == side.source_line.words


def test_a_notice_about_two_runs_goes_with_them(stand: Stand) -> None:
    naive_and_padded(stand)
    stand.press("End")
    stand.press("Right")
    assert "accesses no memory after this step" in stand.w.caption.label.words
    stand.press("Esc")
    assert not stand.w.pages.beside
    assert "accesses no memory" not in stand.w.caption.label.words
