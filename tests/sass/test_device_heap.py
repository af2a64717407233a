"""Device code allocates memory, gives it back, and makes objects with virtual functions in it."""

from __future__ import annotations

import numpy as np
import pytest
from support.compilers import COMPILERS
from support.tiers import representatives

import warpview as wv
from warpview.sass import nvrtc

ENGINES = ["sm", "profile"]

FORMS = """
struct Pair { int a; float b; __device__ Pair() : a(7), b(1) {} __device__ Pair(int x, float y) : a(x), b(y) {} };
struct Plain { int a; float b; };
struct Preset { int a = 11; int b = 2; };
__global__ void forms(int *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    Pair *given = new Pair(t, 2.0f);
    Pair *standard = new Pair;
    Plain *listed = new Plain{t, 1.0f};
    Preset *preset = new Preset;
    int *one = new int(5), **pointers = new int *[2];
    int *array = new int[5], *zeros = new int[4]();
    Pair *pairs = new Pair[2];
    float *raw = (float *)malloc(3 * sizeof(float));
    __shared__ char place[64 * sizeof(Pair)];
    Pair *placed = new (place + threadIdx.x * sizeof(Pair)) Pair(3, 4.0f);
    for (int k = 0; k < 5; k++) array[k] = k + t;
    pointers[1] = one;
    raw[2] = 3;
    out[t] = given->a + (int)given->b + standard->a + listed->a + preset->a + *pointers[1] + array[4] + zeros[3]
        + pairs[1].a + (int)raw[2] + placed->a;
    delete given; delete standard; delete listed; delete preset; delete one; delete[] pointers;
    delete[] array; delete[] zeros; delete[] pairs; free(raw); free(nullptr);
}"""
N = 128
EXPECTED = 3 * np.arange(N) + 2 + 7 + 11 + 5 + 4 + 0 + 7 + 3 + 3


@pytest.mark.sample(2)
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("engine", ENGINES)
def test_every_form_gives_an_object_of_its_own(compiler: str, engine: str) -> None:
    program = wv.compile(FORMS, compiler=compiler, device="h200")
    run = wv.simulate(program, 2, 64, [np.zeros(N, np.int32)], device="h200", engine=engine)
    assert run.buffers["out"].tolist() == EXPECTED.tolist()
    assert run.findings == ()


@pytest.mark.parametrize("device", representatives(["c2050", "k40"], ["c2050"]))
def test_older_devices_allocate_too(device: str) -> None:
    run = wv.simulate(wv.compile(FORMS), 2, 64, [np.zeros(N, np.int32)], device=device)
    assert run.buffers["out"].tolist() == EXPECTED.tolist()


LIMITS = """
__global__ void limits(unsigned long long *out, int bytes, int rounds) {
    for (int k = 0; k < rounds; k++) {
        int *p = (int *)malloc(bytes);
        if (p != nullptr) p[0] = k;
        out[k * blockDim.x + threadIdx.x] = (unsigned long long)p;
        __syncthreads();
        free(p);
    }
}"""


def addresses(compiler: str, bytes: int, rounds: int, heap: int) -> np.ndarray:
    program = wv.compile(LIMITS, compiler=compiler, device="h200", defines={"WARPVIEW_HEAP_BYTES": heap})
    run = wv.simulate(program, 1, 32, [np.zeros(32 * rounds, np.uint64), bytes, rounds], device="h200")
    assert run.findings == ()
    return np.asarray(run.buffers["out"]).reshape(rounds, 32)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_blocks_are_aligned_apart_and_used_again(compiler: str) -> None:
    found = addresses(compiler, 100, 3, 1 << 16)
    assert not (found % 16).any()
    assert np.diff(np.sort(found[0])).min() >= 100
    assert (found == found[0]).all()  # each thread gets its last block back


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_full_heap_gives_null_pointers(compiler: str) -> None:
    # A block of 1,000 bytes takes 1,024 with its header: 16 fit into 16 KiB.
    assert np.count_nonzero(addresses(compiler, 1000, 1, 1 << 14)) == 16
    assert not addresses(compiler, 1 << 20, 1, 1 << 14).any()


