"""Whole programs whose kernels run as NVIDIA's machine code."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.tiers import leaving_out

import warpview as wv
from warpview.devices import load_device
from warpview.diagnostics import SourceText
from warpview.run.cuda_source import CudaSource
from warpview.run.device_source import DeviceSource, device_source
from warpview.sass import nvrtc

HERE = Path(__file__).parent
RECORDED = json.loads((HERE / "h200_outputs.json").read_text(encoding="utf-8"))["programs"]
PROGRAM = """#include <vector>
#include <cstdint>
#include "mine.h"
using namespace std;
#define N 64
VARIABLE
static std::vector<int> numbers(int n) {
    return std::vector<int>(n, 3);  // host code
}
__device__ uint32_t twice(uint32_t x) { return 2 * x; }
__global__ void add(uint32_t *p) { p[threadIdx.x] += OPERAND; }
int main() {
    std::vector<int> host = numbers(N);
    uint32_t *p;
    cudaMalloc(&p, N * sizeof(uint32_t));
    cudaMemcpy(p, host.data(), N * sizeof(uint32_t), cudaMemcpyHostToDevice);
    add<<<1, N>>>(p);
    cudaMemcpy(host.data(), p, N * sizeof(uint32_t), cudaMemcpyDeviceToHost);
    cudaFree(p);
    return host[5];
}
"""

HOMEWORK = """#include <cassert>
#include <cstdio>
__device__ int total, unused = 3;
__global__ void add(int n) {
    assert(n > 0);
    if (threadIdx.x < n) atomicAdd(&total, 1);
    if (threadIdx.x == 1) printf("from %d: %s\\n", n, "text");
}
int main() {
    add<<<1, 32>>>(5);
    add<<<1, 32>>>(6);
    cudaDeviceSynchronize();
    int found;
    cudaMemcpyFromSymbol(&found, total, sizeof found);
    printf("%d in two launches\\n", found);
    return 0;
}
"""

VARIABLES = """#include <cstdio>
__device__ int total, table[4] = {1, 2, 3, 4};
__constant__ float scale[2];
__managed__ int flag = 2;
struct A { __device__ virtual int value(int x) const { return x; } };
struct B : A { __device__ int value(int x) const override { return 2 * x; } };
typedef int (*Operation)(int);
__device__ int next(int x) { return x + 1; }
__device__ int twice(int x) { return 2 * x; }
__device__ Operation operations[2] = {next, twice};
__global__ void pick(Operation *to) { *to = operations[1]; }
__global__ void count(int *to) { static __device__ int calls; *to = atomicAdd(&calls, 64) + 64; }
__global__ void k(float *out, Operation f) {
    int i = threadIdx.x;
    atomicAdd(&total, i);
    A a; B b;
    const A *p = &a;
    if (i % 2 == 0) p = &b;
    out[i] = table[i % 4] * scale[i % 2] + p->value(i) + operations[i % 2](i) + flag + f(i);
}
int main() {
    float *out, host[64], scales[2] = {0.5f, 2}, sum = 0;
    int numbers[4] = {5, 6, 7, 8}, *calls, found;
    Operation first, *place, second;
    cudaMalloc(&out, 256); cudaMalloc(&place, 8); cudaMalloc(&calls, 4);
    cudaMemcpyToSymbol(table, numbers, sizeof numbers);
    cudaMemcpyToSymbol(scale, scales, sizeof scales);
    flag = 10;
    for (int k = 0; k < 2; ++k) {
        count<<<1, 1>>>(calls);
        cudaMemcpy(&found, calls, 4, cudaMemcpyDeviceToHost);
        printf("%d ", found);
    }
    cudaMemcpyFromSymbol(&first, operations, sizeof first);
    pick<<<1, 1>>>(place);
    cudaMemcpy(&second, place, 8, cudaMemcpyDeviceToHost);
    k<<<1, 64>>>(out, first);
    k<<<1, 64>>>(out, second);
    cudaMemcpy(host, out, 256, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++) sum += host[i] * (i + 1);
    cudaMemcpyFromSymbol(&found, total, 4);
    cudaDeviceSynchronize();
    printf("%g %d %d", sum, found, flag);
    cudaFree(out); cudaFree(place); cudaFree(calls);
}
"""

ATOMICS = r"""#include <cstdio>
#include <cuda/atomic>
struct Shared { cuda::atomic<int, cuda::thread_scope_system> n; };
__global__ void count(Shared *s, int *o) { s->n.fetch_add(1); cuda::atomic_ref<int, cuda::thread_scope_device>(*o)++; }
int main() {
    Shared *s; int *o;
    cudaMallocManaged(&s, sizeof *s); cudaMalloc(&o, 4); cudaMemset(o, 0, 4);
    s->n.store(5, cuda::std::memory_order_relaxed);
    count<<<4, 64>>>(s, o);
    cudaDeviceSynchronize();
    int h; cudaMemcpy(&h, o, 4, cudaMemcpyDeviceToHost);
    printf("%d %d\n", s->n.load(), h);
    cudaFree(s); cudaFree(o);
}
"""


def written(program, variable, operand):
    path = program(PROGRAM.replace("VARIABLE", variable).replace("OPERAND", operand))
    path.with_name("mine.h").write_text("#define OFFSET 4\n")
    return path


def test_host_code_is_blanked_and_lines_stay(program):
    path = written(program, "", "twice(OFFSET)")
    source = SourceText(str(path), path.read_text())
    device = device_source(CudaSource(source, folder=path.parent))
    before, after = source.text.splitlines(), device.text.text.splitlines()
    assert len(before) == len(after)
    assert device.macros == {}
    assert all(a == b or not a.strip() for a, b in zip(after, before, strict=True))
    assert device.headers == {nvrtc.PREAMBLE: "namespace std {}\n"}
    kept = [b for a, b in zip(after, before, strict=True) if a.strip()]
    assert not [line for line in kept if "main" in line or "host" in line or "<vector>" in line]
    assert [line for line in kept if "__global__" in line or "__device__" in line or "mine.h" in line] == [
        before[k] for k in (2, 9, 10)
    ]


CLASSES_OF_THE_HOST = """#include <cstdio>
#include <memory>
struct Deleter { void operator()(float *p) const { cudaFree(p); } };
class Tensor {
    std::unique_ptr<float, Deleter> data;
  public:
    explicit Tensor(int n) { float *p; cudaMalloc(&p, n * sizeof(float)); data.reset(p); }
    float *get() const { return data.get(); }
};
struct Double { __device__ static float of(float x) { return 2 * x; } };
template <class F> __global__ void apply(float *x) { x[threadIdx.x] = F::of(threadIdx.x); }
template <class F> struct Layer {
    Tensor weights;
    Layer() : weights(32) {}
    void run() { apply<F><<<1, 32>>>(weights.get()); }
};
struct Net { Layer<Double> layer; };
int main() {
    Net net;
    float values[32];
    net.layer.run();
    cudaMemcpy(values, net.layer.weights.get(), sizeof values, cudaMemcpyDeviceToHost);
    printf("%g\\n", values[21]);
}
"""


@pytest.mark.parametrize("compiler", ["warpview", "nvrtc"])
def test_classes_of_the_host_are_hidden_from_nvidias_compiler(tmp_path, compiler):
    file = tmp_path / "layers.cu"
    file.write_text(CLASSES_OF_THE_HOST)
    assert wv.run_program(file, compiler=compiler).output == "42\n"


def test_a_file_without_host_code_and_its_headers_stays_as_it_is():
    source = SourceText("k.cu", "#include <cuda_fp16.h>\n__global__ void k(float *p) { *p = sqrtf(*p); }\n")
    assert device_source(CudaSource(source)) == DeviceSource(source)


def test_what_nvcc_declares_without_an_include_comes_with_a_file():
    text = "__global__ void k(float *p, uint32_t n) { p[threadIdx.x] = n > 3 ? NAN : (float)INT_MAX; }\n"
    program = wv.compile(text, compiler="nvrtc", device="h200")
    for n, expected in ((4, np.nan), (3, 2.0**31)):
        run = wv.simulate(program, 1, 32, [np.zeros(32, np.float32), n], device="h200")
        np.testing.assert_array_equal(run.buffers["p"], np.full(32, expected, np.float32))


FOR_BOTH = """#include <cstdint>
struct Counter {
    int count;
    __host__ static void make(int *);
    __host__ Counter *copied() const;
    __host__ __device__ int get() const { return count; }
};
__host__ void show(const Counter &);
__global__ void k(int *out, Counter counter) {
    out[0] = counter.get();
    out[1] = (int)(ssize_t)-3 + (int)(reinterpret_cast<uintptr_t>(out + 1) & 7);
}
"""


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
def test_declarations_for_the_host_and_types_of_its_system_are_no_hindrance():
    program = wv.compile(FOR_BOTH, compiler="nvrtc", device="h200")
    run = wv.simulate(program, 1, 1, [np.zeros(2, np.int32), {"count": 3}], device="h200")
    assert run.buffers["out"].tolist() == [3, 1]


HEADER = """#pragma once
#include <iostream>
#include <vector>
#include "types.h"
__device__ inline uint32_t twice(uint32_t x) { return 2 * x + ZERO; }
inline void show(const std::vector<int> &v) { for (int x : v) std::cout << x; }
"""


def test_headers_of_the_user_lose_their_host_code_too(tmp_path):
    """A header is included by its name, the host's headers that it includes are not, what has none of them stays."""
    (tmp_path / "util.cuh").write_text(HEADER)
    (tmp_path / "types.h").write_text("#include <cstdint>\n#define ZERO 0\n")
    (tmp_path / "plain.h").write_text("__device__ int one() { return 1; }\n")
    text = (
        '#include "util.cuh"\n#include "plain.h"\n__global__ void k(unsigned *a) { a[threadIdx.x] = twice(one()); }\n'
    )
    source = SourceText(str(tmp_path / "k.cu"), text)
    device = device_source(CudaSource(source, folder=tmp_path))
    assert device.text == source
    assert set(device.headers) == {"util.cuh", "types.h", nvrtc.PREAMBLE}
    kept = [line for line in device.headers["util.cuh"].splitlines() if line.strip()]
    assert kept == ["#pragma once", '#include "types.h"', HEADER.splitlines()[4]]
    assert device.headers["types.h"].strip() == "#define ZERO 0"


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
def test_a_kernel_that_needs_a_header_with_host_code_is_compiled(tmp_path):
    (tmp_path / "util.cuh").write_text(HEADER)
    (tmp_path / "types.h").write_text("#include <cstdint>\n#define ZERO 0\n")
    (tmp_path / "k.cu").write_text('#include "util.cuh"\n__global__ void k(unsigned *a) { *a = twice(*a); }\n')
    for device in ("h200", "c2050"):  # machine code, and PTX
        program = wv.compile(tmp_path / "k.cu", compiler="nvrtc", device=device)
        assert wv.simulate(program, 1, 1, [np.array([21], np.uint32)], device=device).buffers["a"].tolist() == [42]


