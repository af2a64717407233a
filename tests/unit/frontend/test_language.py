"""The parts of CUDA C++ that lectures use mean what they mean in C++."""

from __future__ import annotations

import numpy as np
import pytest
from support.kernels import compute, program_of, run

from warpview.diagnostics import CompileError
from warpview.isa.ops import Op
from warpview.isa.types import Space

I = np.arange(32)  # noqa: E741


def check(body: str, expected: object, file: str = "") -> None:
    np.testing.assert_array_equal(compute(body, file), np.broadcast_to(np.asarray(expected), 32))


@pytest.mark.parametrize("name", ["signed", "unsigned", "short", "__int64", "bool", "float", "double"])
def test_a_conversion_in_parentheses_is_no_cast(name: str) -> None:
    check(f"out[i] = ({name}(1)) + i;", 1 + I)


class TestFunctions:
    def test_early_return(self) -> None:
        file = "__device__ int sign(int x) { if (x < 0) return -1; if (x > 0) return 1; return 0; }"
        check("out[i] = sign(i - 16);", np.sign(I - 16), file)

    def test_return_in_a_loop(self) -> None:
        file = "__device__ int root(int x) { for (int r = 0; ; ++r) if (r * r >= x) return r; }"
        check("out[i] = root(i);", np.ceil(np.sqrt(I)), file)

    def test_references(self) -> None:
        file = "__device__ void swap2(int& a, int& b) { int t = a; a = b; b = t; }"
        check("int a = i, b = 7; swap2(a, b); out[i] = a * 100 + b;", 700 + I, file)

    def test_pointers_to_locals(self) -> None:
        file = "__device__ void step(int* x, int by = 2) { *x += by; }"
        check("int a = i; step(&a); step(&a, 5); out[i] = a;", I + 7, file)

    def test_overloads(self) -> None:
        file = """
        __device__ int which(int) { return 1; }
        __device__ int which(float) { return 2; }
        __device__ int which(double) { return 3; }
        __device__ int which(const int*) { return 4; }
        __device__ int which(unsigned, int) { return 5; }
        """
        body = "out[i] = which(1) * 10000 + which(1.f) * 1000 + which(1.) * 100 + which(out) * 10 + which(1u, 2);"
        check(body, 12345, file)

    def test_a_function_may_be_declared_within_a_block(self) -> None:
        file = """
        template <class T> struct Room { __device__ T* place() { extern __device__ void missing(void); missing(); } };
        template <> struct Room<int> { __device__ int* place() { extern __shared__ int room[]; return room; } };
        __device__ int after(int n) { extern __device__ int next(int n); return next(n); }
        __device__ int next(int n) { return n + 1; }
        """
        check("Room<int> r; int* s = r.place(); out[i] = after(i) + (s == r.place());", I + 2, file)

    def test_parameters_are_copies(self) -> None:
        file = "__device__ int twice(int x) { x *= 2; return x; }"
        check("int a = i; int b = twice(a); out[i] = a * 100 + b;", I * 102, file)

    def test_by_value_of_a_changing_variable(self) -> None:
        file = "__device__ int after(int x, int& y) { y += 10; return x; }"
        check("int a = i; int b = after(a, a); out[i] = b * 100 + a;", I * 100 + I + 10, file)

    def test_shared_memory_of_an_inlined_function_is_one(self) -> None:
        file = "__device__ int* place() { __shared__ int s[4]; return s; }"
        check("place()[0] = 5; __syncthreads(); out[i] = place()[0] + (place() == place());", 6, file)

    def test_recursion_over_templates(self) -> None:
        file = """
        template <int N> __device__ int fact() { return N * fact<N - 1>(); }
        template <> __device__ int fact<0>() { return 1; }
        """
        check("out[i] = fact<5>();", 120, file)


