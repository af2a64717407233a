"""Mipmaps, gradients, offsets in texels and gathers with offsets give an H200's bits, as written and as machine code.

``data/mipmaps_h200.npz`` has what the first 256 points of each launch of ``mipmaps.cu`` gave on an H200 (CUDA
13.0.88, driver 580.159): one row a launch, in their order, and the kernel of each.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from warpview.host import run_program
from warpview.sass import nvrtc

HERE = Path(__file__).parent
RECORDED = np.load(HERE / "data" / "mipmaps_h200.npz")
# Of the level that gradients choose the hardware's last bits are not known: it is at most two steps of 256 away.
GRADIENTS = {"grad1": 46, "grad2": 546, "grad3": 136, "grad2l": 128}  # results that differ, of each kernel
OF_VOLUME = "K(grad3, tex3DGrad<float>(t, p.x, p.y, p.z, G4(p)))"  # a call of the driver's in machine code
compiled = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")


def program(folder: Path, compiler: str) -> Path:
    """Return the program, of machine code without the gradients in a volume."""
    text = (HERE / "mipmaps.cu").read_text()
    assert OF_VOLUME in text
    if compiler == "nvrtc":
        text = text.replace(OF_VOLUME, "K(grad3, tex3D<float>(t, p.x, p.y, p.z))")
    (folder / "mipmaps.cu").write_text(text)
    return folder / "mipmaps.cu"


@cache
def results(folder: Path, device: str, compiler: str) -> list[np.ndarray[Any, Any]]:
    """Return what each launch of the program gives, which runs once for all tests of it."""
    found = run_program(program(folder, compiler), device=device, compiler=compiler)
    assert found.output == ""
    return [np.asarray(launch.open("profile").buffers["to"]).view(np.uint32).reshape(-1) for launch in found.launches]


DEVICES = [
    "h200",
    *(pytest.param(device, marks=pytest.mark.exhaustive) for device in ("t4", "a100", "b200", "rtx5090", "v100")),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mipmaps")


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("compiler", ["warpview", pytest.param("nvrtc", marks=[compiled, pytest.mark.exhaustive])])
def test_levels_and_offsets_are_those_of_an_h200(folder: Path, device: str, compiler: str) -> None:
    found = results(folder, device, compiler)
    assert len(found) == len(RECORDED["results"]) == 249
    differing: dict[str, int] = defaultdict(int)
    for ours, real, kernel in zip(found, RECORDED["results"], RECORDED["kernels"], strict=True):
        if kernel != "grad3" or compiler == "warpview":
            differing[str(kernel)] += int((ours != real).sum())
    expected = {kernel: count for kernel, count in GRADIENTS.items() if kernel in differing}
    assert {kernel: count for kernel, count in differing.items() if count} == expected


def test_levels_by_gradients_are_two_steps_off_at_most(folder: Path) -> None:
    """Textures whose texels are the number of their level show the level itself."""
    found = results(folder, "h200", "warpview")
    for launch in (*range(180, 188), *range(190, 198)):
        ours, real = (row.view(np.float32) for row in (found[launch], RECORDED["results"][launch]))
        assert np.abs(ours - real).max() <= 2 / 256


SMALL = r"""
#include <cstdio>
#include <vector>
__global__ void k(cudaTextureObject_t t, float *to) {
    int i = threadIdx.x;
    float x = i / 13.0f, y = i / 29.0f, a, b, c, d, level = i / 24.0f;
    asm volatile("tex.level.2d.v4.f32.f32 {%0,%1,%2,%3},[%4,{%5,%6}],%7,{3,-2};"
                 : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(t), "f"(x), "f"(y), "f"(level));
    to[i] = tex2DLod<float>(t, x, y, level) + 3 * a + 5 * tex2D<float>(t, y, x);
}
int main() {
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t mipmap;
    cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(16, 8, 0), 4);
    for (int level = 0, n = 0; level < 4; ++level) {
        cudaArray_t array;
        cudaGetMipmappedArrayLevel(&array, mipmap, level);
        int width = 16 >> level, height = 8 >> level;
        std::vector<float> texels(width * height);
        for (float &texel : texels) texel = (n++ * 37) % 101;
        cudaMemcpy2DToArray(array, 0, 0, texels.data(), 4 * width, 4 * width, height, cudaMemcpyHostToDevice);
    }
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = mipmap;
    cudaTextureDesc description = {};
    description.normalizedCoords = 1;
    description.filterMode = description.mipmapFilterMode = cudaFilterModeLinear;
    description.maxMipmapLevelClamp = 3;
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    float *to;
    cudaMalloc(&to, 96 * sizeof(float));
    k<<<1, 96>>>(texture, to);
    cudaFree(to);
    cudaFreeMipmappedArray(mipmap);
}
"""


@compiled
def test_machine_code_fetches_from_levels_as_code_that_is_written(tmp_path: Path) -> None:
    (tmp_path / "small.cu").write_text(SMALL)
    written, native = (
        np.asarray(
            run_program(tmp_path / "small.cu", device="h200", compiler=compiler).launches[0].open().buffers["to"]
        )
        for compiler in ("warpview", "nvrtc")
    )
    assert len(set(written.tolist())) > 40
    np.testing.assert_array_equal(written.view(np.uint32), native.view(np.uint32))
