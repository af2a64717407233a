"""Arguments of ``simulate`` that do not fit are refused with a LaunchError, and none is misread in silence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import warpview as wv
from warpview.isa.program import Program

PROGRAM = """
__constant__ int words[4];
__constant__ float4 vectors[2];
struct Pair { int a; double b; };
__constant__ Pair pairs[2];
__global__ void copy(int *out, int n, float f) {
    if (threadIdx.x < 4)
        out[threadIdx.x] += words[threadIdx.x] + n + (int)vectors[1].y + pairs[1].a + (int)f;
}
__global__ void chatter(int *out) {
    for (int i = 0; i < 10; ++i)
        printf("%d\\n", i);
}
"""


@pytest.fixture(scope="module")
def copy() -> Program:
    return wv.compile(PROGRAM, kernel="copy")


def launch(program: Program, grid: Any = 1, block: Any = 32, **options: Any) -> wv.Run:
    args = options.pop("args", None) or [np.zeros(4, np.int32), 0, 0.0]
    return wv.simulate(program, grid, block, args, **options)


def replaced(**values: Any) -> dict[str, Any]:
    return {"out": np.zeros(4, np.int32), "n": 0, "f": 0.0, **values}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"grid": 1.5}, "grid must be one to three whole numbers"),
        ({"grid": None}, "grid must be one to three whole numbers"),
        ({"grid": float("nan")}, "grid must be one to three whole numbers"),
        ({"grid": "3"}, "grid must be one to three whole numbers"),
        ({"grid": ()}, "grid must be one to three whole numbers"),
        ({"grid": (1, 1, 1, 1)}, "grid must be one to three whole numbers"),
        ({"grid": 2**31 - 1}, "a grid of 2147483647 blocks is too large to simulate"),
        ({"grid": (2**31 - 1, 65535, 65535)}, "blocks is too large to simulate"),
        ({"grid": 2**70}, "grid.x = 1180591620717411303424 is too large"),
        ({"block": (1, 0)}, "block must be one to three whole numbers"),
        ({"shared_bytes": -4}, "shared_bytes must be at least 0, not -4"),
        ({"shared_bytes": 1.5}, "shared_bytes must be a whole number, not 1.5"),
        ({"shared_bytes": "x"}, "shared_bytes must be a whole number, not 'x'"),
        ({"registers": -3}, "registers must be at least 1, not -3"),
        ({"registers": 0}, "registers must be at least 1, not 0"),
        ({"step_budget": 2**70}, "step_budget must be at most"),
        ({"step_budget": 0}, "step_budget must be at least 1"),
        ({"threads": -1}, "threads must be at least 0"),
        ({"args": replaced(n=float("nan"))}, "parameter 'n' is int: nan is not a whole number"),
        ({"args": replaced(n=float("inf"))}, "parameter 'n' is int: inf is not a whole number"),
        ({"args": replaced(n=2**32)}, "parameter 'n' is int: 4294967296 does not fit"),
        ({"args": replaced(n=3j)}, "pass a number, not complex"),
        ({"args": replaced(n=np.complex64(3))}, "pass a number, not complex64"),
        ({"args": replaced(f=10**400)}, "does not fit"),
        ({"args": replaced(out=wv.Uninitialised(-1, np.int32))}, "the shape of 'out' must be at least 0"),
        ({"args": replaced(out=wv.Uninitialised(10**11, np.int32))}, "need more than 16 GiB"),
        ({"args": replaced(out=wv.Uninitialised(1.5, np.int32))}, "the shape of 'out' must be a whole number"),  # type: ignore[arg-type]
        ({"args": replaced(out=wv.Buffer(np.zeros(4, np.int32), 2**70))}, "the offset into 'out' must be at most"),
        ({"args": replaced(out=wv.Buffer(np.zeros(4, np.int32), -1))}, "the offset into 'out' must be at least 0"),
        ({"args": replaced(out=wv.Buffer(np.zeros(4, np.int32), 5))}, "the offset into 'out' must be at most 4"),
        ({"args": replaced(out=np.array([object()]))}, "an array of Python objects cannot be copied"),
        ({"constants": {"words": np.array([3.0, 4], np.float32)}}, "pass an array of int32, not of float32"),
        ({"constants": {"words": np.arange(4)}}, "'words' is int: pass an array of int32, not of int64"),
        ({"constants": {"words": [1.5]}}, "does not fit int32"),
        ({"constants": {"words": [2**40]}}, "does not fit int32"),
        ({"constants": {"words": None}}, "pass numbers, not None"),
        ({"constants": {"words": "abc"}}, "pass numbers, not 'abc'"),
        ({"constants": {"words": [1, 2, 3, 4, 5]}}, "constant 'words' holds 16 bytes, not 20"),
        ({"constants": {"pairs": [1, 2]}}, "pass a numpy array of its fields"),
        ({"constants": {"vectors": np.zeros(4, np.int32)}}, "pass an array of float32, not of int32"),
    ],
)
@pytest.mark.parametrize("engine", ["profile", "sm"])
def test_an_unfit_value_is_a_launch_error(copy: Program, options: dict[str, Any], message: str, engine: str) -> None:
    with pytest.raises(wv.LaunchError) as caught:
        launch(copy, engine=engine, **options)
    assert message in str(caught.value)


@pytest.mark.parametrize("grid", [np.int64(3), np.array([3, 1]), [np.int32(3)], (3,)])
def test_numpy_integers_are_extents(copy: Program, grid: Any) -> None:
    assert launch(copy, grid=grid).launch.grid == (3, 1, 1)


def test_big_endian_arrays_keep_their_values_and_their_type(copy: Program) -> None:
    run = launch(copy, args=[np.arange(4).astype(">i4"), 1, 0.0])
    assert run.buffers["out"].tolist() == [1, 2, 3, 4]
    assert run.buffers["out"].dtype == np.dtype(">i4")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([7, 8], [7, 8, 0, 0]),
        (np.array([7], ">i4"), [7, 0, 0, 0]),
        (np.array([[1, 2], [3, 4]], np.uint32), [1, 2, 3, 4]),
        ((True, 2.0), [1, 2, 0, 0]),
    ],
)
def test_constants_have_the_type_of_their_variable(copy: Program, values: Any, expected: list[int]) -> None:
    assert launch(copy, constants={"words": values}).buffers["out"].tolist() == expected


def test_constants_of_vector_and_struct_type(copy: Program) -> None:
    vectors = [(0, 0, 0, 0), (0, 5, 0, 0)]
    assert launch(copy, constants={"vectors": vectors}).buffers["out"].tolist() == [5] * 4
    pair = np.dtype([("a", np.int32), ("b", np.float64)], align=True)
    pairs = np.array([(1, 2), (3, 4)], pair)
    assert launch(copy, constants={"pairs": pairs}).buffers["out"].tolist() == [3] * 4


def test_a_float_beyond_the_range_is_infinite_as_in_c(copy: Program) -> None:
    run = launch(copy, args=[np.zeros(4, np.int32), 0, 1e300])
    assert run.buffers["out"].tolist() == [2**31 - 1] * 4


def test_a_progress_callback_that_returns_nothing_does_not_cancel(copy: Program) -> None:
    seen: list[tuple[int, int]] = []
    run = launch(copy, grid=64, progress=lambda done, total: seen.append((done, total)))
    assert run.counters["blocks_launched"] == 64
    assert seen
    assert {total for _, total in seen} == {64}


@pytest.mark.parametrize("engine", ["profile", "sm"])
def test_printf_calls_that_are_not_kept_are_counted(engine: str) -> None:
    program = wv.compile(PROGRAM, kernel="chatter")
    run = wv.simulate(program, 40, 32, [np.zeros(4, np.int32)], engine=engine)
    assert len(run.output) == 4096
    assert run.output_dropped == 40 * 32 * 10 - 4096
    few = wv.simulate(program, 1, 32, [np.zeros(4, np.int32)], engine=engine)
    assert (len(few.output), few.output_dropped) == (320, 0)


def test_a_resource_that_is_not_used_sets_no_limit(copy: Program) -> None:
    assert launch(copy, device="c2050").counters["limit_blocks_shared"] is None
    assert launch(copy, device="c2050", shared_bytes=1024).counters["limit_blocks_shared"] == 48
    assert launch(copy, device="h200").counters["limit_blocks_shared"] == 32  # in 32 KiB, 1 of each block
