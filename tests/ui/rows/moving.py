"""List the actions that move through a run, and run it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from PySide6.QtTest import QTest
from ui.rows.table import ROWS, row
from ui.stand import Stand

from warpview.isa.ops import Op
from warpview.sim.launch import Cancelled
from warpview.trace.frame import Mark
from warpview.ui.commands.actions import JUMPS
from warpview.ui.moving.elements import find_element
from warpview.ui.moving.parties import parties_of
from warpview.ui.session.backend import Progress
from warpview.ui.session.landing import Landing
from warpview.ui.views.memory.parts_model import parts

# ---- Move


@row("next")
def _(t: Stand) -> Iterator[None]:
    t.go(1)
    yield
    assert t.step == t.trace.next_of_warp(1, 0, 0)


@row("previous")
def _(t: Stand) -> Iterator[None]:
    t.go(t.trace.next_of_warp(1, 0, 0))
    yield
    assert t.step == 1


@row("next_any")
def _(t: Stand) -> Iterator[None]:
    t.go(1)
    yield
    event = t.trace.event(2)
    assert (t.step, t.w.selection.now.key) == (2, (event.block, event.warp))


@row("previous_any")
def _(t: Stand) -> Iterator[None]:
    t.go(7)
    yield
    event = t.trace.event(6)
    assert (t.step, t.w.selection.now.key) == (6, (event.block, event.warp))


@row("next_line")
def _(t: Stand) -> Iterator[None]:
    t.go(t.trace.next_line(0, 0, 0))
    line = t.line
    yield
    assert t.line != line
    assert t.trace.event(t.step).warp == 0


@row("previous_line")
def _(t: Stand) -> Iterator[None]:
    first = t.trace.next_line(0, 0, 0)
    t.go(t.trace.next_line(first, 0, 0))
    yield
    assert t.step == first


@row("run_to_line")
def _(t: Stand) -> Iterator[None]:
    t.w.selection.update(line=12)
    yield
    assert t.line == 12
    assert t.trace.event(t.step).warp == 0


@row("first")
def _(t: Stand) -> Iterator[None]:
    t.go(100)
    yield
    assert t.step == 0


@row("last")
def _(t: Stand) -> Iterator[None]:
    yield
    assert t.step == t.trace.steps


@row("go_to_step")
def _(t: Stand) -> Iterator[None]:
    yield
    assert t.w.focusWidget() is t.w.transport.step
    QTest.keyClicks(t.w.transport.step, "214")
    t.press("Return")
    assert t.step == 214


@row("bookmark")
def _(t: Stand) -> Iterator[None]:
    t.go(55)
    t.answer(text="the comb")
    yield
    assert [(mark.name, mark.step) for mark in t.w.selection.now.bookmarks] == [("the comb", 55)]


def _bookmarked(t: Stand, here: int, there: int) -> Iterator[None]:
    for step in (30, 60, 90):
        t.go(step)
        t.w.player.bookmark(f"at {step}")
    t.go(here)
    yield
    assert t.step == there
    assert t.caption == f"Bookmark: at {there}"


ROWS["next_bookmark"] = partial(_bookmarked, here=40, there=60)
ROWS["previous_bookmark"] = partial(_bookmarked, here=70, there=60)


# A kernel of the library in which each event happens more than once.
EVENTFUL = {
    Mark.BARRIER: "reduction/interleaved", Mark.DIVERGENCE: "reduction/interleaved",
    Mark.CONFLICT: "reduction/strided_index", Mark.UNCOALESCED: "transpose/naive_16",
    Mark.COLLISION: "histogram/global", Mark.FINDING: "mistakes/bins_not_cleared",
}  # fmt: skip


def _jump(t: Stand, mark: Mark, forward: bool) -> Iterator[None]:
    if t.setup.variant != EVENTFUL[mark]:
        t.w.session.show(EVENTFUL[mark], "h200" if mark in (Mark.COLLISION, Mark.FINDING) else None, None, Landing())
        t.settle()
    first, second = (int(step) for step in t.trace.steps_of_mark(mark)[:2])
    t.go(first if forward else second)
    end = second if forward else first
    yield
    assert t.step == end
    event = t.trace.event(end)
    assert t.w.selection.now.key == (event.block, event.warp)


for _mark, _words in JUMPS.values():
    ROWS[f"next_{_mark.name.lower()}"] = partial(_jump, mark=_mark, forward=True)
    ROWS[f"previous_{_mark.name.lower()}"] = partial(_jump, mark=_mark, forward=False)


@row("next_part")
def _(t: Stand) -> Iterator[None]:
    t.go(_load(t))
    yield
    assert t.w.selection.now.part == 0


@row("previous_part")
def _(t: Stand) -> Iterator[None]:
    t.go(_load(t))
    count = parts(t.trace.frame(t.step))
    yield
    assert t.w.selection.now.part == count - 1


def _load(t: Stand) -> int:
    """The step of a load of two segments."""
    frames = (t.trace.frame(step) for step in range(1, t.trace.steps))
    return next(f.step for f in frames if len(getattr(f.access, "transactions", ())) == 2)


def _follow(t: Stand, what: str) -> Iterator[None]:
    t.w.selection.update(warp=2, lane=5)
    yield
    assert t.w.player.mode == what
    assert t.w.actions_[f"follow_{what}"].isChecked()
    steps = getattr(t.trace, f"steps_of_{what}")(*(0, 2, 5)[: ("block", "warp", "lane").index(what) + 1]).tolist()
    t.press("Right")
    assert t.step == steps[0]
    t.press("D")
    assert t.step in steps or "There is no divergent branch of block 0" in t.caption


for _what in ("warp", "block", "lane"):
    ROWS[f"follow_{_what}"] = partial(_follow, what=_what)


@row("follow_element")
def _(t: Stand) -> Iterator[None]:
    t.answer(text="sdata[3]")
    yield
    t.wait(lambda: t.w.player.steps() is not None)
    t.press("Right")
    assert t.step == t.w.player.steps()[0]
    assert t.w.selection.now.element.words == "sdata[3] of block 0"


@row("next_access")
def _(t: Stand) -> Iterator[None]:
    touched = _select_element(t)
    t.go(touched[0])
    yield
    assert t.step == touched[1]


@row("previous_access")
def _(t: Stand) -> Iterator[None]:
    touched = _select_element(t)
    t.go(touched[1])
    yield
    assert t.step == touched[0]


@row("last_write")
def _(t: Stand) -> Iterator[None]:
    touched = _select_element(t)
    ops = [t.w.session.run.program.instructions[t.trace.event(step).pc].op for step in touched]
    writes = [step for step, op in zip(touched, ops, strict=True) if op == Op.ST]
    assert len(writes) < len(touched)
    t.go(t.trace.steps)
    yield
    assert t.step == writes[-1]


def _select_element(t: Stand) -> list[int]:
    """Select an element without following it; the steps that touch it."""
    element = find_element(t.w.session.run, 0, "sdata[3]")
    t.w.selection.update(element=element)
    t.wait(lambda: t.w.accesses.steps(element) is not None)
    return list(t.w.accesses.steps(element))


# ---- Warp


BLOCKS = "__global__ void k(int *out) { out[threadIdx.x] = 1; }\nint main() { k<<<64, 32>>>(0); }\n"


def _many_blocks(t: Stand) -> tuple[int, int]:
    """Run a kernel of which two blocks or more are resident at once; return the first two."""
    path = t.folder / "blocks.cu"
    path.write_text(BLOCKS)
    with t.another_run():
        t.w.files.open_path(path)
        t.settle()
    t.go(0)
    first, second, *_ = sorted({warp.block for warp in t.trace.frame(0).warps})
    return first, second


@row("next_block")
def _(t: Stand) -> Iterator[None]:
    first, second = _many_blocks(t)
    t.w.selection.update(block=first)
    yield
    assert t.w.selection.now.block == second


@row("previous_block")
def _(t: Stand) -> Iterator[None]:
    first, second = _many_blocks(t)
    t.w.selection.update(block=second)
    yield
    assert t.w.selection.now.block == first


def _warp(t: Stand, number: int) -> Iterator[None]:
    there = number < 4
    t.w.selection.update(warp=(number + 1) % 4 if there else 2, lane=5)
    yield
    assert t.w.selection.now.warp == (number if there else 2)
    assert ("only 4 warps" in t.caption) != there


for _number in range(10):
    ROWS[f"warp_{_number}"] = partial(_warp, number=_number)


@row("next_lane")
def _(t: Stand) -> Iterator[None]:
    t.w.selection.update(lane=31)
    yield
    assert t.w.selection.now.lane == 0


@row("previous_lane")
def _(t: Stand) -> Iterator[None]:
    t.w.selection.update(lane=7)
    yield
    assert t.w.selection.now.lane == 6


# ---- Run


@row("play")
def _(t: Stand) -> Iterator[None]:
    t.w.player.set_speed(7)
    yield
    t.wait(lambda: t.step > 2)
    assert t.w.player.playing
    t.press("Space")
    assert not t.w.player.playing


def _speed(t: Stand, change: int) -> Iterator[None]:
    before = t.w.player.speed
    words = t.w.transport.speed_words.text()
    yield
    assert t.w.player.speed == before + change
    assert t.w.transport.speed.value() == before + change
    assert t.w.transport.speed_words.text() != words


ROWS["slower"] = partial(_speed, change=-1)
ROWS["faster"] = partial(_speed, change=1)


@row("predict")
def _(t: Stand) -> Iterator[None]:
    t.go(3)
    yield
    assert t.w.presenter.context.predicting
    assert t.caption.endswith("? P reveals the answer.")
    assert t.w.actions_["predict"].isChecked()


@row("compile")
def _(t: Stand) -> Iterator[None]:
    t.w.launch_bar.grid.setText("8")
    with t.another_run():
        yield
    assert t.backend.traced[-1].grid == (8, 1, 1)


@row("cancel")
def _(t: Stand) -> Iterator[None]:
    said = []

    def for_ever(progress: Progress) -> None:
        said.append("started")
        while progress("tracing", 0, 1):
            QTest.qSleep(1)
        said.append("stopped")
        raise Cancelled

    t.backend.before_trace = for_ever
    run = t.w.session.run
    t.w.session.start()
    t.wait(lambda: said)
    yield
    assert not t.w.runner.busy
    t.wait(lambda: "stopped" in said)
    assert t.w.session.run is run
    assert "Cancelled" in t.caption


def _switch(t: Stand, name: str) -> Iterator[None]:
    assert not t.w.actions_[name].isChecked()
    with t.another_run():
        yield
    assert getattr(t.backend.traced[-1], name)
    assert t.w.actions_[name].isChecked()


@row("by_nvidia")
def _(t: Stand) -> Iterator[None]:
    t.w.session.set_device("h200")
    t.settle()
    yield from _switch(t, "by_nvidia")


for _name in ("if_converted", "wide_banks"):
    ROWS[_name] = partial(_switch, name=_name)


@row("bypass_l1")
def _(t: Stand) -> Iterator[None]:
    with t.another_run():
        t.w.session.set_device("c2050")  # elsewhere its entry is grey
    yield from _switch(t, "bypass_l1")


RACY = """
__global__ void racy(int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x + 1;
  out[threadIdx.x] = s[63 - threadIdx.x];
}
int main() { int *out; cudaMalloc(&out, 256); racy<<<1, 64>>>(out); }
"""


@row("replay")
def _(t: Stand) -> Iterator[None]:
    path = t.folder / "racy.cu"
    path.write_text(RACY)
    with t.another_run():
        t.w.files.open_path(path)
        t.settle()
    t.w.session.set_launch(arguments={"out": "zeros:64"})
    with t.another_run():
        t.w.session.start()
        t.settle()
    t.go(0)
    yield
    t.wait(lambda: t.step > 0)
    event = t.trace.event(t.step)
    assert t.w.session.run.program.instructions[event.pc].span.line == 5
    assert "Replay: executed with the warp of thread" in t.w.banner.words.text()


@row("other_party")
def _(t: Stand) -> Iterator[None]:
    t.w.session.choose("mistakes/missing_barrier")
    t.settle()
    finding = next(f for f in t.w.session.run.findings if f.other is not None)
    later, first = parties_of(t.w.session.run, finding)
    t.go(later.step)
    t.w.selection.update(lane=later.lane)
    yield
    assert (t.step, t.w.selection.now.lane) == (first.step, first.lane)


@row("follow_finding")
def _(t: Stand) -> Iterator[None]:
    with t.another_run():
        t.w.session.set_device("h200")
    with t.another_run():
        t.w.session.choose("mistakes/off_by_one")
    yield
    t.settle()
    assert t.trace.event(t.step).block == 1
