"""Captions are the sentences of a lecture on reductions, word by word."""

import re
from functools import cache

import numpy as np
import pytest

from warpview import library
from warpview.frontend import compile_source
from warpview.isa.types import Space
from warpview.run import simulate_preset
from warpview.sim.history.events import Mark, Stall
from warpview.trace import caption
from warpview.trace.step_verbs import verb
from warpview.trace.words import counted, lanes_words, pattern_words, third_person


def says(trace, step):
    return caption(trace.frame(step), trace.program, trace.device)


def test_before_the_first_step(story):
    told = story("interleaved")
    assert told.captions(0, 1) == [
        "Block 0, warp 0 is about to set `tid` to `threadIdx.x`. Press → to step.",
        "Block 0, warp 0 sets `tid` to `threadIdx.x`.",
    ]


def test_the_warp_that_issues_first_is_about_to(sentences):
    assert sentences("transpose/naive_16", "h200")[:2] == [
        f"Block 0, warp 4 {words} `x = blockIdx.x * TILE + threadIdx.x`.{more}"
        for words, more in (("is about to compute", " Press → to step."), ("computes", ""))
    ]


def test_nothing_is_in_the_way_of_a_warp_before_the_first_step(story):
    warps = story("interleaved").trace.frame(0).warps
    assert {w.stall for w in warps} == {Stall.NOT_SELECTED}


def test_the_lanes_that_leave_a_loop_are_told_from_those_that_go_on(sentences):
    said = [s for s in sentences("control_flow/mandelbrot", "b200") if "`xx + yy > 4.0f` holds" in s]
    assert (
        "Block 0, warp 1 diverges: `xx + yy > 4.0f` holds for 13 of 16 active lanes, which wait; lanes 29 to 31 go on; "
        "29 lanes idle." in said
    )


def test_what_dram_delivers_beyond_what_was_missed_is_told_in_bytes():
    trace = simulate_preset(library.entry("mistakes/lost_updates"), "step", "h200", engine="sm").launches[0].trace
    said = {trace.event(step).traffic.words("load") for step in range(1, trace.steps + 1)}
    assert "missed L1 and L2; DRAM delivered 64 B" in said


def test_a_barrier_counts_threads_where_a_warp_comes_to_it_in_parts(sentences):
    said = sentences("mistakes/barrier_in_branch", "b200")
    assert "Lanes 0 to 15 of block 0, warp 0 arrive at the barrier: 16 of 64 threads waiting." in said


def test_a_named_result(story):
    trace = story("interleaved").trace
    assert (
        says(trace, trace.next_of_warp(1, 0, 0))
        == "Block 0, warp 0 computes `i = blockIdx.x * blockDim.x + threadIdx.x`."
    )


@pytest.mark.parametrize(
    ("device", "effect"),
    [
        ("8800gtx", "2 transactions of 64 bytes, 128 of 128 bytes used"),
        ("c2050", "1 transaction of 128 bytes, 128 of 128 bytes used"),
        ("h200", "4 sectors, 128 of 128 bytes used"),
    ],
)
def test_a_coalesced_load(story, device, effect):
    trace = story("interleaved", device).trace
    first = next(s for s in range(1, trace.steps) if trace.frame(s).addresses is not None)
    assert says(trace, first) == f"Block 0, warp 0 reads 32 consecutive words of `input`: {effect}."


def test_divergence(story):
    trace = story("interleaved").trace
    found, step = [], 0
    while (step := trace.find(step, Mark.DIVERGENCE, True, (0, 0))) is not None:
        found.append(says(trace, step))
    assert found[:5] == [
        f"Block 0, warp 0 diverges: `tid % (2 * s) == 0` holds for {lanes} idle."
        for lanes in (
            "lanes 0, 2, 4, … 30; 16 lanes",
            "lanes 0, 4, 8, … 28; 24 lanes",
            "lanes 0, 8, 16 and 24; 28 lanes",
            "lanes 0 and 16; 30 lanes",
            "lane 0; 31 lanes",
        )
    ]


@pytest.mark.parametrize(
    ("device", "first"),
    [
        ("8800gtx", "banks 0, 2, 4, … 14, 2-way conflict, 4 wavefronts"),
        ("h200", "banks 0, 2, 4, … 30, 2-way conflict, 2 wavefronts"),
    ],
)
def test_bank_conflicts(story, device, first):
    trace = story("strided_index", device).trace
    step = trace.find(0, Mark.CONFLICT)
    assert says(trace, step) == f"Block 0, warp 0 reads `sdata` with a stride of 2: {first}."


