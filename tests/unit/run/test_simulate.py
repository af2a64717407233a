"""The public interface compiles and simulates, gives results and refuses bad input."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview import library
from warpview.diagnostics import LaunchError, WarpviewError
from warpview.run import Changes, simulate_preset
from warpview.run.options import SeriesOptions

ADD = """
__constant__ float table[4];
__device__ int visits;
struct Pair { int first; float second; };
__global__ void add(const float *in, float *out, Pair pair, int n) {
    extern __shared__ float copy[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        copy[threadIdx.x] = in[i];
        out[i] = copy[threadIdx.x] + pair.first + pair.second + table[i % 4];
    }
}
__global__ void twice(float *data) { data[threadIdx.x] *= 2; }
"""


@pytest.fixture(scope="module")
def add() -> object:
    return wv.compile(ADD, kernel="add")


def _run(program: object, **options: object) -> wv.Run:
    a = np.arange(50, dtype=np.float32)
    arguments = {"in": a, "out": np.zeros(50, np.float32), "pair": {"first": 1, "second": 0.5}, "n": 50}
    settings = {"shared_bytes": 128, "constants": {"table": np.array([0, 10, 20, 30], np.float32)}, **options}
    return wv.simulate(program, 2, 32, arguments, **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("engine", ["profile", "sm"])
@pytest.mark.parametrize("device", ["8800gtx", "c2050", "h200"])
def test_structs_constants_and_shared_memory_arrive(add: object, device: str, engine: str) -> None:
    run = _run(add, device=device, engine=engine)
    i = np.arange(50)
    np.testing.assert_array_equal(run.buffers["out"], (i + 1.5 + 10 * (i % 4)).astype(np.float32))
    np.testing.assert_array_equal(run.buffers["in"], i.astype(np.float32))
    assert not run.findings
    assert (run.time_us is not None) == (engine == "sm")
    assert (run.trace is not None) == (engine == "sm")
    assert run.counters["blocks_launched"] == 2
    assert run.counters["inst_executed"] > 0  # type: ignore[operator]


def test_a_library_kernel_is_compiled_and_launched_by_its_key() -> None:
    entry = next(entry for entry in wv.kernels() if entry.key == "transpose/padded_32")
    assert wv.compile(entry.key) == wv.compile(entry) == wv.compile(entry.path, entry.kernel, entry.defines)
    series = wv.simulate_preset(entry.key, "large")
    assert series.counters == wv.simulate_preset(entry, "large").counters
    assert series.launches[0].launch.grid[:2] == entry.preset("large").grid
    assert series.counters["shared_ld_bank_conflicts"] == 0
    assert not series.findings


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: wv.compile("transpose/paded_32"), "there is no library kernel 'transpose/paded_32'; did you mean"),
        (lambda: wv.simulate_preset("a/b"), "there is no library kernel 'a/b'"),
        (lambda: wv.simulate_preset("vector/add", "huge"), "vector/add has no launch 'huge'; it has small, large"),
    ],
)
def test_a_library_kernel_that_does_not_exist_is_named(call: Callable[[], object], message: str) -> None:
    with pytest.raises(WarpviewError, match=message):
        call()


def test_both_engines_count_alike(add: object) -> None:
    profile, sm = (_run(add, device="8800gtx", engine=engine) for engine in ("profile", "sm"))
    np.testing.assert_array_equal(profile.counts, sm.counts)


def test_the_callers_arrays_are_left_alone() -> None:
    data = np.ones(32, dtype=np.float32)
    run = wv.simulate(wv.compile(ADD, kernel="twice"), 1, 32, [data])
    assert run.buffers["data"].sum() == 64
    assert data.sum() == 32


def test_launches_of_a_series_see_what_the_ones_before_wrote() -> None:
    program = wv.compile(ADD, kernel="twice")
    data = np.ones(32, dtype=np.float32)
    series = wv.simulate_series([wv.Step(program, 1, 32, [data])] * 5, device="c2050")
    assert series.buffers["data"].tolist() == [32.0] * 32
    assert [launch.buffers["data"][0] for launch in series.launches] == [2, 4, 8, 16, 32]
    one = series.launches[0].counters["inst_executed"]
    assert series.counters["inst_executed"] == 5 * one  # type: ignore[operator]
    assert series.counters["active_lanes_average"] == series.launches[0].counters["active_lanes_average"]


def test_registers_override_the_estimate(add: object) -> None:
    few, many = _run(add, registers=10), _run(add, registers=200)
    assert few.occupancy.blocks > many.occupancy.blocks
    assert many.counters["registers_per_thread"] == 200


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"engine": "fast"}, "there is no engine 'fast'"),
        ({"device": "h20"}, "there is no device 'h20'"),
        ({"shared_bytes": 1 << 20}, "bytes of shared memory per block are too much for NVIDIA H200"),
        ({"registers": 300, "device": "8800gtx"}, "registers per thread"),
        ({"constants": {"tabel": np.zeros(4, np.float32)}}, "has no __constant__ variable 'tabel'"),
        ({"constants": {"table": np.zeros(5, np.float32)}}, "constant 'table' holds 16 bytes, not 20"),
    ],
)
def test_what_cannot_run_is_refused_in_a_sentence(add: object, options: dict[str, object], message: str) -> None:
    with pytest.raises(WarpviewError, match=message):
        _run(add, **options)


@pytest.mark.parametrize(
    ("grid", "block", "message"),
    [
        (1, 1025, "a block of 1025 threads is too large for NVIDIA H200: at most 1024"),
        (1, (1, 1, 65), r"block.z = 65 is too large for NVIDIA H200: at most 64"),
        ((1, 70000), 32, r"grid.y = 70000 is too large for NVIDIA H200: at most 65535"),
        (0, 32, "grid must be one to three whole numbers of at least 1"),
    ],
)
def test_launch_shapes_beyond_the_device(grid: object, block: object, message: str) -> None:
    with pytest.raises(LaunchError, match=message):
        wv.simulate(wv.compile(ADD, kernel="twice"), grid, block, [np.zeros(32, np.float32)])  # type: ignore[arg-type]


def test_cancel_ends_the_launch() -> None:
    endless = wv.compile("__global__ void k(volatile int *a) { while (a[0] == 0); }")
    with pytest.raises(wv.Cancelled):
        wv.simulate(endless, 64, 128, [np.zeros(1, np.int32)], progress=lambda done, total: False, step_budget=1 << 40)


def test_a_step_budget_ends_an_endless_loop() -> None:
    endless = wv.compile("__global__ void k(int *a) {\n  while (true)\n    a[threadIdx.x] = 1;\n}")
    run = wv.simulate(endless, 1, 32, [np.zeros(32, np.int32)], step_budget=1_000)
    assert run.aborted
    finding = run.findings[-1]
    assert finding.kind == "endless loop"
    assert finding.span.line in (2, 3)


def test_compile_takes_a_path_and_says_what_is_wrong_where(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text('#include "size.h"\n__global__ void k(int *a) { a[threadIdx.x] = SIZE; }\n')
    (tmp_path / "size.h").write_text("#define SIZE 7\n")
    run = wv.simulate(wv.compile(path), 1, 4, [np.zeros(4, np.int32)])
    assert run.buffers["a"].tolist() == [7] * 4
    with pytest.raises(wv.CompileError) as caught:
        wv.compile("__global__ void k(int *a) {\n  a[0] = b;\n}")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.span is not None
    assert (diagnostic.span.line, diagnostic.span.column) == (2, 10)
    with pytest.raises(WarpviewError, match="cannot read"):
        wv.compile(tmp_path / "none.cu")


def test_changes_to_a_preset_replace_its_own() -> None:
    entry = library.entry("reduction/sequential")
    changes = Changes(grid=(1,), arguments={"input": "ones:128", "n": "128"})
    (run,) = simulate_preset(entry, "step", "8800gtx", changes).launches
    assert run.buffers["output"][0] == 128
    assert run.launch.grid == (1, 1, 1)
    assert run.mismatch is None


def test_signatures_show_the_options_that_are_handed_on() -> None:
    """The keywords of simulate_series are typed once more, in a TypedDict, and shown wherever they are taken."""
    series = inspect.signature(wv.simulate_series).parameters
    options = {name for name, parameter in series.items() if parameter.kind is parameter.KEYWORD_ONLY}
    assert SeriesOptions.__required_keys__ | SeriesOptions.__optional_keys__ == options
    shown = inspect.signature(wv.simulate).parameters
    launch = {"program", "grid", "block", "args", "shared_bytes", "cluster"}
    assert set(shown) - launch == options - {"traced", "traced_block", "history_bytes"}
    assert all(shown[name].default == series[name].default for name in options & set(shown))
    assert set(inspect.signature(simulate_preset).parameters) >= options - {"constants", "traced_block"}


def test_an_option_that_there_is_not_is_an_error() -> None:
    with pytest.raises(TypeError, match="grids"):
        wv.simulate(wv.compile("__global__ void k() {}"), 1, 1, grids=2)  # type: ignore[call-arg]


def test_more_registers_than_the_device_has_are_refused_with_the_remedy() -> None:
    program = wv.compile("__global__ void k(int *a) { a[threadIdx.x] += 1; }")
    with pytest.raises(wv.LaunchError, match="k needs 76 registers per thread; GeForce GTX 480 has 63"):
        wv.simulate(program, 1, 32, [np.zeros(32, np.int32)], device="gtx480", registers=76)
    assert wv.simulate(program, 1, 32, [np.zeros(32, np.int32)], device="gtx480", registers=63).buffers["a"].all()