def test_there_are_two_compilers(program):
    with pytest.raises(wv.WarpviewError, match="there is no compiler 'gcc'"):
        wv.run_program(program("int main() {}"), compiler="gcc")


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
class TestMachineCode:
    @pytest.mark.parametrize(
        "name",
        leaving_out(
            [
                "matmul_tiled",
                "reduction_shuffle",
                "histogram",
                "complex_numbers",
                "curand_device",
                "managed_list",
                "managed_objects",
                "launch_api",
                "function_pointers",
                "ray_tracer",
                "virtual_destructors",
                "clusters",
                "cpp_classes",
                "long_numbers",
            ],
            ("matmul_tiled", "managed_objects", "launch_api", "ray_tracer"),
        ),
    )
    def test_a_program_prints_what_the_hardware_printed(self, name):
        result = wv.run_program(HERE / "programs" / f"{name}.cu", compiler="nvrtc", timed=False)
        assert result.output == RECORDED[name]["output"]
        assert result.exit_code == RECORDED[name]["exit_code"]
        assert all(record.program.native is not None for record in result.launches)

    def test_headers_types_and_macros(self, program):
        result = wv.run_program(written(program, "", "twice(OFFSET) + (INT_MAX & 1)"), compiler="nvrtc", timed=False)
        assert result.exit_code == 3 + 8 + 1

    def test_a_launch_is_opened_and_compiled_otherwise(self, program):
        path = written(program, "", "twice(OFFSET)")
        (record,) = wv.run_program(path, timed=False).launches
        source = SourceText(str(path), path.read_text())
        run = record.with_source(source, compiler="nvrtc").open("profile")
        assert run.program.native is not None
        assert run.buffers["p"].tolist() == record.run.buffers["p"].tolist()

    def test_variables_of_the_device_lie_in_the_memory_of_the_program(self, program):
        unused = written(program, "const int unused = 5;", "unused")
        assert wv.run_program(unused, compiler="nvrtc", timed=False).exit_code == 8
        used = written(program, "__device__ uint32_t counter = 40;", "atomicAdd(&counter, 1)")
        codes = {c: wv.run_program(used, compiler=c, timed=False).exit_code for c in ("warpview", "nvrtc")}
        assert codes["nvrtc"] == codes["warpview"] >= 40

    @pytest.mark.parametrize("compiler", ["warpview", "nvrtc"])
    def test_atomics_of_libcupp_are_shared_with_the_host(self, program, compiler):
        result = wv.run_program(program(ATOMICS), compiler=compiler, timed=False)
        assert (result.exit_code, result.output) == (0, "261 256\n")
        assert not result.runs[0].findings

    @pytest.mark.parametrize("compiler", ["warpview", "nvrtc"])
    def test_launches_share_variables_and_print(self, program, compiler):
        result = wv.run_program(program(HOMEWORK), compiler=compiler, timed=False)
        assert result.exit_code == 0
        assert result.output.splitlines() == ["from 5: text", "from 6: text", "11 in two launches"]
        assert "memory not freed" not in [f.kind for f in result.host_findings]  # its string literals are warpview's

    def test_an_empty_struct_is_a_parameter_without_a_value(self, program):
        text = """
            #include <cstdio>
            struct Twice { __host__ __device__ int operator()(int x) const { return 2 * x; } };
            template <typename F> __global__ void apply(int *p, F f, int by) { p[threadIdx.x] = f(threadIdx.x) + by; }
            int main() {
                int *p, last;
                cudaMalloc(&p, 128);
                apply<<<1, 32>>>(p, Twice(), 7);
                cudaMemcpy(&last, p + 31, 4, cudaMemcpyDeviceToHost);
                cudaFree(p);
                return last;
            }
        """
        assert wv.run_program(program(text), compiler="nvrtc", timed=False).exit_code == 69

    def test_a_device_without_machine_code(self, program):
        unknown = replace(load_device("b200"), sass=0)
        with pytest.raises(wv.WarpviewError, match="cannot be run"):
            wv.run_program(written(program, "", "1"), compiler="nvrtc", device=unknown, timed=False)

    @pytest.mark.parametrize("device", ["gtx480", "v100"])
    def test_variables_of_a_program_have_their_places_in_ptx(self, program, device):
        ptx = wv.run_program(program(VARIABLES), compiler="nvrtc", device=device, timed=False)
        assert ptx.output == wv.run_program(program(VARIABLES), compiler="nvrtc", timed=False).output
        assert ptx.output == "64 128 476560 4032 10"

    def test_a_managed_variable_does_not_keep_pointers_to_functions_from_their_values(self, program):
        assert wv.run_program(program(VARIABLES), timed=False).output == "64 128 476560 4032 10"

    def test_an_older_device_runs_the_ptx(self, program):
        path = written(program, "const int unused = 5;", "unused")
        run = wv.run_program(path, compiler="nvrtc", device="gtx480", timed=False)
        assert run.exit_code == 8
        assert run.runs[0].program.native is None
        assert ("compiler", "nvrtc") in run.runs[0].program.options


