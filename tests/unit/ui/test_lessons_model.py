"""Lessons are parsed, errors in them are found, and warpview's own say what is so."""

from __future__ import annotations

from functools import cache

import pytest
from support.lessons import lessons

from warpview import library
from warpview.devices import load_device
from warpview.isa.ops import Op
from warpview.isa.types import Space
from warpview.run import simulate_preset
from warpview.run.result import Run
from warpview.sass import nvrtc
from warpview.sim.rules.access import GlobalAccess, SharedAccess
from warpview.trace.frame import Mark, Stall
from warpview.trace.question import question_of_kind
from warpview.ui.teaching.lessons import (
    MARKS,
    VIEWS,
    Directive,
    Lesson,
    LessonError,
    StepName,
    load,
    mistakes,
    parse,
    step_of,
)
from warpview.ui.view_list import VIEWS as WINDOW_VIEWS

TEXT = """
# A title

<!-- kernel: a/b; device: h200; preset: step; warp: 1; step: divergence 2; view: lanes -->

One.

Two, *of the same page*.

<!-- step: 17; predict: yes; zoom: yes; counter: ipc -->

## A heading

Three?

<!-- answer -->
Three!

<!-- view:
     shared; kernel: a/c -->
Four.
"""


def test_pages_and_what_holds_on_them() -> None:
    lesson = parse(TEXT, "t.md")
    assert lesson.title == "A title"
    assert [page.text for page in lesson.pages] == ["One.\n\nTwo, *of the same page*.", "Three?", "Four."]
    assert [page.title for page in lesson.pages] == ["", "A heading", ""]
    assert [page.answer for page in lesson.pages] == ["", "Three!", ""]
    assert [page.line for page in lesson.pages] == [4, 10, 19]
    assert lesson.contents() == ["One.", "A heading", "Four."]
    first = Directive("a/b", "h200", "step", 1, StepName("divergence", 2), "lanes")
    assert lesson.directive(0) == first
    assert lesson.directive(1) == Directive("a/b", "h200", "step", 1, StepName("step", 17), "lanes", True, True, "ipc")
    assert lesson.directive(2) == Directive("a/c", "h200", "step", 1, StepName("step", 17), "shared")


def test_text_before_the_first_directive_is_a_page() -> None:
    lesson = parse("# T\n\nHello.\n\n<!-- step: last -->\nBye.\n", "t.md")
    assert [page.text for page in lesson.pages] == ["Hello.", "Bye."]
    assert lesson.pages[0].directive == Directive()
    assert lesson.pages[1].directive.step == StepName("last")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Hello", "t.md:1: a lesson begins with '# Title'"),
        ("# T\n", "t.md:1: the lesson has no pages"),
        ("# T\n\n<!-- step: last -->\n", "t.md:3: no text follows"),
        ("# T\n<!-- stop: 1 -->\nx", "t.md:2: 'stop' is not a key of a lesson; keys are kernel, device"),
        ("# T\n<!-- last -->\nx", "t.md:2: 'last' is not a key"),
        ("# T\n<!-- warp: one -->\nx", "t.md:2: warp: 'one' is not a whole number"),
        ("# T\n<!-- view: lane -->\nx", "t.md:2: view: there is no view 'lane'"),
        ("# T\n<!-- predict: maybe -->\nx", "t.md:2: predict: 'maybe' is neither yes nor no"),
        ("# T\n<!-- step: conflict -->\nx", "t.md:2: step: 'conflict' is not a step"),
        ("# T\n<!-- step: conflict 0 -->\nx", "t.md:2: step: 'conflict 0' is not a step"),
        ("# T\n<!-- kernel: -->\nx", "t.md:2: kernel: a name is missing"),
        ("# T\n<!-- step: line 3 local -->\nx", "t.md:2: step: 'line 3 local' is not a step"),
        (
            "# T\n<!-- counter: barrier -->\nx",
            "t.md:2: counter: there is no counter 'barrier'; did you mean 'barriers'?",
        ),
        ("# T\n<!-- step: 1 -->\nx\n<!-- answer -->\n", "t.md:2: a page has one answer"),
        ("# T\n<!-- step: 1 -->\n<!-- answer -->\nx", "t.md:2: no text follows"),
        ("# T\n\n<!-- step: 1 -->\nx\n\n<!-- step: 1; step: 2 -->\ny", "t.md:6: step: given twice"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, words: str) -> None:
    with pytest.raises(LessonError) as caught:
        parse(text, "t.md")
    assert str(caught.value).startswith(words)


