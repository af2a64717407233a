"""The questions fit what the steps do, and their answers are those of the captions and counters."""

from __future__ import annotations

import re

import pytest

from warpview import library
from warpview.run import simulate_preset
from warpview.trace.caption import caption
from warpview.trace.question import KINDS, Question, question, question_of_kind


@pytest.fixture(scope="module")
def asked():
    """Every question of a launch, with the caption of its step."""

    def ask(kernel, device="h200"):
        run = simulate_preset(library.entry(kernel), "step", device, engine="sm", check=False).launches[0]
        frames = (run.trace.frame(step) for step in range(run.trace.steps + 1))
        return [(question(f, run.program, run.device), caption(f, run.program, run.device)) for f in frames]

    return ask


def test_every_step_has_a_question(asked):
    for found, says in asked("reduction/interleaved", "8800gtx")[1:]:
        assert found.words.endswith("?")
        assert found.words.startswith(re.match(r".*?([Bb]lock \d+, warp \d+)", says).group(1).replace("block", "Block"))


@pytest.mark.parametrize(
    ("kernel", "device", "words", "answer"),
    [
        ("reduction/interleaved", "8800gtx", "does `tid % (2 * s) == 0` hold?", "16 lanes"),
        ("reduction/strided_index", "8800gtx", "how many wavefronts does this read of `sdata` take?", "4 wavefronts"),
        (
            "patterns/offset_copy",
            "8800gtx",
            "how many transactions does this read of `in` take, and",
            "32 transactions",
        ),
        ("patterns/offset_copy", "h200", "how many sectors does this read of `in` take, and", "5 sectors"),
        ("histogram/global", "h200", "how many different addresses does this update of `bins` go to?", "25 addresses"),
        ("patterns/constant_divergent", "h200", "how many different addresses does this read of", "32 addresses"),
        (
            "reduction/interleaved",
            "8800gtx",
            "how many warps of the block have yet to arrive at the barrier?",
            "0 warps",
        ),
        ("vector/add", "h200", "what is `i` in lane 16 now?", "16"),
    ],
)
def test_the_question_of_a_kind_of_step(asked, kernel, device, words, answer):
    found = [f for f, _ in asked(kernel, device) if words in f.words]
    assert found
    assert any(f.compare(-1) == f"You said -1: it is {answer}." for f in found)


def test_a_guess_is_compared():
    assert Question("?", 15, "sector").compare(8) == "You said 8: it is 15 sectors."
    assert Question("?", 1, "sector").compare(1) == "You said 1: right, 1 sector."
    assert Question("?").compare(3) == "You said 3."


def test_kinds_are_those_that_can_be_named():
    nouns = ("lane", "warp", "wavefront", "transaction", "sector", "address")
    assert {Question("?", 1, noun).kind for noun in nouns} | {Question("?", 1).kind} == set(KINDS)
    assert Question("?").kind == ""


def test_the_question_of_a_kind_is_about_what_the_step_did():
    run = simulate_preset(library.entry("patterns/offset_copy"), "step", "h200", engine="sm", check=False).launches[0]
    frames = [run.trace.frame(step) for step in range(run.trace.steps + 1)]
    load = next(f for f in frames if f.access is not None)
    assert question_of_kind("transactions", load, run.program, run.device).number == "5 sectors"
    assert question_of_kind("lanes", load, run.program, run.device).number == "32 lanes"
    assert question_of_kind("wavefronts", load, run.program, run.device) is None
    assert question_of_kind("lanes", frames[0], run.program, run.device) is None