CONSTANTS = """#include <cstdio>
#include <cuda/std/ratio>
#include "tables.h"
constexpr int squares[5] = {0, 1, 4, 9, 16};
template <int... I> struct Table { static constexpr int v[sizeof...(I)] = {3 * I...}; };
template <class T> constexpr T primes[4] = {T(2), T(3), T(5), T(7)};
static __device__ int hits;
__global__ void kernel(int *out) {
    int t = threadIdx.x;
    static constexpr int local[3] = {10, 20, 30};
    out[t] = Steps::of[t & 3] + Table<0, 1, 2>::v[t % 3] + primes<int>[t & 3] + squares[t % 5] + local[t % 3];
    atomicAdd(&hits, 1);
}
__global__ void again(int *out) { out[threadIdx.x] += hits * 1000 + squares[threadIdx.x % 5]; }
int main() {
    int *out;
    cudaMallocManaged(&out, 32 * sizeof(int));
    kernel<<<1, 32>>>(out);
    again<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    for (int t = 0; t < 32; t += 7) printf("%d ", out[t]);
    cudaFree(out);
}
"""


@pytest.mark.parametrize("compiler", ["warpview", "nvrtc"])
def test_constants_of_classes_templates_and_functions(compiler, tmp_path):
    (tmp_path / "tables.h").write_text("struct Steps { static constexpr int of[4] = {100, 200, 300, 400}; };\n")
    path = tmp_path / "constants.cu"
    path.write_text(CONSTANTS)
    result = wv.run_program([path], compiler=compiler)
    squares = [0, 1, 4, 9, 16]
    expected = [
        (100, 200, 300, 400)[t & 3] + 3 * (t % 3) + (2, 3, 5, 7)[t & 3] + 2 * squares[t % 5] + 10 * (1 + t % 3) + 32000
        for t in range(0, 32, 7)
    ]
    assert [int(x) for x in result.output.split()] == expected