def test_a_question_about_the_step_hides_what_the_views_show_of_it() -> None:
    text = "# T\n<!-- step: 1; ask: lanes -->\nHow many?\n<!-- answer -->\nTwo.\n<!-- step: 2 -->\nx"
    lesson = parse(text, "t.md")
    assert lesson.directive(0).predict
    assert not lesson.directive(1).predict


def test_an_exercise_leaves_its_evidence_in_sight() -> None:
    lesson = parse("# T\n<!-- step: 1 -->\nTry it.\n<!-- answer -->\nTwo.", "t.md")
    assert lesson.pages[0].answer == "Two."
    assert not lesson.directive(0).predict


def test_names_that_stand_for_nothing_are_said_with_their_place() -> None:
    text = (
        "# T\n<!-- kernel: a/b; device: h200 -->\nx\n<!-- device: h20 -->\nx\n<!-- kernel: a/d; preset: full -->\nx\n"
    )
    text += "<!-- kernel: a/b -->\ny"
    found = mistakes(parse(text, "t.md"), {"a/b": ["step"], "a/c": ["step", "full"]}, ["h200"])
    assert [problem.message for problem in found] == [
        "t.md:4: device: there is no device 'h20'; did you mean 'h200'?",
        "t.md:6: kernel: there is no kernel 'a/d'; did you mean 'a/c'?",
        "t.md:8: preset: a/b has no launch 'large'; it has small",
    ]
    assert "t.md" in found[0].hint


def test_a_file_that_is_not_there(tmp_path) -> None:
    with pytest.raises(OSError, match="none"):
        load(tmp_path / "none.md")


def test_steps_by_name(scenes) -> None:
    trace = scenes().run.trace

    def step(kind: str, number: int = 0, key: tuple[int, int] | None = None) -> int | None:
        return step_of(Directive(step=StepName(kind, number)), trace, key)

    assert step("step") == 0
    assert step("step", 5) == 5
    assert step("step", trace.steps + 1) is None
    assert step("last") == trace.steps
    assert step_of(Directive(), trace) is None
    divergences = [s for s in range(1, trace.steps + 1) if trace.event(s).marks & Mark.DIVERGENCE]
    assert [step("divergence", n) for n in (1, 2, len(divergences))] == [*divergences[:2], divergences[-1]]
    assert step("divergence", len(divergences) + 1) is None
    assert step("finding", 1) is None
    program = trace.program
    found = step("line", 14, (1, 2))
    assert found is not None
    event = trace.event(found)
    assert (event.block, event.warp) == (1, 2)
    assert program.instructions[event.pc].span.line == 14
    assert step("line", 11, (0, 99)) == step("line", 11)  # a warp that never comes there
    reads = step_of(Directive(step=StepName("line", 7, "global")), trace, (0, 1))
    writes = step_of(Directive(step=StepName("line", 7, "shared")), trace, (0, 1))
    assert reads is not None
    assert writes is not None
    assert trace.frame(reads).addresses.space == Space.GLOBAL
    assert trace.frame(writes).addresses.space == Space.SHARED
    assert step_of(Directive(step=StepName("line", 10, "shared")), trace) is None
    assert step("line", 1) is None


def test_views_and_marks_are_those_of_the_window() -> None:
    assert set(VIEWS) == {view.key for view in WINDOW_VIEWS}
    assert all(mark in Mark for mark, _ in MARKS.values())


# ---- the lessons that come with warpview

OURS = lessons()