# Of macros, headers and members of the user's with names that the heap has, too.
BESIDE = {
    "macros": "#define T float\n#define size 7\n#define next 4\n"
    "__global__ void k(int *o) { int *p = new int[2]; p[1] = 5; *o = p[1]; delete[] p; }",
    "header": "#include <type_traits>\n"
    "__global__ void k(int *o) { int *p = new int[2]; p[1] = 5; *o = std::is_arithmetic<int>::value * p[1]; free(p); }",
    "members": "struct Pool { int n; __device__ int *malloc(int a, int b) { n = a + b; return &n; }\n"
    "__device__ void free(int *p, int q) { *p = q; } };\n"
    "__global__ void k(int *o) { Pool s; *o = *s.malloc(2, 3); s.free(&s.n, 1); }",
}


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("beside", BESIDE)
def test_names_of_the_program_do_not_meddle_with_the_heap(beside: str, compiler: str) -> None:
    program = wv.compile(BESIDE[beside], compiler=compiler, device="h200")
    assert wv.simulate(program, 1, 1, [np.zeros(1, np.int32)], device="h200").buffers["o"].tolist() == [5]


PASSED_ON = """
__global__ void passed_on(int *out) {
    __shared__ int *blocks[32];
    blocks[threadIdx.x] = (int *)malloc(1000);
    __syncthreads();
    if (threadIdx.x == 0)
        for (int k = 0; k < 32; k++) free(blocks[k]);
    __syncthreads();
    int *again = (int *)malloc(1000);
    out[threadIdx.x] = again != nullptr;
    if (again) again[0] = threadIdx.x;
}"""


@pytest.mark.parametrize("compiler", COMPILERS)
def test_what_one_lane_gives_back_others_get_once_the_heap_is_full(compiler: str) -> None:
    program = wv.compile(PASSED_ON, compiler=compiler, device="h200", defines={"WARPVIEW_HEAP_BYTES": 32 << 10})
    run = wv.simulate(program, 1, 32, [np.zeros(32, np.int32)], device="h200")
    assert run.buffers["out"].tolist() == [1] * 32
    assert run.findings == ()


VIRTUAL = """
struct Shape { float a; __device__ Shape(float x) : a(x) {} __device__ virtual float area() const = 0; };
struct Square : Shape {
    __device__ Square(float x) : Shape(x) {}
    __device__ float area() const override { return a * a; }
};
struct Disc : Shape { __device__ Disc(float x) : Shape(x) {} __device__ float area() const override; };
__device__ float Disc::area() const { return 3 * a * a; }
__global__ void areas(float *out, int n) {
    Shape **shapes = new Shape *[n];
    for (int k = 0; k < n; k++) shapes[k] = (k + threadIdx.x) % 2 ? (Shape *)new Disc(k) : (Shape *)new Square(k);
    float sum = 0;
    for (int k = 0; k < n; k++) sum += shapes[k]->area();
    out[threadIdx.x] = sum;
}"""


@pytest.mark.parametrize("compiler", ["warpview", "nvrtc"])
def test_virtual_functions_run(compiler: str) -> None:
    if compiler == "nvrtc" and not nvrtc.is_installed():
        pytest.skip("NVRTC is not installed")
    program = wv.compile(VIRTUAL, "areas", compiler=compiler, device="h200")
    run = wv.simulate(program, 1, 32, [np.zeros(32, np.float32), 5], device="h200")
    areas = np.arange(5) ** 2 * np.where((np.arange(5) + np.arange(32)[:, None]) % 2, 3, 1)
    assert run.buffers["out"].tolist() == areas.sum(axis=1).tolist()
    assert run.findings == ()