class TestTemplates:
    def test_deduction_and_defaults(self) -> None:
        file = """
        template <typename T, int N = 3> __device__ T times(T x) { return x * N; }
        template <typename T, size_t N> __device__ int length(T (&a)[N]) { return N; }
        """
        check("int a[7]; a[0] = 1; out[i] = times(i) + times<int, 5>(i) + length(a) + times(2.5f);", I * 8 + 14, file)

    def test_explicit_specialisation_and_if_constexpr(self) -> None:
        file = """
        template <typename T> __device__ int kind() { return 0; }
        template <> __device__ int kind<float>() { return 1; }
        template <typename T> __device__ T half(T x) {
            if constexpr (sizeof(T) == 8) { return x / 2; } else { return x * T(0.5f); }
        }
        """
        check("out[i] = kind<int>() + 10 * kind<float>() + (int)half(8.0) + (int)half(6.0f);", 17, file)

    def test_struct_templates(self) -> None:
        file = """
        template <typename T, int N> struct Vec {
            T v[N];
            __device__ T sum() const { T s = 0; for (int k = 0; k < N; ++k) s += v[k]; return s; }
            __device__ T& operator[](int k) { return v[k]; }
        };
        template <typename T, int N> __device__ int total(const Vec<T, N>& x) { return x.sum() * N; }
        """
        check("Vec<int, 3> x; x[0] = i; x[1] = 2; x.v[2] = 3; out[i] = x.sum() * 1000 + total(x);",
              (I + 5) * 1003, file)  # fmt: skip

    def test_functors_and_lambdas(self) -> None:
        file = """
        struct Add { int by; __device__ int operator()(int x) const { return x + by; } };
        template <typename F> __device__ int apply(F f, int x) { return f(x); }
        """
        body = """
        int k = 3;
        auto by_value = [=](int x) { return x * k; };
        auto by_reference = [&](int x) { k += x; };
        auto generic = [](auto x, auto y) { return x + y; };
        k = 4;
        by_reference(2);
        out[i] = apply(Add{5}, i) + apply(by_value, i) * 100 + k * 100000 + generic(1, 2.0f);
        """
        check(body, I + 5 + I * 300 + 600000 + 3, file)

    def test_kernel_templates(self) -> None:
        text = """template <typename T, unsigned N, bool up = true> __global__ void k(T* out) {
            out[threadIdx.x] = up ? T(N) / 2 : -T(N);
        }"""
        assert run(text, [np.zeros(32, np.float32)], "k<float, 5>")["out"][0] == 2.5
        assert run(text, [np.zeros(32, np.int32)], "k<int, 5u, false>")["out"][0] == -5
        assert program_of(text, "k<float, 5>").kernel == "k<float, 5, 1>"


class TestStructs:
    FILE = """
    struct Pair { int key; float value; };
    struct Nested { Pair p[2]; char tag; };
    union Bits { float f; unsigned u; };
    struct Init { int a = 3, b; __device__ Init() : b(4) {} __device__ Init(int x) : a(x), b(x + 1) {} };
    """

    def test_by_value_and_copies(self) -> None:
        body = (
            "Pair a = {i, 2.5f}, b = a; b.key += 1; a = b; a.value *= 2; out[i] = a.key * 100 + (int)a.value + b.key;"
        )
        check(body, (I + 1) * 101 + 5, self.FILE)

    def test_nested_members(self) -> None:
        body = "Nested a = {}; a.p[1].key = i; a.tag = 'a'; Nested m = a; out[i] = m.p[1].key + m.p[0].key + m.tag;"
        check(body, I + 97, self.FILE)

    def test_indexed_at_run_time(self) -> None:
        body = "Nested a; a.p[0].key = 5; a.p[1].key = 6; out[i] = a.p[i & 1].key + sizeof(Nested);"
        check(body, 5 + (I & 1) + 20, self.FILE)

    def test_unions(self) -> None:
        check("Bits b; b.f = 1.0f; b.u += zero; out[i] = b.u >> 20;", 0x3F8, self.FILE)

    def test_constructors(self) -> None:
        check("Init x; Init y(i); Init z{7}; out[i] = x.a * 10 + x.b + y.a + y.b + z.b;", 34 + 2 * I + 9, self.FILE)

    def test_through_pointers_and_as_parameters(self) -> None:
        text = """
        struct Pair { int key; double value; };
        struct Config { int offset; Pair scale; float* extra; };
        __global__ void k(Pair* pairs, Config c) {
            int i = threadIdx.x;
            Pair* p = pairs + i;
            p->key = i + c.offset;
            (*p).value = c.scale.value * p->key;
        }"""
        pairs = np.zeros(32, np.dtype([("key", "i4"), ("value", "f8")], align=True))
        program = program_of(text)
        assert [p.field for p in program.params] == ["", ".offset", ".scale.key", ".scale.value", ".extra"]
        assert program.params[0].element_bytes == pairs.itemsize == 16

    def test_vectors(self) -> None:
        file = """
        __device__ float4 operator+(const float4& a, const float4& b) {
            return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
        }
        __device__ float2& operator*=(float2& a, float s) { a.x *= s; a.y *= s; return a; }
        """
        body = """
        float4 v = make_float4(i, 1, 2, 3) + float4{1, 1, 1, 1};
        float2 w = {1, 2}; w *= 3;
        dim3 d(4); uint3 u = {1, 2, 3}; int2 both; both.x = both.y = 2;
        out[i] = v.x + v.w * 100 + w.y * 1000 + d.x + d.y + d.z + u.z + both.x;
        """
        check(body, I + 1 + 400 + 6000 + 6 + 3 + 2, file)