def test_a_finding_names_memory_of_the_program_and_no_constant_of_the_compiler(tmp_path):
    path = tmp_path / "race.cu"
    path.write_text(
        "__device__ int marks[4] = {1, 2, 3, 4};\n"
        "__global__ void race(int *sums) { sums[0] += marks[threadIdx.x & 3]; }\n"
        "int main() { int *sums; cudaMallocManaged(&sums, 8); race<<<2, 64>>>(sums); cudaDeviceSynchronize(); }\n"
    )
    for compiler in ("warpview", "nvrtc"):
        (record,) = wv.run_program([path], compiler=compiler).launches
        messages = [finding.message for finding in record.run.findings if "race" in str(finding.kind)]
        assert messages
        assert all("sums[0]" in message and "marks" not in message for message in messages)


def test_host_code_that_cannot_be_read_does_not_keep_kernels_from_being_compiled(tmp_path):
    path = tmp_path / "unread.cu"
    path.write_text(
        "#include <fstream>\n#include <memory>\n#include <vector>\n"
        "struct A { int a; };\nstruct Pair : virtual A { int b; };\n"
        "struct File { std::ofstream out; std::vector<int> v; static File open(const char *name); };\n"
        "struct Free { void operator()(void *p) const { cudaFree(p); } };\n"
        "template <class T> using owned = std::unique_ptr<T[], Free>;\n"
        "template <class T> owned<T> make(size_t n) { T *p; cudaMalloc(&p, n * sizeof(T)); return owned<T>(p); }\n"
        "__global__ void k(unsigned long long *p) {\n"
        "    Pair j;\n    j.a = 3;\n    j.b = 4;\n    p[1] = (p[0] >> 1) + j.a * j.b - 12;\n}\n"
        "int main() {\n"
        "    auto p = make<unsigned long long>(2);\n"
        "    unsigned long long h[2] = {1ull << 63, 0};\n"
        "    cudaMemcpy(p.get(), h, 16, cudaMemcpyHostToDevice);\n"
        "    k<<<1, 1>>>(p.get());\n"
        "    cudaMemcpy(h, p.get(), 16, cudaMemcpyDeviceToHost);\n"
        "    return h[1] == 1ull << 62 ? 7 : 1;\n}\n"
    )
    assert wv.run_program([path], compiler="nvrtc").exit_code == 7
    with pytest.raises(wv.CompileError, match="virtual base classes are not supported"):
        wv.run_program([path])