def test_no_conflict_and_no_comb_in_sequential_addressing(story):
    trace = story("sequential", "h200").trace
    assert trace.find(0, Mark.CONFLICT) is None
    sentences = [says(trace, s) for s in range(1, trace.steps)]
    assert "Block 0, warp 0 reads 32 consecutive words of `sdata`: no conflict, one wavefront." in sentences
    assert "Block 0, warp 0 diverges: `tid < s` holds for lanes 0 to 15; 16 lanes idle." in sentences


def test_a_branch_on_which_all_agree(story):
    trace = story("sequential", "h200").trace
    sentences = [says(trace, s) for s in range(1, trace.steps)]
    assert "Block 0, warp 0: `tid < s` holds for all 32 lanes, no divergence." in sentences
    assert "Block 0, warp 2: `tid < s` fails for all 32 lanes, no divergence." in sentences


def test_the_barrier(story):
    trace = story("interleaved").trace
    found, step = [], 0
    for _ in range(4):
        step = trace.find(step, Mark.BARRIER)
        found.append(says(trace, step))
    assert found == [
        "Block 0, warp 0 arrives at the barrier: 1 of 4 warps waiting.",
        "Block 0, warp 1 arrives at the barrier: 2 of 4 warps waiting.",
        "Block 0, warp 2 arrives at the barrier: 3 of 4 warps waiting.",
        "Block 0, warp 3 arrives at the barrier as the last of 4 warps: all go on.",
    ]


def test_one_lane_writes_the_result(story):
    trace = story("interleaved", "h200").trace
    stores = [
        s for s in range(1, trace.steps)
        if (where := trace.frame(s).addresses) is not None and where.space == Space.GLOBAL
        and says(trace, s).startswith("Lane 0 of block 0")
    ]  # fmt: skip
    assert says(trace, stores[0]) == (
        "Lane 0 of block 0, warp 0 writes one word of `output`: 1 sector, 4 of 32 bytes used; 31 lanes idle."
    )
    last = trace.previous_of_warp(trace.steps + 1, 0, 0)
    assert says(trace, last) == "Block 0, warp 0 ends."


@pytest.mark.parametrize(
    ("lanes", "words"),
    [
        ([], "no lane"), ([7], "lane 7"), ([3, 4], "lanes 3 and 4"), (range(32), "lanes 0 to 31"),
        (range(0, 32, 2), "lanes 0, 2, 4, … 30"), ([1, 5, 6, 9], "lanes 1, 5, 6 and 9"),
        ([0, 1, 3, 7, 9, 20, 31], "7 lanes"),
    ],
)  # fmt: skip
def test_words_for_lanes(lanes, words):
    assert lanes_words(sum(1 << lane for lane in lanes)) == words


@pytest.mark.parametrize(
    ("addresses", "width", "words"),
    [
        ([64] * 32, 4, "one word of `a`"),
        (list(range(0, 128, 4)), 4, "32 consecutive words of `a`"),
        (list(range(0, 32)), 1, "32 consecutive bytes of `a`"),
        (list(range(0, 512, 16)), 16, "32 consecutive 128-bit values of `a`"),
        (list(range(0, 1024, 32)), 4, "`a` with a stride of 8"),
        (list(range(0, 192, 6)), 4, "`a` with a stride of 6 bytes"),
        ([124 - 4 * k for k in range(32)], 4, "`a` with a stride of -1"),
        ([124, 0], 4, "2 words of `a`, 31 apart"),
        ([0, 6], 4, "2 words of `a`, 6 bytes apart"),
        ([0, 4, 12], 4, "3 scattered words of `a`"),
        ([*range(0, 64, 4), *range(128, 192, 4)], 4, "2 runs of 16 consecutive words of `a`"),
        ([0] * 16 + [64] * 16, 4, "2 different words of `a`"),
    ],
)
def test_words_for_addresses(addresses, width, words):
    assert pattern_words([int(a) for a in np.array(addresses)], width, "`a`") == words


def test_the_lanes_of_a_divergence_are_those_for_which_the_source_s_condition_holds(story):
    """The instruction is taken by the others: the sentence must not call these taken."""
    trace = story("interleaved").trace
    event = trace.event(trace.find(0, Mark.DIVERGENCE))
    assert event.taken == 0xAAAAAAAA
    assert "taken" not in says(trace, event.step)
    assert " take" not in says(trace, event.step)


