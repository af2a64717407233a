"""A file of the user's opens with the launches of its host code, or launches made up."""

from __future__ import annotations

from pathlib import Path

from warpview.ui.session.own_file import open_file

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


def test_a_file_that_does_not_compile_opens_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "broken.cu"
    path.write_text("__global__ void k(int *a) { a[0] = ; }")
    variant = open_file(path)
    assert variant.text.startswith("__global__")
    assert len(variant.presets) == 1
