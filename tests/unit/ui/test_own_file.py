"""A file of the user's: its kernels with the launches of its host code, or launches made up."""

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


def test_a_file_that_does_not_compile_opens_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "broken.cu"
    path.write_text("__global__ void k(int *a) { a[0] = ; }")
    variant = open_file(path)
    assert variant.text.startswith("__global__")
    assert len(variant.presets) == 1