@pytest.mark.parametrize(
    ("kernel", "phrases"),
    [
        (
            "matmul/tiled",
            ("compute `row * n + first` for an index of `A`", "compute the address of `A[row * n + first + tx]`",
             "compute the offset of `a[ty]`", "compute the address of `a[ty][k]`", "read `a[ty][k]`",
             "compute `sum += a[ty][k] * b[k][tx]`", "increment `k`", "compare `k < TILE`", "write `a[ty][tx]`"),
        ),
        (
            "reduction/interleaved",
            ("copy 0", "compute `sdata[tid] + sdata[tid + s]`", "compute `s *= 2`", "decide `tid % (2 * s) == 0`",
             "set `tid` to `threadIdx.x`"),
        ),
        ("control_flow/mandelbrot", ("convert a value for `3.0f * column`",)),
    ],
)  # fmt: skip
def test_an_instruction_is_told_by_its_source_expression(kernel, phrases):
    entry = library.entry(kernel)
    program = compile_source(entry.source, entry.preset("step").launches[0].kernel, dict(entry.defines))
    assert set(phrases) <= {verb(program, pc) for pc in range(len(program.instructions))}


def test_no_arithmetic_of_the_library_is_told_as_a_value_for_a_line():
    for entry in library.kernels():
        for launch in entry.preset("step").launches:
            program = compile_source(entry.source, launch.kernel, dict(entry.defines))
            for pc in range(len(program.instructions)):
                phrase = verb(program, pc)
                assert not re.match("compute an? ", phrase), (entry.key, phrase)
                assert len(phrase) <= 130


def test_grammar():
    assert counted(1, "sector") == "1 sector"
    assert counted(0, "sector") == "0 sectors"
    assert [third_person(v) for v in ("read", "pass the barrier", "apply it")] == [
        "reads", "passes the barrier", "applies it",
    ]  # fmt: skip


LIBRARY = ("histogram/global", "control_flow/shuffle", "patterns/offset_copy", "vector/increment", "matmul/tiled",
           "control_flow/spin_lock", "patterns/local_array", "minmax/atomic", "scan/device_wide")  # fmt: skip


@pytest.fixture(scope="module")
def sentences():
    """Every sentence of a launch of a library kernel."""

    @cache
    def of(kernel, device):
        run = simulate_preset(library.entry(kernel), "step", device, engine="sm", check=False).launches[0]
        steps = range(min(run.trace.steps, 1500) + 1)
        return [caption(run.trace.frame(step), run.program, run.device) for step in steps]

    return of


@pytest.mark.parametrize(
    ("kernel", "device", "words"),
    [
        ("patterns/offset_copy", "fx5800", "3 transactions (32 + 64 + 128 bytes), 128 of 224 bytes used, not"),
        ("histogram/global", "h200", "adds atomically to 25 different words of `bins`: 8 sectors, 3 passes, 3 lanes"),
        ("minmax/atomic", "h200", "applies an atomic maximum to one word of `largest`: 1 sector, 32 passes, 32 lanes"),
        ("control_flow/shuffle", "k40", "reads `value` of lane 0."),
        ("control_flow/shuffle", "k40", "reads `value` of the lane that each lane selects."),
        ("control_flow/shuffle", "k40", "reads `sum` of the lane 1 below."),
        ("control_flow/shuffle", "k40", "exchanges `all` with lane xor 16."),
        ("control_flow/shuffle", "k40", "sets `d` to 1."),
        ("matmul/tiled", "h200", "reads 2 different words of `a`: banks 0 and 16, no conflict, one wavefront."),
        ("vector/increment", "h200", "read 16 consecutive words of `values`: 2 sectors, 64 of 64 bytes used."),
        ("control_flow/spin_lock", "v100", "waits until earlier writes are visible"),
        ("reduction/sequential", "8800gtx", "skips the alternative not taken in line 8."),
        ("patterns/local_array", "h200", "reads `counts`, each lane its own:"),
        ("scan/device_wide", "8800gtx", "1 transaction of 32 bytes, 4 of 32 bytes used; 31 lanes idle."),
    ],
)  # fmt: skip
def test_what_is_said_of_each_kind_of_step(sentences, kernel, device, words):
    assert any(words in sentence for sentence in sentences(kernel, device))


@pytest.mark.parametrize("kernel", LIBRARY)
def test_sentences_are_short_and_without_register_names(sentences, kernel):
    for sentence in sentences(kernel, "h200"):
        assert len(sentence) <= 170, sentence
        assert "%" not in re.sub("`[^`]*`", "", sentence), sentence
        assert sentence.count(". ") <= 1