class TestMemory:
    def test_vector_access_is_one_instruction(self) -> None:
        text = """__global__ void k(const float* in, float4* out, int n) {
            int i = threadIdx.x;
            float4 v = reinterpret_cast<const float4*>(in)[i];
            v.x += 1;
            out[i] = v;
        }"""
        program = program_of(text)
        widths = [x.width for x in program.instructions if x.op in (Op.LD, Op.ST)]
        assert widths == [16, 16]
        a = np.arange(128, dtype=np.float32)
        out = run(text, [a, np.zeros(128, np.float32), 0])["out"]
        np.testing.assert_array_equal(out, a + (np.arange(128) % 4 == 0))

    def test_one_member_is_one_word(self) -> None:
        program = program_of(
            "__global__ void k(const float4* in, float* out) { out[threadIdx.x] = in[threadIdx.x].z; }"
        )
        assert [x.width for x in program.instructions if x.op == Op.LD] == [4]

    def test_three_floats_are_three_accesses(self) -> None:
        program = program_of("__global__ void k(const float3* in, float3* out, int i) { out[i] = in[i]; }")
        assert [x.width for x in program.instructions if x.op == Op.LD] == [4, 4, 4]

    def test_an_array_indexed_by_constants_lives_in_registers(self) -> None:
        body = (
            "int a[4]; for (int k = 0; k < 4; ++k) a[k] = i * k; int s = 0; for (int k = 0; k < 4; ++k) s += a[3 - k];"
        )
        check(body + " out[i] = s;", I * 6)
        program = program_of(f"__global__ void k(int* out) {{ int i = threadIdx.x; {body} out[i] = s; }}")
        assert program.local_bytes == 0

    def test_an_array_indexed_at_run_time_lives_in_local_memory(self) -> None:
        body = "int a[8]; for (int k = 0; k < 8; ++k) a[k] = k * k; out[i] = a[i & 7];"
        check(body, (I & 7) ** 2)
        program = program_of(f"__global__ void k(int* out) {{ int i = threadIdx.x; {body} }}")
        assert program.local_bytes == 32
        assert {x.space for x in program.instructions if x.op == Op.LD} == {Space.LOCAL}

    def test_two_dimensions(self) -> None:
        body = """
        __shared__ int tile[4][9]; int local[2][3] = {{1, 2, 3}, {4, 5, 6}};
        tile[i / 8][i % 8] = i; __syncthreads();
        int (*row)[9] = tile; int* flat = &tile[1][0];
        out[i] = tile[3 - i / 8][i % 8] * 100 + local[1][2] + row[0][0] + flat[3] + sizeof(tile) / sizeof(tile[0]);
        """
        check(body, (24 - I // 8 * 8 + I % 8) * 100 + 6 + 11 + 4)

    def test_static_and_dynamic_shared_memory(self) -> None:
        text = """__global__ void k(int* out) {
            extern __shared__ int dynamic[];
            __shared__ int fixed[3];
            int i = threadIdx.x;
            float* second = (float*)&dynamic[32];
            dynamic[i] = i; second[i] = i * 0.5f; if (i < 3) fixed[i] = -1;
            __syncthreads();
            out[i] = dynamic[31 - i] + fixed[i % 3] + (int)second[31 - i];
        }"""
        assert program_of(text).static_shared_bytes == 16  # the dynamic part starts aligned
        out = run(text, [np.zeros(32, np.int32)], shared_bytes=256)["out"]
        np.testing.assert_array_equal(out, 31 - I - 1 + (31 - I) // 2)

    def test_a_pointer_into_several_spaces(self) -> None:
        body = """
        __shared__ int s[32]; s[i] = 100 + i; out[i] = i; __syncthreads();
        int* p = out; if (i & 1) p = s;
        int v = p[i]; __syncthreads(); out[i] = v; p = 0; out[i] += p == nullptr;
        """
        check(body, np.where(I & 1, 100 + I, I) + 1)

    def test_pointer_arithmetic(self) -> None:
        body = """
        __shared__ short s[64];
        short *p = s, *end = s + 64;
        int count = 0;
        for (p += 4; p < end; p += 10) ++count;
        out[i] = count * 100 + (end - s) + (&s[5] - &s[2]) + (p != end) + (*&i == i);
        """
        check(body, 600 + 64 + 3 + 1)

    def test_file_scope_variables(self) -> None:
        file = """
        __constant__ float weights[2][2] = {{1, 2}, {3, 4}};
        __device__ int counter = 5;
        const int N = 4; constexpr float scale = 0.5f * N; static const int squares[3] = {1, 4, 9};
        enum Mode { A, B = 10, C }; enum class Colour : unsigned char { Red = 2 };
        typedef unsigned int word; using real = float;
        static_assert(sizeof(word) == N, "words");
        """
        body = """
        real w = weights[i & 1][1] * scale; word x = C + (int)Colour::Red;
        out[i] = w + x + squares[i % 3] + counter;
        """
        check(body, np.where(I & 1, 8, 4) + 13 + np.array([1, 4, 9])[I % 3] + 5, file)

    @pytest.mark.parametrize("name", ["half", "texture", "surface", "barrier", "pipeline", "wmma", "half2"])
    def test_variables_named_as_types_of_cuda_that_are_not_declared(self, name: str) -> None:
        file = f"struct Pair {{ int {name}; }}; __device__ int last(int {name}) {{ {name} -= 1; return {name}; }}"
        body = f"""
        int {name} = i; {name} ^= 1; out[i] = {name};
        {{ Pair p; p.{name} = 3; __shared__ int {name}[128]; {name}[i] = last(i); out[i] += {name}[i] + p.{name}; }}
        """
        check(body, (I ^ 1) + I + 2, file)

    def test_constant_memory_is_its_own_space(self) -> None:
        file = "__constant__ float c[4] = {1, 2, 3, 4};"
        program = program_of(file + "__global__ void k(float* out, int j) { out[0] = c[j] + c[2]; }")
        assert [x.space for x in program.instructions if x.op == Op.LD] == [Space.CONST] * 2
        assert np.frombuffer(program.constant_bytes, np.float32).tolist() == [1, 2, 3, 4]
        assert program.constant_symbols[0].name == "c"

    def test_read_only_loads(self) -> None:
        text = """__global__ void k(const float* __restrict__ a, const float* b, float* out) {
            out[0] = a[0] + __ldg(b) + b[1];
        }"""
        assert [x.read_only for x in program_of(text).instructions if x.op == Op.LD] == [True, True, False]


class TestPreprocessor:
    def test_macros(self) -> None:
        file = """
        #define SQUARE(x) ((x) * (x))
        #define PASTE(a, b) a##b
        #define COUNT(...) sizeof((int[]){__VA_ARGS__}) / sizeof(int)
        #define MANY(first, ...) first + SUM(__VA_ARGS__)
        #define SUM(a, b) ((a) + (b))
        #define EMPTY
        #define LONG(x) \\
            do { out[i] += x; } \\
            while (0)
        #if defined(SQUARE) && !defined NOTHING && (1 << 3) == 8
        #define CHOSEN 7
        #elif 1
        #error wrong
        #else
        #error wrong
        #endif
        """
        check("int PASTE(va, lue) = SQUARE(i + 1) EMPTY; out[i] = value + CHOSEN + MANY(1, 2, 3); LONG(100);",
              (I + 1) ** 2 + 113, file)  # fmt: skip

    def test_directives_among_the_arguments_of_a_macro(self) -> None:
        statement = """ADDED(i, {
            int x = 5;
        #ifdef OTHER
            x = 1;
        #else
            x *= 2;
        #endif
        #pragma unroll
            for (int k = 0; k < 3; ++k) out[i] += x;
        })"""
        check(statement, I + 30, "#define ADDED(first, ...) out[i] += first; __VA_ARGS__")

    def test_a_macro_does_not_expand_in_itself(self) -> None:
        check("int f = 3; out[i] = f + 1;", 4, "#define f f")

    def test_defines_from_outside(self) -> None:
        program = program_of("__global__ void k(int* out) { out[0] = R * 2; }", defines={"R": 21})
        assert any(42 in program.constants32.values() for _ in [0])

    def test_include_beside_the_file(self, tmp_path: object) -> None:
        from pathlib import Path

        assert isinstance(tmp_path, Path)
        header = "#pragma once\n#define TWO 2\n__device__ int twice(int x) { return x * TWO; }\n"
        (tmp_path / "common.h").write_text(header)
        text = """#include <stdio.h>
        #include "common.h"
        #include "common.h"
        #include "missing.h"
        __global__ void k(int* out) { out[threadIdx.x] = twice(threadIdx.x); }"""
        out = run(text, [np.zeros(32, np.int32)], include_dir=tmp_path)["out"]
        np.testing.assert_array_equal(out, I * 2)


@pytest.mark.parametrize(
    ("pragma", "branches"),
    [("", 1), ("#pragma unroll", 0), ("#pragma unroll 1", 1), ("#pragma unroll 4", 1), ("#pragma unroll 16", 0)],
)
def test_unrolling(pragma: str, branches: int) -> None:
    text = f"""__global__ void k(float* out, const float* in) {{
        float s = 0;
        {pragma}
        for (int k = 0; k < 8; ++k) s += in[k * 32];
        out[threadIdx.x] = s;
    }}"""
    program = program_of(text)
    assert sum(x.op == Op.BRA for x in program.instructions) == branches
    out = run(text, [np.zeros(32, np.float32), np.arange(256, dtype=np.float32)])["out"]
    assert out[0] == 32 * 28


@pytest.mark.parametrize(
    ("text", "branches"), [('_Pragma("unroll")', 0), ("EACH", 0), ("EVERY(4)", 1), ('_Pragma("unroll") EACH', 0)]
)
def test_unrolling_by_the_operator(text: str, branches: int) -> None:
    text = f"""#define EACH _Pragma("unroll")
    #define TEXT(x) #x
    #define EVERY(n) _Pragma(TEXT(unroll n))
    __global__ void k(float* out, const float* in) {{
        float s = 0; _Pragma("nv_diag_suppress 177") {text} for (int k = 0; k < 8; ++k) s += in[k * 32];
        out[threadIdx.x] = s;
    }}"""
    assert sum(x.op == Op.BRA for x in program_of(text).instructions) == branches


def test_a_pragma_operator_without_a_string_is_refused() -> None:
    with pytest.raises(CompileError, match="_Pragma takes a string"):
        program_of("__global__ void k() { _Pragma(unroll) for (;;); }")


def test_short_circuit_guards_an_access() -> None:
    text = (
        "__global__ void k(const int* a, int* out, int n) { int i = threadIdx.x; if (i < n && a[i] > 2) out[i] = 1; }"
    )
    out = run(text, [np.arange(10, dtype=np.int32), np.zeros(32, np.int32), 10])["out"]
    np.testing.assert_array_equal(out, (I > 2) & (I < 10))


def test_host_code_is_skipped_and_its_launches_found() -> None:
    from warpview.diagnostics import SourceText
    from warpview.frontend import kernels_in

    text = """
    #include <vector>
    #define CHECK(x) do { if (x) exit(1); } while (0)
    template <int B> __global__ void k(float* a) { a[threadIdx.x] = B; }
    template <typename T> class Timer { std::vector<T> v; public: ~Timer() { v.clear(); } };
    static std::map<int, std::string> names = {{1, "x"}};
    int helper(std::vector<float>& v) { for (auto& x : v) x = 1; return v.size() >> 1; }
    int main(int argc, char** argv) {
        const int n = 1 << 10, threads = 64;
        dim3 block(threads, 2), grid((n + block.x - 1) / block.x);
        k<64><<<grid, block, threads * sizeof(float)>>>(a);
        CHECK(cudaGetLastError());
        k<128><<<argc, 128>>>(a);
        auto f = [&]() { return R"(")"; };
    }"""
    (info,) = kernels_in(SourceText("t.cu", text))
    assert info.name == "k"
    assert info.template == ("int B",)
    assert [(x.kernel, x.grid, x.block, x.shared_bytes) for x in info.launches] == [
        ("k<64>", (16, 1, 1), (64, 2, 1), 256),
        ("k<128>", None, (128, 1, 1), 0),
    ]


class TestCourseCode:
    """Idioms of course repositories and vendors' samples."""

    def test_shared_memory_by_a_converting_struct(self) -> None:
        text = """
        template <class T> struct SharedMemory {
            __device__ inline operator T*() { extern __shared__ int memory[]; return (T*)memory; }
            __device__ inline operator const T*() const { extern __shared__ int memory[]; return (T*)memory; }
        };
        template <> struct SharedMemory<double> {
            __device__ inline operator double*() { extern __shared__ double doubles[]; return doubles; }
        };
        template <typename T> __global__ void k(T* out) {
            T* s = SharedMemory<T>();
            s[threadIdx.x] = threadIdx.x;
            __syncthreads();
            out[threadIdx.x] = s[31 - threadIdx.x];
        }"""
        for dtype, name in ((np.float32, "float"), (np.float64, "double"), (np.int32, "int")):
            out = run(text, [np.zeros(32, dtype)], f"k<{name}>", shared_bytes=256)["out"]
            np.testing.assert_array_equal(out, 31 - I)

    def test_types_by_specialised_structs(self) -> None:
        file = """
        template <typename T> struct vec { typedef float Type; };
        template <> struct vec<int> { typedef int3 Type; };
        template <typename T> struct vec<T*> { using Type = T; static const int stars = 1; };
        template <typename T> __device__ typename vec<T>::Type make(T x) {
            typename vec<T>::Type r = {x, 2, 3};
            return r;
        }
        """
        check("vec<short*>::Type s = 5; out[i] = make(i).z * 100 + s + vec<int**>::stars;", 306, file)

    def test_built_in_variables_in_a_device_function(self) -> None:
        file = "__device__ int rank() { return threadIdx.x + blockDim.x * 100 + warpSize; }"
        check("out[i] = rank();", I + 3232, file)

    def test_a_multi_dimensional_parameter(self) -> None:
        text = """
        #define n 4
        __global__ void relax(int k, int D[n][n]) {
            int i = threadIdx.x, j = threadIdx.y;
            if (D[i][j] > D[i][k] + D[k][j]) D[i][j] = D[i][k] + D[k][j];
        }"""
        d = np.array([[0, 9, 1, 9], [9, 0, 9, 1], [9, 1, 0, 9], [1, 9, 9, 0]], np.int32)
        expected = np.minimum(d, d[:, 2:3] + d[2:3, :])
        np.testing.assert_array_equal(run(text, [2, d], block=(4, 4))["D"], expected)

    def test_atomics_by_compare_and_swap(self) -> None:
        text = """
        __device__ float atomicMax(float* address, float value) {
            int* bits = (int*)address;
            int old = *bits, assumed;
            do {
                assumed = old;
                old = atomicCAS(bits, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
            } while (assumed != old);
            return __int_as_float(old);
        }
        __global__ void k(float* m, int* count) {
            atomicMax(m, threadIdx.x * 0.5f);
            atomicMax(count, (int)threadIdx.x);
        }"""
        result = run(text, [np.zeros(1, np.float32), np.zeros(1, np.int32)])
        assert result["m"][0] == 15.5
        assert result["count"][0] == 31

    def test_constants_of_the_source_are_folded(self) -> None:
        file = """
        constexpr int depth(int n) { return n <= 1 ? 0 : 1 + depth(n / 2); }
        const int offsets[3] = {5, -6, 7}; constexpr float weights[2] = {0.5f, 2};
        """
        body = """
        int s = 0, a[depth(1024)]; dim3 where = threadIdx;
        #pragma unroll
        for (int k = 0; k < 3; ++k) s += offsets[k];
        const char* text = "abc";
        assert(s == 6 && "sum");
        out[i] = s + weights[1] * 10 + sizeof(a) + offsets[i % 3] + text[i % 3] + where.x;
        """
        offsets = np.array([5, -6, 7])[I % 3]
        check(body, 6 + 20 + 40 + offsets + 97 + I % 3 + I, file)

    def test_alignment_of_shared_arrays(self) -> None:
        text = """__global__ void k(float4* out) {
            __shared__ char odd[5];
            __shared__ __align__(16) float s[4];
            odd[0] = 1; s[threadIdx.x] = threadIdx.x;
            __syncthreads();
            out[threadIdx.x] = *reinterpret_cast<float4*>(s);
        }"""
        assert run(text, [np.zeros(16, np.float32)], block=4)["out"].tolist() == [0, 1, 2, 3] * 4

    def test_structs_with_host_functions(self) -> None:
        text = """
        struct Lock {
            int* mutex;
            Lock() { cudaMalloc((void**)&mutex, sizeof(int)); std::cout << "made"; }
            ~Lock() { cudaFree(mutex); }
            enum { TRIES = 3 };
            __device__ void lock() { while (atomicCAS(mutex, 0, 1) != 0) ; }
            __device__ void unlock() { __threadfence(); atomicExch(mutex, 0); }
        };
        __global__ void k(Lock lock, int* out) {
            if (threadIdx.x == 0) { lock.lock(); *out += Lock::TRIES; lock.unlock(); }
        }"""
        result = run(text, [{"mutex": np.zeros(1, np.int32)}, np.full(1, 4, np.int32)])
        assert result["out"][0] == 7

    def test_a_matrix_by_value(self) -> None:
        text = """
        typedef struct { int width, stride; float* elements; } Matrix;
        __device__ Matrix part(Matrix a, int row, int col) {
            Matrix sub;
            sub.width = 4; sub.stride = a.stride; sub.elements = &a.elements[a.stride * 4 * row + 4 * col];
            return sub;
        }
        __global__ void k(Matrix a, float* out) {
            Matrix sub = part(a, 1, 1);
            out[threadIdx.y * 4 + threadIdx.x] = sub.elements[threadIdx.y * sub.stride + threadIdx.x];
        }"""
        a = np.arange(64, dtype=np.float32).reshape(8, 8)
        matrix = {"width": 8, "stride": 8, "elements": a}
        out = run(text, [matrix, np.zeros(16, np.float32)], block=(4, 4))["out"]
        np.testing.assert_array_equal(out, a[4:, 4:].ravel())

    def test_intermediate_results_that_are_indexed_at_run_time(self) -> None:
        file = """
        struct B { int v[4]; };
        struct A { int v[4]; __device__ A(int x) { for (int k = 0; k < 4; k++) v[k] = x + k; } };
        __device__ B make(int x) { B b = {{x, 1, 2, 3}}; return b; }
        __device__ B either(int x) { B b = {}; if (x > 2) { b.v[0] = 9; return b; } b.v[1] = x; return b; }
        """
        body = """
        int j = i & 3;
        int* p = i > 7 ? out : nullptr;
        out[i] = A(i).v[j] + make(i).v[j] * 100 + B{{5, 6, 7, i}}.v[j] * 10000 + either(i).v[j] * 1000000;
        if (p) p[i] += (p == out);
        """
        j = I & 3
        expected = I + j
        expected = expected + np.where(j == 0, I, j) * 100 + np.where(j == 3, I, 5 + j) * 10000
        expected = expected + np.where(I > 2, (j == 0) * 9, (j == 1) * I) * 1000000 + (I > 7)
        check(body, expected, file)

    def test_vector_arithmetic_by_the_usual_header(self) -> None:
        body = """
        float3 a = make_float3(i, 1, 2), b = make_float3(1.0f);
        a += b * 2; float4 c = make_float4(a / 2, 1) - make_float4(0.5f);
        out[i] = dot(a, b) * 100 + c.x * 2 + clamp(i, 3, 5) + length(make_float2(3, 4)) + cross(a, b).x;
        """
        expected = (I + 2 + 3 + 4) * 100 + (I + 2) - 1 + np.clip(I, 3, 5) + 5 - 1
        check(body, expected, '#include "helper_math.h"')

    def test_a_block_reduction_with_a_marked_lambda(self) -> None:
        text = """
        template <typename T, typename Op> __device__ T block_reduce(T v, Op op, T identity) {
            static __shared__ T shared[32];
            int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
            for (int o = warpSize / 2; o > 0; o /= 2) v = op(v, __shfl_down_sync(0xffffffff, v, o));
            if (lane == 0) shared[warp] = v;
            __syncthreads();
            v = threadIdx.x < blockDim.x / warpSize ? shared[lane] : identity;
            if (warp == 0) for (int o = warpSize / 2; o > 0; o /= 2) v = op(v, __shfl_down_sync(0xffffffff, v, o));
            return v;
        }
        __global__ void k(float* out, const float* __restrict__ in) {
            auto larger = [] __device__ (float a, float b) { return a > b ? a : b; };
            float m = block_reduce(in[threadIdx.x], larger, -1e30f);
            __syncthreads();
            float s = block_reduce<float>(in[threadIdx.x], [](float a, float b) { return a + b; }, 0.f);
            if (!threadIdx.x) out[0] = m, out[1] = s;
        }"""
        values = np.sin(np.arange(64)).astype(np.float32)
        out = run(text, [np.zeros(2, np.float32), values], block=64)["out"]
        assert out[0] == values.max()
        assert abs(out[1] - values.sum()) < 1e-5


def test_a_sleep_leaves_everything_as_it_was() -> None:
    file = (
        "__device__ void add(int *p, int v) { int old, assumed, wait = 1; do { assumed = *(volatile int *)p;"
        " old = atomicCAS(p, assumed, assumed + v); if (old != assumed) { __nanosleep(wait); wait *= 2; } }"
        " while (old != assumed); }"
    )
    check("add(out + 3, i); __syncthreads(); if (i != 3) out[i] = out[3];", 496, file)


def test_what_a_device_must_have() -> None:
    def needs(body: str) -> tuple[int, int]:
        return program_of(f"__global__ void k(int* a, double* d, float* f, int n) {{ {body} }}").minimum_capability

    assert needs("a[0] = n;") == (1, 0)
    assert needs("atomicAdd(a, n);") == (1, 1)
    assert needs("__shared__ int s; atomicAdd(&s, n);") == (1, 2)
    assert needs("d[0] = 2;") == (1, 3)
    assert needs("atomicAdd(f, 1.0f);") == (2, 0)
    assert needs("a[0] = __shfl_sync(~0u, n, 0);") == (3, 0)
    assert needs("atomicAdd(d, 1.0);") == (6, 0)
    assert needs("a[0] = __match_any_sync(~0u, n);") == (7, 0)
    assert needs("__nanosleep(n);") == (7, 0)
    assert needs("a[0] = __reduce_add_sync(~0u, n);") == (8, 0)
    old = program_of("__global__ void k(int* a) { a[0] = __shfl_down(a[0], 1); }")
    assert old.last_capability < (7, 0)
    assert "__shfl_down_sync" in old.last_capability_reason