@cache
def run_of(kernel: str, device: str, preset: str, code: str | None = None) -> Run:
    compiler = "nvrtc" if code == "nvidia" else "warpview"
    series = simulate_preset(library.entry(kernel), preset, device, engine="sm", check=False, compiler=compiler)
    return series.launches[0]


def test_every_subject_has_a_lesson() -> None:
    titles = " ".join(lesson.title.lower() for lesson in OURS)
    subjects = ("divergence", "coalescing", "bank conflicts", "reduction", "occupancy", "tiling", "atomics", "shuffles")
    assert all(subject in titles for subject in subjects)


@pytest.mark.parametrize("lesson", OURS, ids=lambda lesson: lesson.name)
def test_every_page_leads_somewhere(lesson: Lesson) -> None:
    for number in range(len(lesson.pages)):
        page = lesson.directive(number)
        where = f"{lesson.name}, page {number + 1}"
        assert page.kernel, where
        assert page.device, where
        assert page.preset, where
        assert page.view, where
        load_device(page.device)
        if page.code == "nvidia" and not nvrtc.is_installed():
            continue
        run = run_of(page.kernel, page.device, page.preset, page.code)
        assert run.trace is not None
        step = step_of(page, run.trace, (0, page.warp or 0))
        assert step is not None, where
        accessed = {"global": GlobalAccess, "shared": SharedAccess}.get(page.view)
        assert accessed is None or isinstance(run.trace.frame(step).access, accessed), where
        assert run.mismatch is None or page.kernel.startswith("mistakes/"), where


# What the pages ask, and what the run says: the kind of question, and its answer.
ASKED = {
    ("01_divergence.md", "The lanes disagree"): "16 lanes",
    ("02_coalescing.md", "One word further on"): "32 transactions",
    ("02_coalescing.md", "Today: sectors"): "5 sectors",
    ("02_coalescing.md", "How bad can it be?"): "32 sectors",
    ("03_bank_conflicts.md", "A column of the tile"): "32 wavefronts",
    ("04_reduction.md", "Ask the class"): "2 lanes",
    ("04_reduction.md", "3: Sequential addressing"): "2 wavefronts",
    ("06_tiling.md", "A row times a column"): "16 sectors",
    ("06_tiling.md", "Inside the tile"): "1 wavefront",
    ("07_atomics.md", "One address, one after the other"): "25 addresses",
    ("07_atomics.md", "No queue at all"): "25 lanes",
}
NUMBERS = (
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "sixteen",
    "twenty-five",
    "thirty-two",
)


@pytest.mark.parametrize("lesson", OURS, ids=lambda lesson: lesson.name)
def test_what_a_page_asks_is_answered_by_its_run_and_not_in_its_text(lesson: Lesson) -> None:
    for number, page in enumerate(lesson.pages):
        held, where = lesson.directive(number), (lesson.name, page.title)
        assert (held.ask is not None) == (where in ASKED), where
        if held.ask is None:
            continue
        run = run_of(held.kernel or "", held.device or "", held.preset or "")
        step = step_of(held, run.trace, (0, held.warp or 0))
        asked = question_of_kind(held.ask, run.trace.frame(step or 0), run.program, run.device)
        assert asked is not None, where
        assert asked.number == ASKED[where]
        first = page.answer.split()[0].strip(":,.").lower()
        assert first not in NUMBERS, where
        assert not first.isdecimal(), where


def test_what_is_asked_by_a_kind_that_is_none_or_not_answered_is_said() -> None:
    with pytest.raises(LessonError, match=r"t\.md:3: ask: 'banks' is not a question; questions are lanes, warps"):
        parse("# T\n\n<!-- ask: banks -->\nHow many?\n", "t.md")
    with pytest.raises(LessonError, match=r"t\.md:3: ask: the answer is missing below"):
        parse("# T\n\n<!-- ask: lanes -->\nHow many?\n", "t.md")
    good = "# T\n\n<!-- ask: lanes -->\nHow many?\n\n<!-- answer -->\nSo many.\n<!-- step: 3 -->\nOn.\n"
    lesson = parse(good, "t.md")
    assert [lesson.directive(n).ask for n in (0, 1)] == ["lanes", None]


