"""Arrays are compared with what they should hold; the finding names the first wrong element and who wrote it."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview import library
from warpview.diagnostics import SourceText
from warpview.run import Changes, simulate_preset

SQUARES = """
__global__ void squares(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * in[i];
  if (i == 40)
    out[i] += 1;
}"""
WANTED = np.arange(64, dtype=np.int32) ** 2


def launched(n: int = 64, **options: object) -> wv.Run:
    arguments = {"in": np.arange(64, dtype=np.int32), "out": np.zeros(64, np.int32), "n": n}
    return wv.simulate(wv.compile(SQUARES), 2, 32, arguments, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("engine", ["profile", "sm"])
def test_the_first_wrong_element_and_its_writer(engine: str) -> None:
    run = launched(expect={"out": WANTED}, engine=engine)
    (finding,) = run.findings
    assert (finding.kind, finding.value, finding.expected) == ("wrong result", 1601, 1600)
    assert (finding.block, finding.thread, finding.span.line) == ((1, 0, 0), (8, 0, 0), 7)
    assert finding.elements == ("out[40]",)
    assert "'out[40]' is 1601 instead of 1600 (1 element differs)" in finding.message
    assert run.mismatch == finding.message
    assert finding.severity == "error"


def test_the_step_that_wrote_it_is_told() -> None:
    run = wv.simulate(
        wv.compile(SQUARES), 1, 64, [np.arange(64, dtype=np.int32), np.zeros(64, np.int32), 64],
        engine="sm", expect={"out": WANTED},
    )  # fmt: skip
    (finding,) = run.findings
    assert run.trace is not None
    assert finding.step is not None
    event = run.trace.event(finding.step)
    assert (event.pc, event.warp) == (finding.pc, 1)
    element = next(a for a in run.allocations if a.name == "out").base + 4 * 40
    assert run.trace.global_values(finding.step, element, 1, np.int32)[0] == 1601
    assert run.trace.global_values(finding.step - 1, element, 1, np.int32)[0] == 1600


def test_an_element_that_nobody_wrote() -> None:
    (finding,) = (f for f in launched(n=20, expect={"out": WANTED}).findings if f.elements[0] == "out[20]")
    assert finding.kind == "never written"
    assert "no thread wrote it" in finding.message
    assert (finding.value, finding.n_elements) == (0, 44)


def test_nothing_is_said_of_what_is_right() -> None:
    assert not launched(expect={"out": WANTED[:40]}).findings  # an array may be longer than what is expected of it
    assert not launched(expect={"out": WANTED + 0.5}, tolerance=0.5 + 1 / 1024).findings


def test_rounding_errors_are_allowed_and_no_more() -> None:
    program = wv.compile(
        "__global__ void k(float *a) { a[threadIdx.x] = threadIdx.x == 3 ? NAN : (threadIdx.x + 4) / 3.0f; }"
    )
    wanted = np.arange(4.0, 36) / 3
    wanted[3] = np.nan
    for factor, wrong in ((1.0, 0), (1 + 1e-3, 31)):
        run = wv.simulate(program, 1, 32, [np.zeros(32, np.float32)], expect={"a": wanted * factor})
        assert sum(f.n_elements for f in run.findings) == wrong


@pytest.mark.parametrize(
    ("expect", "says"),
    [
        ({"missing": WANTED}, "no array 'missing'"),
        ({"out": np.zeros(65, np.int32)}, "64 elements, not 65"),
        ({"out": np.array(["a"])}, "array of numbers"),
        ({"out": [[1], [2, 3]]}, "array of numbers"),
    ],
)
def test_what_cannot_be_expected_is_refused(expect: dict[str, object], says: str) -> None:
    with pytest.raises(wv.LaunchError, match=says):
        launched(expect=expect)


@pytest.mark.parametrize("tolerance", [-1, float("nan"), "1", True])
def test_a_tolerance_is_a_number(tolerance: object) -> None:
    with pytest.raises(wv.LaunchError, match="tolerance"):
        launched(expect={"out": WANTED}, tolerance=tolerance)


def test_a_library_kernel_is_compared_after_its_text_was_edited() -> None:
    entry = library.entry("reduction/interleaved")
    text = entry.source.text.replace("+=", "-=")
    assert text != entry.source.text
    run = simulate_preset(entry, "step", changes=Changes(source=SourceText("edited.cu", text))).launches[-1]
    assert [f.kind for f in run.findings] == ["wrong result"]
    assert run.findings[0].elements[0].startswith("output[")
    assert simulate_preset(entry, "step").mismatch is None


def test_a_series_is_compared_after_its_last_launch() -> None:
    program = wv.compile("__global__ void k(int *a, int d) { a[threadIdx.x] += d; }")
    data = np.zeros(32, np.int32)
    steps = [wv.Step(program, 1, 32, [data, d]) for d in (1, 2)]
    assert not wv.simulate_series(steps, expect={"a": np.full(32, 3)}).findings
    series = wv.simulate_series(steps, expect={"a": np.full(32, 1)})
    assert series.launches[0].findings == ()
    assert series.launches[1].findings[0].value == 3


def test_who_wrote_an_element() -> None:
    run = launched()
    writer = run.who_wrote("out", 40)
    assert writer is not None
    assert (writer.block, writer.thread, writer.span.line, writer.launch) == ((1, 0, 0), (8, 0, 0), 7, 0)
    assert run.who_wrote("in", 3) is None
    for name, index, says in (
        ("put", 0, "no array 'put'"),
        ("out", 64, "does not exist"),
        ("out", 1.5, "whole numbers"),
    ):
        with pytest.raises(wv.WarpviewError, match=says):
            run.who_wrote(name, index)  # type: ignore[arg-type]


def test_bytes_of_one_word_have_writers_of_their_own() -> None:
    program = wv.compile("""
        __global__ void k(char *a) {
          if (threadIdx.x < 2) a[1 - threadIdx.x] = 7;
          else if (threadIdx.x == 2) a[3] = 1;
        }""")
    run = wv.simulate(program, 1, 32, [np.zeros((2, 2), np.int8)])
    writers = [run.who_wrote("a", (k // 2, k % 2)) for k in range(4)]
    assert [w and w.thread[0] for w in writers] == [1, 0, None, 2]


def test_the_writer_of_an_earlier_launch() -> None:
    programs = [
        wv.compile(f"__global__ void k(int *a) {{ if (threadIdx.x >= {k}) a[threadIdx.x] = {k}; }}") for k in (0, 16)
    ]
    data = np.zeros(32, np.int32)
    series = wv.simulate_series([wv.Step(program, 1, 32, [data]) for program in programs])
    assert [series.who_wrote("a", i).launch for i in (3, 20)] == [0, 1]  # type: ignore[union-attr]


def test_the_arrays_of_the_caller_may_change_afterwards() -> None:
    program = wv.compile("__global__ void k(int *a) { if (a[threadIdx.x]) a[threadIdx.x] = 5; }")
    data = np.ones(32, np.int32)
    run = wv.simulate(program, 1, 32, [data])
    data[:] = 0
    assert run.who_wrote("a", 1) is not None


@pytest.mark.parametrize(
    ("key", "changes", "wrong"),
    [
        ("matmul/tiled", Changes(block=(8, 8)), "C[0]"),  # its tile is 16 wide
        ("matmul/coalesced", Changes(block=(8, 8), grid=(4, 4)), ""),
        ("vector/increment", Changes(grid=(1,)), "values[48]"),
        ("vector/increment", Changes(arguments={"by": "2.5"}), ""),
        ("vector/increment", Changes(arguments={"values": "iota:100", "n": "100"}), ""),
        ("vector/add", Changes(arguments={"n": "100"}), ""),  # the oracle takes no notice of n
        ("reduction/sequential", Changes(arguments={"n": "500"}), ""),
        ("reduction/sequential", Changes(block=(64,)), ""),
        ("stencil/global_1d", Changes(arguments={"n": "100"}), ""),
    ],
)
def test_a_changed_launch_is_compared_where_numpy_can_tell(key: str, changes: Changes, wrong: str) -> None:
    found = simulate_preset(library.entry(key), "step", changes=changes).findings
    told = [finding.elements[0] for finding in found if finding.kind in ("wrong result", "never written")]
    assert told == ([wrong] if wrong else [])


def test_other_numbers_have_rounding_errors() -> None:
    n = library.entry("matmul/tiled").presets["step"].args["n"]
    inputs = {name: f"uniform:{int(n) ** 2}" for name in ("A", "B")}
    run = simulate_preset(library.entry("matmul/tiled"), "step", changes=Changes(arguments=inputs)).launches[0]
    assert not run.findings
    assert not np.array_equal(run.buffers["C"], np.round(run.buffers["C"]))


def test_numpy_does_not_look_for_the_end_of_an_endless_sequence() -> None:
    entry = library.entry("control_flow/collatz")
    values = library.launch_arguments(entry, "step", {"input": "zeros:256"})
    assert library.expected_of_changed(entry, "step", values, None, None, {"input"}) == {}