def test_an_uninitialised_read_that_may_not_matter_is_a_warning(tmp_path):
    path = tmp_path / "padding.cu"
    path.write_text(
        "__global__ void sums(const float *x, float *y, int n) {\n"
        "    __shared__ float s[64];\n"
        "    int i = threadIdx.x;\n"
        "    if (i < n) s[i] = x[i];\n"
        "    __syncthreads();\n"
        "    float before = i ? s[i - 1] : 0;\n"
        "    __syncthreads();\n"
        "    s[i] += before;\n"
        "    __syncthreads();\n"
        "    if (i < n) y[i] = s[i];\n}\n"
    )
    arrays = {"x": np.ones(50, np.float32), "y": np.zeros(50, np.float32), "n": 50}
    as_written = wv.simulate(wv.compile(path), 1, 64, arrays, device="h200")
    assert as_written.findings == ()
    native = wv.simulate(wv.compile(path, compiler="nvrtc", device="h200"), 1, 64, arrays, device="h200")
    assert {(f.kind, f.severity) for f in native.findings} == {("uninitialised read", "warning")}
    assert "whether the value matters is not followed" in native.findings[0].message


def test_functions_of_cmath_need_no_include(tmp_path):
    path = tmp_path / "maths.cu"
    path.write_text(
        "__global__ void k(float *x, int n) { x[threadIdx.x] = std::sqrt(x[threadIdx.x]) + std::abs(-n); }\n"
    )
    x = np.arange(32, dtype=np.float32)
    for program in (wv.compile(path), wv.compile(path, compiler="nvrtc", device="h200")):
        run = wv.simulate(program, 1, 32, [x.copy(), 2], device="h200")
        np.testing.assert_allclose(run.buffers["x"], np.sqrt(x) + 2, rtol=1e-6)


def test_function_objects_with_the_base_classes_of_thrust(tmp_path):
    path = tmp_path / "functors.cu"
    path.write_text(
        "#include <thrust/device_vector.h>\n#include <thrust/functional.h>\n#include <thrust/transform.h>\n"
        "template <class T> struct Twice : public thrust::unary_function<T, T> {\n"
        "    __host__ __device__ T operator()(T x) const { return 2 * x; }\n};\n"
        "__global__ void k(int *p) { p[threadIdx.x] = Twice<int>()(p[threadIdx.x]); }\n"
        "int main() {\n"
        "    thrust::device_vector<int> v(32, 3);\n"
        "    thrust::transform(v.begin(), v.end(), v.begin(), Twice<int>());\n"
        "    k<<<1, 32>>>(thrust::raw_pointer_cast(v.data()));\n"
        "    return v[5];\n}\n"
    )
    assert [wv.run_program([path], compiler=c).exit_code for c in ("warpview", "nvrtc")] == [12, 12]
