"""Captions and questions on branches of NVIDIA's compiler, which turns conditions round, tell which lanes branch."""

from __future__ import annotations

import pytest

from warpview import library
from warpview.isa.ops import Op
from warpview.run import simulate_preset
from warpview.sass import nvrtc
from warpview.trace import caption
from warpview.trace.question import question
from warpview.trace.step_verbs import verb
from warpview.trace.words import is_prologue, lanes_words

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")


def _run(kernel: str, device: str):
    series = simulate_preset(library.entry(kernel), "step", device, compiler="nvrtc", engine="sm", check=False)
    return series.launches[0]


@pytest.mark.parametrize(("kernel", "device"), [("reduction/interleaved", "gtx480"), ("sort/bitonic", "h200")])
def test_a_divergent_branch_names_the_lanes_that_take_it(kernel: str, device: str) -> None:
    run = _run(kernel, device)
    told = 0
    for step in range(run.trace.steps):
        frame = run.trace.frame(step)
        event = frame.event
        if event is None or run.program.instructions[event.pc].op != Op.BRA or event.taken in (0, event.mask):
            continue
        target = run.program.instructions[run.program.instructions[event.pc].target].span.line
        says, asks = caption(frame, run.program, run.device), question(frame, run.program, run.device)
        assert f" diverges: {lanes_words(event.taken)} take" in says
        assert f" the branch to line {target}, " in says
        assert f"take the branch to line {target}?" in asks.words
        assert asks.answer == event.taken.bit_count()
        told += 1
    assert told > 3


def test_the_condition_of_the_source_is_not_claimed_for_the_lanes_that_skip() -> None:
    run = _run("reduction/interleaved", "gtx480")
    says = [caption(run.trace.frame(step), run.program, run.device) for step in range(run.trace.steps)]
    assert (
        "Block 0, warp 0 diverges: lanes 1, 3, 5, … 31 take the branch to line 14, lanes 0, 2, 4, … 30 do not." in says
    )
    assert not any("holds for" in words or "fails for" in words for words in says)
    assert "Block 0, warp 0: all 32 lanes take the branch to line 12, no divergence." in says


def test_code_by_way_of_ptx_names_the_instruction_and_the_line() -> None:
    run = _run("reduction/interleaved", "v100")
    says = {caption(run.trace.frame(step), run.program, run.device) for step in range(run.trace.steps)}
    assert "Block 0, warp 0 executes `mov.u32 %r4, 1` for `for (unsigned int s = 1; s < blockDim.x; s *= 2)`." in says
    assert not any("computes `" in words or "compute `" in words or "tests `" in words for words in says)
    loads = [pc for pc, each in enumerate(run.program.instructions) if each.op == Op.LD]
    assert {verb(run.program, pc) for pc in loads} == {"read global memory", "read shared memory"}


def test_an_instruction_of_the_prologue_belongs_to_no_line() -> None:
    program = _run("reduction/sequential", "h200").program
    assert verb(program, 0) == f"execute `{program.instructions[0].native.text}` before the first line"
    assert [pc for pc, each in enumerate(program.instructions) if is_prologue(program, each)] == [0]
