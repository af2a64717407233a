"""A file of the user's opens with the launches of its host code, or launches made up."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from warpview.isa.ops import Op
from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.session.backend import Setup
from warpview.ui.session.engine import Engine
from warpview.ui.session.own_file import open_file
from warpview.ui.views.arrays.arrays_model import TileCache, pictures
from warpview.ui.views.context import FrameContext
from warpview.ui.views.lanes import lane_values_model

SOURCE = """
template <int N> __global__ void scale(const float *in, float *out, int n) { out[threadIdx.x] = N * in[threadIdx.x]; }
__global__ void fill(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
int main() {
    float *a, *b;
    scale<3><<<2, 64>>>(a, b, 128);
    return 0;
}
"""


def test_every_kernel_has_a_launch(tmp_path: Path) -> None:
    path = tmp_path / "mine.cu"
    path.write_text(SOURCE)
    variant = open_file(path)
    scale, fill = variant.presets
    assert (scale.entry, scale.grid, scale.block) == ("scale<3>", (2, 1, 1), (64, 1, 1))
    assert scale.arguments == {"in": "iota:128", "out": "zeros:128", "n": "128"}
    assert (fill.entry, fill.grid, fill.block) == ("fill", (4, 1, 1), (128, 1, 1))
    assert variant.entry == "scale<3>"


ROW_SUMS = """
#define ROWS 32
template <typename T, int BLOCK> __global__ void rowSum(const T *x, T *y, int rows, int cols) {
    int r = blockIdx.x * BLOCK + threadIdx.x;
    if (r < rows) { T s = 0; for (int c = 0; c < cols; ++c) s += x[r * cols + c]; y[r] = s; }
}
__global__ void saxpy(int n, float a, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    const int m = 1 << 9;
    rowSum<float, 64><<<1, 64>>>(x, y, ROWS, 64);
    saxpy<<<2, 256>>>(m, 2.0f, x, y);
    saxpy<<<4, 256>>>(n, -2.5f, x, y);
}
"""


def test_constants_of_a_launch_are_taken_and_what_is_unknown_is_left_to_ask(tmp_path: Path) -> None:
    path = tmp_path / "rows.cu"
    path.write_text(ROW_SUMS)
    rows, saxpy = open_file(path).presets
    assert rows.arguments == {"x": "iota:2048", "y": "zeros:2048", "rows": "32", "cols": "64"}
    assert "assumed: buffers of 2048 elements" in rows.title
    assert saxpy.arguments == {"n": "512", "a": "2.0", "x": "iota:512", "y": "zeros:512"}
    path.write_text(ROW_SUMS.replace("saxpy<<<2, 256>>>(m, 2.0f, x, y);", ""))
    assert open_file(path).presets[1].arguments == {"a": "-2.5", "x": "iota:1024", "y": "zeros:1024"}


VIEW = """
struct View { float *data; int n; };
__global__ void fill(View view, float x) { if (threadIdx.x < view.n) view.data[threadIdx.x] = x; }
"""


def test_fields_of_a_struct_are_arguments_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "view.cu"
    path.write_text(VIEW)
    assert open_file(path).presets[0].arguments == {"view.data": "zeros:512", "view.n": "512", "x": "1.0"}
    path.write_text(VIEW + "int main() { View v; fill<<<1, 64>>>(v, 2.0f); }")
    assert open_file(path).presets[0].arguments == {"view.data": "zeros:64", "x": "2.0"}


HALVES = """#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void scale(const half *in, half2 *pairs, const __nv_bfloat16 *b, half by, float *out) {
    __shared__ half tile[64];
    half h = in[threadIdx.x];
    tile[threadIdx.x] = h * by;
    __syncthreads();
    out[threadIdx.x] = __half2float(tile[63 - threadIdx.x]) + __bfloat162float(b[threadIdx.x]);
    if (threadIdx.x < 32) pairs[threadIdx.x] = __halves2half2(h, tile[threadIdx.x]);
}
"""


def test_halves_and_bfloat16_are_made_up_and_shown_as_numbers(tmp_path: Path) -> None:
    path = tmp_path / "halves.cu"
    path.write_text(HALVES)
    variant = open_file(path)
    (preset,) = variant.presets
    assert preset.arguments["by"] == "1.0"
    preset = replace(preset, grid=(1, 1, 1), block=(64, 1, 1), arguments={**preset.arguments, "by": "0.5"})
    setup = Setup(variant.key, variant.text, variant.file_name, variant.entry, "h200").with_preset(preset)
    run = Engine().trace(setup, lambda *_: True)
    events = (run.trace.event(step) for step in range(1, run.trace.steps + 1))
    h = next(variable for variable in run.program.variables if variable.name == "h")
    before = next(event for event in events if run.program.instructions[event.pc].op is Op.ST)

    def at(step: int) -> FrameContext:
        return FrameContext(run, run.trace.frame(step), Snapshot(step=step, block=0, warp=before.warp), False)

    shown = {each.array.name: each for each in pictures(at(run.trace.steps), TileCache(run.program))}
    assert [shown[name].text(0, 3) for name in ("in", "b", "tile")] == ["3", "3", "1.5"]
    assert (shown["tile"].title, shown["pairs"].text(*shown["pairs"].shape.place(7) or ())) == (
        "__half tile[64]",
        "1.5",
    )
    strip = lane_values_model.strip(at(before.step), h)
    assert strip is not None
    assert (h.ctype, [float(text) for text in strip.texts]) == ("__half", [32.0 * before.warp + k for k in range(32)])


def test_a_file_that_does_not_compile_opens_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "broken.cu"
    path.write_text("__global__ void k(int *a) { a[0] = ; }")
    variant = open_file(path)
    assert variant.text.startswith("__global__")
    assert len(variant.presets) == 1