def counter(kernel: str, device: str, key: str, preset: str = "step") -> float:
    value = run_of(kernel, device, preset).counters[key]
    assert value is not None
    return round(value, 1)


@pytest.mark.parametrize(
    ("kernel", "device", "key", "value"),
    [
        ("control_flow/within_warp", "8800gtx", "inst_executed", 304),
        ("control_flow/within_warp", "8800gtx", "active_lanes_average", 17.9),
        ("control_flow/along_warps", "8800gtx", "inst_executed", 174),
        ("control_flow/along_warps", "8800gtx", "divergent_branches", 0),
        ("control_flow/collatz", "8800gtx", "active_lanes_average", 9.4),
        ("control_flow/spin_lock", "v100", "inst_executed", 413),
        ("patterns/offset_copy", "8800gtx", "global_ld_sectors_per_request", 32),
        ("patterns/offset_copy", "fx5800", "global_ld_sectors_per_request", 7),
        ("patterns/offset_copy", "c2050", "global_ld_sectors_per_request", 8),
        ("patterns/offset_copy", "h200", "global_ld_sectors_per_request", 5),
        ("patterns/strided_copy", "h200", "global_ld_sectors_per_request", 8),
        ("patterns/float3_staged", "h200", "global_ld_sectors_per_request", 4),
        ("transpose/tile_32", "h200", "shared_ld_bank_conflicts", 3968),
        ("transpose/tile_32", "h200", "inst_shared_ld", 128),
        ("transpose/padded_32", "h200", "shared_ld_bank_conflicts", 0),
        ("transpose/padded_16", "8800gtx", "shared_ld_bank_conflicts", 0),
        ("transpose/swizzled", "h200", "shared_ld_bank_conflicts", 0),
        ("reduction/interleaved", "8800gtx", "inst_executed", 1716),
        ("reduction/interleaved", "8800gtx", "divergent_branches", 96),
        ("reduction/strided_index", "8800gtx", "inst_executed", 1388),
        ("reduction/strided_index", "8800gtx", "divergent_branches", 24),
        ("reduction/strided_index", "8800gtx", "shared_ld_bank_conflicts", 224),
        ("reduction/sequential", "8800gtx", "inst_executed", 1132),
        ("reduction/sequential", "8800gtx", "shared_ld_bank_conflicts", 0),
        ("reduction/sequential", "8800gtx", "divergent_branches", 4 * 6),
        ("reduction/first_add", "8800gtx", "inst_executed", 622),
        ("reduction/first_add", "8800gtx", "barriers", 64),
        ("reduction/unroll_last_warp", "8800gtx", "inst_executed", 326),
        ("reduction/unroll_completely", "8800gtx", "inst_executed", 262),
        ("reduction/interleaved", "h200", "barriers", 128),
        ("reduction/unroll_last_warp", "8800gtx", "barriers", 16),
        ("matmul/uncoalesced", "h200", "global_ld_sectors_per_request", 8.5),
        ("matmul/coalesced", "h200", "global_ld_requests", 2048),
        ("matmul/coalesced", "h200", "global_ld_sectors_per_request", 2),
        ("matmul/tiled", "h200", "global_ld_requests", 128),
        ("matmul/coarsened", "h200", "global_ld_requests", 96),
        ("stencil/five_point", "h200", "global_ld_requests", 128),
        ("stencil/five_point_tiled", "h200", "global_ld_requests", 68),
        ("histogram/global", "h200", "atomics", 16),
        ("histogram/global", "h200", "atomic_collisions", 26),
        ("histogram/aggregated", "h200", "atomic_collisions", 0),
        ("reduction/shuffle", "h200", "barriers", 2 * 4),
    ],
)
def test_numbers_in_the_texts(kernel: str, device: str, key: str, value: float) -> None:
    assert counter(kernel, device, key) == value


