"""The banner tells of the finding at the step, and a field that is left unreadable says what runs."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtTest import QTest
from ui.stand import Stand

from warpview.trace.frame import Mark
from warpview.ui.drawing.picture import Rects, Text
from warpview.ui.views.lanes import lanes_model

BUGGY = """__global__ void shift(float *data, float *out, int n)
{
    __shared__ float buf[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    buf[threadIdx.x] = data[i];
    if (threadIdx.x % 2)
        __syncthreads();
    float x = buf[threadIdx.x + 1];
    out[i + 1] = x;
}
"""


def test_the_banner_follows_the_jumps_to_findings(stand: Stand) -> None:
    with stand.another_run():
        stand.w.session.set_device("h200")
    with stand.another_run():
        stand.w.session.choose("mistakes/not_volatile")
    run, banner = stand.w.session.run, stand.w.banner
    made = {finding.pc for finding in run.findings}
    lines = set()
    for _ in range(12):
        stand.press("F")
        if run.trace.event(stand.step).pc in made:
            assert banner.problems[banner.at].span.line == stand.line
            lines.add(stand.line)
    assert len(lines) > 2


def test_a_field_that_is_left_unreadable_says_what_runs(stand: Stand) -> None:
    field = stand.w.launch_bar.block
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "2000")
    assert field.property("wrong")
    assert "not one to three" in stand.caption or "threads" in stand.caption
    stand.press("Return")
    assert stand.w.banner.isVisible()
    assert stand.w.banner.problems[0].message.lower() not in stand.caption.lower(), "it is said once"
    stand.press("Esc")
    assert field.text() == "128"
    assert not field.property("wrong")


def open_buggy(stand: Stand, folder: Path) -> None:
    path = folder / "buggy.cu"
    path.write_text(BUGGY)
    with stand.another_run():
        stand.w.session.set_device("h200")
    with stand.another_run():
        stand.w.files.open_path(path)


def test_every_finding_on_the_way_is_the_one_that_banner_and_output_show(stand: Stand, tmp_path: Path) -> None:
    open_buggy(stand, tmp_path)
    banner, output = stand.w.banner, next(view for view in stand.w.views if view.key == "console")
    run, kinds = stand.w.session.run, set()
    for _ in range(9):
        stand.press("F")
        output.flush()
        frame = run.trace.frame(stand.step)
        assert frame.event.marks & Mark.FINDING
        shown = banner.problems[banner.at]
        assert shown.span.line == stand.line or (frame.suppressed is None and stand.line == 5)
        assert shown.message.startswith("out of bounds") == (frame.suppressed is not None)
        assert shown.message.partition(" (launched")[0][:60] in output.list.currentItem().text()
        kinds.add(shown.message.partition(":")[0])
    assert kinds == {"race", "out of bounds"}
    stand.press("Home")
    output.flush()
    assert not output.list.selectedItems()


def test_an_access_past_the_end_is_told_and_drawn_with_the_end_of_the_array(stand: Stand, tmp_path: Path) -> None:
    open_buggy(stand, tmp_path)
    for _ in range(3):  # past a race of warp 0 and the same write of warp 2
        stand.press("F")
    assert stand.caption.endswith("writes `buf[96..127]`, past the end of `buf[64]`: out of bounds, not executed.")
    context = stand.w.presenter.context
    shared = next(view for view in stand.w.views if view.key == "shared")
    shared.flush()
    marks = shared.canvas.picture.marks
    assert "out of bounds" in {mark.text for mark in marks if isinstance(mark, Text)}
    assert any(isinstance(mark, Rects) and mark.edge == "error" and len(mark.boxes) == 32 for mark in marks)
    marked = lanes_model.lanes_of_finding(context)
    assert set(marked) == {(0, context.frame.event.warp, lane) for lane in range(32)}
    stand.press("Right")
    assert not lanes_model.lanes_of_finding(stand.w.presenter.context)


def test_where_some_lanes_are_served_the_others_are_told_apart(stand: Stand, tmp_path: Path) -> None:
    open_buggy(stand, tmp_path)
    said = set()
    for _ in range(9):
        stand.press("F")
        said.add(stand.caption)
    partly = next(words for words in said if "lane 31 reads" in words)
    assert partly.startswith("Lanes 1, 3, 5, … 29 of block 0, warp 1 read `buf` with a stride of 2")
    assert partly.endswith(
        "; lane 31 reads `buf[64]`, past the end of `buf`, which has 64 elements: out of bounds, not executed."
    )


def test_back_from_a_finding_of_another_multiprocessor_comes_that_of_this_step(stand: Stand, tmp_path: Path) -> None:
    with stand.another_run():
        stand.w.session.set_device("h200")
    path = tmp_path / "two.cu"
    path.write_text("""__global__ void two(int *out)
{
    if (blockIdx.x == 0)
        out[-1] = 1;
    else
        out[-2] = 2;
}
int main() { two<<<2, 32>>>(nullptr); }
""")
    with stand.another_run():
        stand.w.files.open_path(path)
    banner = stand.w.banner
    stand.press("F")
    step = stand.step
    assert (step > 0, banner.problems[banner.at].span.line) == (True, 4)
    stand.press("F")
    assert (stand.step, banner.problems[banner.at].span.line) == (step, 6)
    stand.press("Shift+F")
    assert (stand.step, banner.problems[banner.at].span.line) == (step, 4)
    stand.press("Shift+F")
    assert stand.caption == "There is no finding before this step."


def test_a_finding_of_another_multiprocessor_is_told_selected_and_then_stepped_to(stand: Stand) -> None:
    with stand.another_run():
        stand.w.session.set_device("h200")
    with stand.another_run():
        stand.w.session.choose("mistakes/off_by_one")
    banner, output = stand.w.banner, next(view for view in stand.w.views if view.key == "console")
    findings = stand.w.session.run.findings
    assert [finding.block for finding in findings] == [(1, 0, 0)] * 2
    for finding in findings:
        stand.press("F")
        output.flush()
        assert stand.step == 0
        assert stand.w.selection.now.line == finding.span.line
        assert stand.caption.startswith(f"Line {finding.span.line}: out of bounds in block 1, on a multiprocessor")
        assert banner.problems[banner.at].span == finding.span
        assert finding.message in output.list.currentItem().text()
    stand.press("F")
    assert stand.caption == "There is no finding after this step."
    stand.press("Shift+F")
    assert banner.problems[banner.at].span == findings[0].span
    with stand.another_run():
        stand.press("Ctrl+Alt+F")
    assert {block for block, _, _ in stand.w.session.run.trace.blocks} == {1}
    event = stand.w.session.run.trace.event(stand.step)
    assert (event.block, event.pc) == (1, findings[0].pc)
    assert event.marks & Mark.FINDING
    assert "multiprocessor of block 1" in stand.caption
    assert "block 1 followed" in stand.w.session.kept.runs[-1].title
    stand.press("Ctrl+Alt+F")
    assert "All findings of this run were made" in stand.caption
    with stand.another_run():
        stand.press("Alt+Left")
    assert {block for block, _, _ in stand.w.session.run.trace.blocks} == {0}
