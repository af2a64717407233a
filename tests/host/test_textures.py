"""Textures and surfaces: what the host part may ask for, and references of before CUDA 12. What fetches give is held by
the programs texture_modes, texture_shapes and texture_image, which were recorded on an H200."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpview as wv
from warpview.isa.ops import Op
from warpview.isa.types import Type
from warpview.trace.caption import caption
from warpview.ui.moving.elements import arrays_of
from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.views.context import FrameContext
from warpview.ui.views.lanes.operands_model import Computation, computation

PROGRAMS = Path(__file__).parent / "programs"

OBJECTS = """#include <cstdio>
__global__ void first(cudaTextureObject_t t, float *to) { to[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x); }
int main() {
    cudaResourceDesc resource = {};
    cudaTextureDesc description = {};
    cudaTextureObject_t texture;
    cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>(), ints = cudaCreateChannelDesc<int>();
    cudaArray_t array;
    float *memory;
    cudaMalloc(&memory, 4096);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = floats;
    resource.res.linear.sizeInBytes = 4096;
STATEMENTS
    return 0;
}
"""
MAKE = 'printf("%s\\n", cudaGetErrorName(cudaCreateTextureObject(&texture, &resource, &description, nullptr)));'
ARRAY = "resource.resType = cudaResourceTypeArray; resource.res.array.array = array;"

REFERENCES = """#include <cstdio>
namespace images {
texture<float, 2, cudaReadModeElementType> image;
}
static texture<unsigned char, 2, cudaReadModeNormalizedFloat> bytes;
typedef texture<int> List;
List list;
using Written = surface<void, cudaSurfaceType2D>;
Written result;
#define N 16
__global__ void add(float *to) {
    int x = threadIdx.x, y = threadIdx.y;
    float sum = tex2D(images::image, x + 0.25f, y + 0.5f) + tex2D(bytes, x + 0.5f, y + 0.5f);
    to[y * N + x] = sum + tex1Dfetch(list, x - 2);
    surf2Dwrite(to[y * N + x], result, x * (int)sizeof(float), y);
}
int main() {
    float values[N * N], *to, written[N * N];
    unsigned char b[N * N];
    int l[N], *on_device;
    for (int i = 0; i < N * N; ++i) values[i] = i, b[i] = i;
    for (int i = 0; i < N; ++i) l[i] = 1000 * i;
    cudaArray *a, *c, *r;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>(), u = cudaCreateChannelDesc<unsigned char>();
    cudaMallocArray(&a, &f, N, N);
    cudaMallocArray(&c, &u, N, N);
    cudaMallocArray(&r, &f, N, N, cudaArraySurfaceLoadStore);
    cudaMemcpyToArray(a, 0, 0, values, sizeof values, cudaMemcpyHostToDevice);
    cudaMemcpyToArray(c, 0, 0, b, sizeof b, cudaMemcpyHostToDevice);
    cudaMalloc(&on_device, sizeof l);
    cudaMemcpy(on_device, l, sizeof l, cudaMemcpyHostToDevice);
    cudaMalloc(&to, sizeof values);
    images::image.filterMode = cudaFilterModeLinear;
    cudaBindTextureToArray(images::image, a, f);
    cudaBindTextureToArray(bytes, c);
    cudaBindTexture(0, list, on_device);
    cudaBindSurfaceToArray(result, r);
    add<<<1, dim3(N, N)>>>(to);
    cudaMemcpy(values, to, sizeof values, cudaMemcpyDeviceToHost);
    cudaMemcpyFromArray(written, r, 0, 0, sizeof written, cudaMemcpyDeviceToHost);
    for (int i : {0, 3, 37, 255}) printf("%.3f %.3f\\n", values[i], written[i]);
    cudaUnbindTexture(images::image);
    cudaUnbindTexture(bytes);
    cudaUnbindTexture(list);
    cudaFreeArray(a), cudaFreeArray(c), cudaFreeArray(r), cudaFree(to), cudaFree(on_device);
}
"""


def ran(tmp_path, text, **settings):
    file = tmp_path / "textures.cu"
    file.write_text(text)
    return wv.run_program(file, **settings)


def printed(tmp_path, statements):
    return ran(tmp_path, OBJECTS.replace("STATEMENTS", statements)).output.split()


# Each as an H200 answers it.
REFUSED = [
    (MAKE, "cudaSuccess"),
    ("resource.res.linear.devPtr = memory + 1;" + MAKE, "cudaErrorInvalidValue"),
    ("description.filterMode = cudaFilterModeLinear;" + MAKE, "cudaSuccess"),
    (
        "cudaMallocArray(&array, &ints, 8, 8); description.filterMode = cudaFilterModeLinear;" + ARRAY + MAKE,
        "cudaErrorInvalidFilterSetting",
    ),
    (
        "cudaMallocArray(&array, &ints, 8, 8); description.readMode = cudaReadModeNormalizedFloat;" + ARRAY + MAKE,
        "cudaErrorInvalidNormSetting",
    ),
    ('printf("%s", cudaGetErrorName(cudaMallocArray(&array, &floats, 0, 0)));', "cudaErrorInvalidValue"),
    (
        "cudaChannelFormatDesc threes = cudaCreateChannelDesc<float3>();"
        'printf("%s", cudaGetErrorName(cudaMallocArray(&array, &threes, 8, 8)));',
        "cudaErrorInvalidChannelDescriptor",
    ),
    (
        "cudaMallocArray(&array, &floats, 16, 24); float rows[24 * 17];"
        'printf("%s", cudaGetErrorName(cudaMemcpy2DToArray(array, 0, 0, rows, 64, 68, 24, cudaMemcpyHostToDevice)));',
        "cudaErrorInvalidPitchValue",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("statements", "answer"), REFUSED)
def test_the_runtime_answers_as_an_h200_does(tmp_path, statements, answer):
    assert printed(tmp_path, statements) == [answer]


def test_linear_memory_is_read_within_its_size(tmp_path):
    statements = """
    float values[32], *to;
    for (int i = 0; i < 32; ++i) values[i] = i + 1;
    cudaMemcpy(memory, values, sizeof values, cudaMemcpyHostToDevice);
    cudaMalloc(&to, 64 * sizeof(float));
    resource.res.linear.sizeInBytes = 20 * sizeof(float);
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    first<<<1, 32>>>(texture, to);
    cudaMemcpy(values, to, sizeof values, cudaMemcpyDeviceToHost);
    printf("%g %g %g\\n", values[0], values[19], values[20]);
    """
    assert printed(tmp_path, statements) == ["1", "20", "0"]


def test_an_array_that_is_not_freed_is_found(tmp_path):
    result = ran(tmp_path, OBJECTS.replace("STATEMENTS", "cudaMallocArray(&array, &floats, 8, 8); cudaFree(memory);"))
    found = [(f.kind, f.message) for f in result.host_findings]
    assert found == [("memory not freed", "'array' (256 bytes) is never freed")]


def test_an_array_that_was_freed_is_no_array(tmp_path):
    statements = "cudaMallocArray(&array, &floats, 8, 8); cudaFreeArray(array); cudaFreeArray(array); cudaFree(memory);"
    result = ran(tmp_path, OBJECTS.replace("STATEMENTS", statements))
    assert ("invalid array", "the array 'array' was freed in line 15 already") in [
        (f.kind, f.message) for f in result.host_findings
    ]


@pytest.mark.parametrize(
    ("device", "compiler"),
    [("c2050", "warpview"), pytest.param("h200", "warpview", marks=pytest.mark.exhaustive), ("h200", "nvrtc")],
)
def test_references_are_bound_to_memory(tmp_path, device, compiler):
    result = ran(tmp_path, REFERENCES, device=device, compiler=compiler)
    # A quarter of a texel left of its centre, clamped at the edge; a byte over 255; an element two to the left.
    expected = [
        (i, max(i % 16 - 0.25, 0) + i // 16 * 16 + i / 255 + 1000 * max(i % 16 - 2, 0)) for i in (0, 3, 37, 255)
    ]
    assert result.output.split("\n")[:-1] == [f"{value:.3f} {value:.3f}" for _, value in expected]
    assert not result.host_findings


def operands(run: Any, op: Op) -> Computation:
    """Return the operands of the first instruction of a kind, as the view of values shows them."""
    trace = run.trace
    step = next(s for s in range(1, trace.steps + 1) if run.program.instructions[trace.event(s).pc].op is op)
    found = computation(FrameContext(run, trace.frame(step), Snapshot(step=step)))
    assert found is not None
    return found


def test_a_fetch_by_a_literal_of_what_nobody_has_written(tmp_path: Path) -> None:
    """The finding is at the fetch, and the literal is shown as the number that it is."""
    statements = f"""
    cudaMallocArray(&array, &floats, 8, 8);
    {ARRAY}
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    first<<<1, 32>>>(texture, memory);
    """
    source = OBJECTS.replace("tex1Dfetch<float>(t, threadIdx.x)", "tex2D<float>(t, 2.5f, threadIdx.x)")
    run = ran(tmp_path, source.replace("STATEMENTS", statements)).launches[0].open()
    assert [(f.kind, f.span.line) for f in run.findings] == [("uninitialised read", 2)]
    _, across, down = operands(run, Op.TEX).sources
    assert (across.told, down.values.tolist()) == ("2.5", list(range(32)))


def test_what_lies_behind_an_object_is_an_array_of_the_launch() -> None:
    """By the names of the kernel's parameters, in the shapes of the images; a surface holds what the kernel wrote."""
    launches = wv.run_program(PROGRAMS / "texture_image.cu", device="h200").launches
    rotated, sobel = (launch.open() for launch in launches)
    coordinates = {row.type for row in operands(rotated, Op.TEX).sources[1:]}
    assert coordinates == {Type.F32}, "not the bits that the instruction takes"
    arrays = arrays_of(rotated, 0)
    assert [array.name for array in arrays] == ["tex", "out"], "neither the object nor the array that it reads"
    tex = arrays[0]
    assert (tex.dims, tex.kind) == ((64, 64), Type.F32)
    row, column = np.divmod(np.arange(64 * 64), 64)
    image = np.where((column // 8 + row // 8) % 2, 1.0, column / 64)
    assert rotated.trace is not None
    assert np.array_equal(rotated.trace.global_values(0, tex.base, tex.count, np.float32), image.astype(np.float32))

    arrays = arrays_of(sobel, 0)[:2]
    assert [(array.name, array.dims, array.kind) for array in arrays] == [
        (n, (64, 64), Type.U8) for n in ("tex", "out")
    ]
    assert sobel.trace is not None
    out = arrays[1]
    assert not sobel.trace.global_values(0, out.base, out.count, np.uint8).any()
    edges = sobel.trace.global_values(sobel.trace.steps, out.base, out.count, np.uint8).reshape(64, 64)
    traced = {block for block, _, _ in sobel.trace.blocks}
    inner = [(y, x) for y in range(1, 63) for x in range(1, 63) if y // 8 * 8 + x // 8 in traced]
    assert inner
    assert [int(edges[place]) for place in inner] == [_sobel(*place) for place in inner]


def _sobel(y: int, x: int) -> int:
    """The edge at a pixel of the image that texture_image.cu makes."""

    def grey(row: int, column: int) -> int:
        return 200 if (column - 32) ** 2 + (row - 32) ** 2 < 400 else 2 * column

    weights = ((-1, 1), (0, 2), (1, 1))
    across = sum(w * (grey(y + k, x + 1) - grey(y + k, x - 1)) for k, w in weights)
    down = sum(w * (grey(y - 1, x + k) - grey(y + 1, x + k)) for k, w in weights)
    return min(255, abs(across) + abs(down))


FETCH = """
__global__ void fetch(float *to, cudaTextureObject_t image) { to[threadIdx.x] = tex1Dfetch<float>(image, threadIdx.x); }
int main() {
    float *to, *texels;
    cudaMalloc(&to, 128);
    cudaMalloc(&texels, 128);
    cudaMemset(texels, 0, 128);
    cudaResourceDesc resource = {};
    cudaTextureDesc description = {};
    cudaTextureObject_t image;
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = texels;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 128;
    cudaCreateTextureObject(&image, &resource, &description, nullptr);
    fetch<<<1, 32>>>(to, image);
    return cudaDeviceSynchronize();
}
"""


def test_a_fetch_is_told(tmp_path: Path) -> None:
    (tmp_path / "fetch.cu").write_text(FETCH)
    run = wv.run_program(tmp_path / "fetch.cu").launches[0].open()
    assert run.trace is not None
    frames = (run.trace.frame(step) for step in range(1, run.trace.steps + 1))
    said = [caption(frame, run.program, run.device) for frame in frames]
    assert sum("fetches from a texture" in words for words in said) == 1
    assert any("writes 32 consecutive words of `to`" in words for words in said)
    assert run.counters["texture_requests"] == 4
    assert run.counters["global_ld_requests"] == 0


OWN_NAMES = """#include <cstdio>
__device__ float surface(float x) { return x * x; }
class texture {
    float scale;
public:
    __host__ __device__ texture(float s) : scale(s) {}
    __host__ __device__ float value(float x) const { return scale * x; }
};
__global__ void shade(texture t, float *to) { to[threadIdx.x] = t.value(surface(threadIdx.x)); }
int main() {
    float *to, written[4];
    cudaMalloc(&to, sizeof written);
    shade<<<1, 4>>>(texture(2), to);
    cudaMemcpy(written, to, sizeof written, cudaMemcpyDeviceToHost);
    printf("%g %g\\n", written[3], texture(3).value(1));
}
"""


def test_texture_and_surface_are_names_like_any_other_where_there_are_no_references(tmp_path: Path) -> None:
    path = tmp_path / "shade.cu"
    path.write_text(OWN_NAMES)
    assert wv.run_program(path, device="h200").output == "18 3\n"