def stalls(run: Run) -> list[int]:
    """Return the warp cycles of a recorded run by stall reason, those without a warp left out."""
    assert run.trace is not None
    return [int(cycles) for cycles in run.trace.stall_cycles.sum(axis=0)[: Stall.EXITED]]


def waiting(run: Run) -> float:
    """Return the cycles for which a warp waits for memory before an instruction, on average."""
    return stalls(run)[Stall.LONG_SCOREBOARD] / stalls(run)[Stall.SELECTED]


def waiting_part(run: Run) -> float:
    """Return the part of the warps' cycles in which they wait for memory."""
    return stalls(run)[Stall.LONG_SCOREBOARD] / sum(stalls(run))


def test_each_thread_of_the_five_point_stencil_reads_its_four_neighbours() -> None:
    program = run_of("stencil/five_point", "h200", "step").program
    loads = [i for i in program.instructions if i.op is Op.LD and i.space is Space.GLOBAL]
    assert len(loads) == 4


def test_words_in_the_texts() -> None:
    assert counter("patterns/strided_copy", "h200", "global_ld_sectors_per_request", "by_8") == 32
    few, many = (run_of("vector/add", "h200", preset) for preset in ("step", "full"))
    assert 13.5 < (many.counters["ipc"] or 0) / (few.counters["ipc"] or 1) < 14.5  # "fourteen times"
    assert 1.9 < waiting(many) / waiting(few) < 2.2  # "twice as long"
    assert waiting_part(few) > 0.9
    assert 0.64 < waiting_part(run_of("vector/add", "8800gtx", "step")) < 0.69  # "two thirds"
    tiled = run_of("matmul/tiled", "8800gtx", "step")
    assert (tiled.occupancy.warps, tiled.occupancy.limiting.name) == (16, "REGISTERS")
    assert counter("histogram/global", "h200", "atomic_collisions", "single") == 31 * 131_072
    locked = simulate_preset(library.entry("control_flow/spin_lock"), "step", "k40", engine="sm", step_budget=100_000)
    assert any(f.kind == "deadlock" for f in locked.findings)
    assert not run_of("control_flow/spin_lock", "v100", "step").findings
    blocked, tiled = (run_of(f"matmul/{k}", "k40", "full") for k in ("register_blocked", "tiled"))
    assert (blocked.occupancy.warps, tiled.occupancy.warps) == (48, 64)
    assert blocked.time_us is not None
    assert tiled.time_us is not None
    assert 0.33 < blocked.time_us / tiled.time_us < 0.4


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
def test_numbers_of_the_lesson_on_the_compiler() -> None:
    def counters(kernel: str, key: str) -> list[int | float | None]:
        return [run_of(kernel, "h200", "step", code).counters[key] for code in ("written", "nvidia")]

    def instructions(kernel: str, line: int) -> int:
        program = run_of(kernel, "h200", "step", "nvidia").program
        return sum(instruction.span.line == line for instruction in program.instructions)

    assert counters("reduction/sequential", "divergent_branches") == [24, 0]
    assert instructions("reduction/sequential", 13) == 6
    assert counters("reduction/interleaved", "inst_executed") == [1716, 3648]
    assert instructions("reduction/interleaved", 12) == 19
    assert counters("matmul/tiled", "inst_executed") == [10_752, 4_320]
    assert counters("matmul/tiled", "branches") == [1_120, 128]
    program = run_of("reduction/sequential", "h200", "step", "nvidia").program
    line = [i.native for i in program.instructions if i.span.line == 8 and i.native is not None]
    setting = [native.mnemonic for native in line if native.write_barrier is not None]
    assert len(setting) > 1, "the question names the one that it is about"
    load = next(n for n, native in enumerate(line) if native.mnemonic.startswith("LDG.E"))
    barrier = line[load].write_barrier or 0
    waiting = next(n for n, native in enumerate(line) if n > load and native.waits >> barrier & 1)
    assert line[waiting].mnemonic.startswith("STS")
    assert waiting > load + 1, "others stand between"
