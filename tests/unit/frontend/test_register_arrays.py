"""Local arrays live in registers wherever nvcc keeps them there, else in local memory."""

from __future__ import annotations

from cProfile import Profile

import numpy as np
import pytest
from support.kernels import compute, program_of

from warpview.isa.ops import Op
from warpview.isa.program import Program
from warpview.isa.types import Space
from warpview.run import simulate

I = np.arange(32)  # noqa: E741
RNG = np.random.default_rng(5)


def local_accesses(program: Program) -> int:
    return sum(i.space in (Space.LOCAL, Space.GENERIC) for i in program.instructions)


def loops(program: Program) -> int:
    return sum(i.op == Op.BRA and 0 <= i.target <= k for k, i in enumerate(program.instructions))


# Register-tiled products of row-major matrices, C = A B, each thread with a tile of C of its own.
TILE_1D = """
template <int BM, int BN, int BK, int TM>
__global__ void product(const float *A, const float *B, float *C, int n) {
    __shared__ float As[BM * BK], Bs[BK * BN];
    int row = threadIdx.x / BN, col = threadIdx.x % BN;
    A += blockIdx.y * BM * n; B += blockIdx.x * BN; C += blockIdx.y * BM * n + blockIdx.x * BN;
    float sums[TM] = {0.0f};
    for (int first = 0; first < n; first += BK) {
        for (int k = threadIdx.x; k < BM * BK; k += blockDim.x) As[k] = A[k / BK * n + k % BK];
        for (int k = threadIdx.x; k < BK * BN; k += blockDim.x) Bs[k] = B[k / BN * n + k % BN];
        __syncthreads();
        A += BK; B += BK * n;
        for (int k = 0; k < BK; ++k) {
            float b = Bs[k * BN + col];
            for (int i = 0; i < TM; ++i) sums[i] += As[(row * TM + i) * BK + k] * b;
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i) C[(row * TM + i) * n + col] = sums[i];
}"""

TILE_2D = """
template <int BM, int BN, int BK, int TM, int TN>
__global__ void product(const float *A, const float *B, float *C, int n) {
    __shared__ float As[BM * BK], Bs[BK * BN];
    const int row = threadIdx.x / (BN / TN), col = threadIdx.x % (BN / TN);
    A += blockIdx.y * BM * n; B += blockIdx.x * BN; C += blockIdx.y * BM * n + blockIdx.x * BN;
    float sums[TM * TN] = {0.0f}, left[TM] = {0.0f}, top[TN] = {0.0f};
    for (int first = 0; first < n; first += BK) {
        for (int k = threadIdx.x; k < BM * BK; k += blockDim.x) As[k] = A[k / BK * n + k % BK];
        for (int k = threadIdx.x; k < BK * BN; k += blockDim.x) Bs[k] = B[k / BN * n + k % BN];
        __syncthreads();
        A += BK; B += BK * n;
        for (int k = 0; k < BK; ++k) {
            for (int i = 0; i < TM; ++i) left[i] = As[(row * TM + i) * BK + k];
            for (int j = 0; j < TN; ++j) top[j] = Bs[k * BN + col * TN + j];
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j) sums[i * TN + j] += left[i] * top[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) C[(row * TM + i) * n + col * TN + j] = sums[i * TN + j];
}"""

VECTORISED = """
template <int BM, int BN, int BK, int TM, int TN>
__global__ void product(const float *A, const float *B, float *C, int n) {
    __shared__ float As[BK * BM], Bs[BK * BN];
    const int row = threadIdx.x / (BN / TN), col = threadIdx.x % (BN / TN);
    float sums[TM][TN] = {}, left[TM], top[TN];
    for (int first = 0; first < n; first += BK) {
        for (int k = 4 * threadIdx.x; k < BM * BK; k += 4 * blockDim.x) {
            const float4 t = reinterpret_cast<const float4 *>(&A[(blockIdx.y * BM + k / BK) * n + first + k % BK])[0];
            As[(k % BK + 0) * BM + k / BK] = t.x;
            As[(k % BK + 1) * BM + k / BK] = t.y;
            As[(k % BK + 2) * BM + k / BK] = t.z;
            As[(k % BK + 3) * BM + k / BK] = t.w;
        }
        for (int k = 4 * threadIdx.x; k < BK * BN; k += 4 * blockDim.x)
            reinterpret_cast<float4 *>(&Bs[k])[0] =
                reinterpret_cast<const float4 *>(&B[(first + k / BN) * n + blockIdx.x * BN + k % BN])[0];
        __syncthreads();
        for (int k = 0; k < BK; ++k) {
            for (int i = 0; i < TM; i += 4)
                *reinterpret_cast<float4 *>(&left[i]) = *reinterpret_cast<float4 *>(&As[k * BM + row * TM + i]);
            for (int j = 0; j < TN; ++j) top[j] = Bs[k * BN + col * TN + j];
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j) sums[i][j] += left[i] * top[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; j += 4) {
            float4 out = make_float4(sums[i][j], sums[i][j + 1], sums[i][j + 2], sums[i][j + 3]);
            float *target = &C[(blockIdx.y * BM + row * TM + i) * n + blockIdx.x * BN + col * TN + j];
            *reinterpret_cast<float4 *>(target) = out;
        }
}"""

DOUBLE_BUFFERED = """
template <int BM, int BN, int BK, int TM, int TN>
__global__ void product(const float *A, const float *B, float *C, int n) {
    __shared__ float As[2][BK][BM], Bs[2][BK][BN];
    const int row = threadIdx.x / (BN / TN), col = threadIdx.x % (BN / TN);
    float sums[TM][TN] = {{0.0f}}, left[2][TM], top[2][TN];
    int write = 0, i, j;
    for (int k = threadIdx.x; k < BM * BK; k += blockDim.x)
        As[0][k % BK][k / BK] = A[(blockIdx.y * BM + k / BK) * n + k % BK];
    for (int k = threadIdx.x; k < BK * BN; k += blockDim.x)
        Bs[0][k / BN][k % BN] = B[k / BN * n + blockIdx.x * BN + k % BN];
    __syncthreads();
    for (int first = 0; first < n; first += BK) {
        write ^= 1;
        if (first + BK < n) {
            for (int k = threadIdx.x; k < BM * BK; k += blockDim.x)
                As[write][k % BK][k / BK] = A[(blockIdx.y * BM + k / BK) * n + first + BK + k % BK];
            for (int k = threadIdx.x; k < BK * BN; k += blockDim.x)
                Bs[write][k / BN][k % BN] = B[(first + BK + k / BN) * n + blockIdx.x * BN + k % BN];
        }
        int read = write ^ 1;
        for (i = 0; i < TM; ++i) left[0][i] = As[read][0][row * TM + i];
        for (j = 0; j < TN; ++j) top[0][j] = Bs[read][0][col * TN + j];
        for (int k = 0; k < BK; ++k) {
            if (k + 1 < BK) {
                for (i = 0; i < TM; ++i) left[(k + 1) % 2][i] = As[read][k + 1][row * TM + i];
                for (j = 0; j < TN; ++j) top[(k + 1) % 2][j] = Bs[read][k + 1][col * TN + j];
            }
            for (i = 0; i < TM; ++i)
                for (j = 0; j < TN; ++j) sums[i][j] += left[k % 2][i] * top[k % 2][j];
        }
        __syncthreads();
    }
    for (i = 0; i < TM; ++i)
        for (j = 0; j < TN; ++j) C[(blockIdx.y * BM + row * TM + i) * n + blockIdx.x * BN + col * TN + j] = sums[i][j];
}"""


@pytest.mark.parametrize(
    ("text", "kernel", "tile", "threads"),
    [
        (TILE_1D, "product<16, 16, 8, 4>", 16, 64),
        (TILE_2D, "product<16, 16, 4, 4, 4>", 16, 16),
        (TILE_2D, "product<32, 32, 4, 8, 8>", 32, 16),
        (VECTORISED, "product<16, 16, 8, 4, 4>", 16, 16),
        (VECTORISED, "product<32, 32, 4, 8, 8>", 32, 16),
        (DOUBLE_BUFFERED, "product<16, 16, 4, 4, 4>", 16, 16),
    ],
)
@pytest.mark.parametrize("predicate", [False, True])
def test_register_tiled_products_use_no_local_memory(
    text: str, kernel: str, tile: int, threads: int, predicate: bool
) -> None:
    program = program_of(text, kernel, predicate=predicate)
    assert program.local_bytes == 0
    assert local_accesses(program) == 0
    n = 32
    a, b = (RNG.integers(-4, 5, (n, n)).astype(np.float32) for _ in range(2))
    args = [a.ravel(), b.ravel(), np.zeros(n * n, np.float32), n]
    made = simulate(program, (n // tile, n // tile), threads, args, device="h200")
    assert not made.findings
    np.testing.assert_array_equal(made.buffers["C"].reshape(n, n), a @ b)


def body(text: str, file: str = "", **options: object) -> Program:
    source = f"{file}\n__global__ void kernel(int *out, int n) {{ int i = threadIdx.x; {text} }}"
    return program_of(source, "kernel", **options)


class TestInRegisters:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("int a[4]; int k; for (k = 0; k < 4; k++) a[k] = i + k; out[i] = a[3] * 10 + k;", (I + 3) * 10 + 4),
            ("int a[4], k; for (k = 0; k < 4; k++) { a[k] = k; if (i == k) break; } out[i] = k;", np.minimum(I, 4)),
            ("int a[2][3], s = 0; for (int y = 0; y < 2; ++y) for (int x = 0; x < 3; ++x) a[y][x] = i * y + x;"
             "for (int y = 0; y < 2; ++y) for (int x = 0; x < 3; ++x) s += a[y][x]; out[i] = s;", 3 * I + 6),
            ("int a[8], s = 0; for (int k = 0; k < 4; ++k) { int at = 2 * k; a[at] = i; a[at + 1] = k; }"
             "for (int k = 0; k < 8; ++k) s += a[k]; out[i] = s;", 4 * I + 6),
            ("int a[6] = {}; for (int k = 0; k < 3; ++k) for (int m = k; m < 6; m += k + 1) a[m]++;"
             "out[i] = a[0] + 10 * a[2] + 100 * a[5];", 321 + 0 * I),
            ("int a[3] = {1, 2, 3}, s = i; for (int k = 2; k >= 0; --k) { if (a[k] == 2) continue; s += a[k]; }"
             "out[i] = s;", I + 4),
        ],
    )  # fmt: skip
    def test_loops_of_constant_bounds_are_unrolled(self, text: str, expected: object) -> None:
        assert body(text).local_bytes == 0
        assert loops(body(text)) == 0
        np.testing.assert_array_equal(compute(text), expected)

    def test_members_of_a_struct_and_what_functions_are_given(self) -> None:
        file = """
        struct Row {
            int v[4];
            __device__ int sum() const { int s = 0; for (int k = 0; k < 4; ++k) s += v[k]; return s; }
        };
        __device__ void fill(int *v, int by) { for (int k = 0; k < 4; ++k) v[k] = k * by; }
        template <int N> __device__ int total(const int (&v)[N]) {
            int s = 0;
            for (int k = 0; k < N; ++k) s += v[k];
            return s;
        }
        """
        text = "Row r; fill(r.v, i); int a[4]; fill(a, 2); out[i] = r.sum() * 100 + total(a);"
        assert body(text, file).local_bytes == 0
        np.testing.assert_array_equal(compute(text, file), 600 * I + 12)

    def test_the_time_to_compile_grows_with_the_number_of_arrays_only(self) -> None:
        text = "".join(f"int a{k}[4]; a{k}[i & 3] = i; s += a{k}[(i + {k}) & 3];" for k in range(80))
        program = body(f"int s = 0; {text} out[i] = s;")
        assert program.local_bytes == 80 * 16

    @pytest.mark.parametrize(
        ("text", "kept"),
        [
            ("for (int m = 0; m < n; ++m) for (int k = 0; k < 4; ++k) a[k] += m;", 1),
            ("for (int m = 0; m < 8; ++m) for (int k = 0; k < 4; ++k) a[k] += m;", 1),
            ("for (int m = 0; m < 4; ++m) for (int k = 0; k < n; ++k) a[m] += k;", 4),
            ("for (int m = 0; m < 8; ++m) out[i] += m; for (int k = 0; k < 4; ++k) a[k] += i;", 1),
        ],
    )
    def test_only_the_loops_that_decide_on_places_are_written_out(self, text: str, kept: int) -> None:
        program = body(f"int a[4] = {{}}; {text} out[i] += a[0] + a[1] + a[2] + a[3];")
        assert program.local_bytes == 0
        assert loops(program) == kept

    def test_a_loop_that_cannot_be_counted_costs_only_its_own_array(self) -> None:
        lines = "int a[4] = {}; for (int k = 0; k < n; ++k) a[k & 3] += k; int b[4], k = 0; while (k < 4) b[k++] = i;"
        program = body(f"{lines} out[i] = a[0] + b[0] + b[1] + b[2] + b[3];")
        assert program.local_bytes == 16
        assert loops(program) == 1

    def test_what_a_loop_changes_through_an_index_is_not_taken_for_known(self) -> None:
        """a[1] is 0 before the loop over k, which may change it wherever the one over m has come to."""
        text = """int a[2]; a[0] = 5; a[1] = 0;
        for (int m = 0; m < 2; ++m)
            for (int k = 0; k < zero + 3; ++k) { if (a[1] == 2) a[0] += 100; a[m] += 1; }
        out[i] = a[0] * 1000 + a[1];"""
        np.testing.assert_array_equal(compute(text), 108003)

    def test_an_address_that_is_kept_in_an_array_keeps_the_target_in_memory(self) -> None:
        text = """int a[2] = {3, 4}, b[2] = {5, 6}; int *rows[2];
        for (int k = 0; k < 2; ++k) rows[k] = k ? b : a;
        rows[1][0] += i; int s = 0;
        for (int k = 0; k < 2; ++k) s = s * 100 + rows[k][0];
        out[i] = s + b[0];"""
        np.testing.assert_array_equal(compute(text), 300 + 2 * (5 + I))

    @pytest.mark.sample(2)
    @pytest.mark.parametrize("predicate", [False, True], ids=["plain", "predicated"])
    @pytest.mark.parametrize("statement", ["loops", "branches", "arrays", "counted", "exits"])
    def test_the_time_to_compile_grows_with_the_length(self, statement: str, predicate: bool) -> None:
        """Counted in calls, which do not depend on the machine."""
        lines = {
            "loops": "for (int k@ = 0; k@ < n; ++k@) s += out[k@] * @.5f;",
            "branches": "if (out[@] > s) s += @ * s; else s *= 0.5f;",
            "arrays": "float a@[4]; for (int k = 0; k < 4; ++k) a@[k] = s * k; for (int k = 0; k < 4; ++k) s += a@[k];",
            "counted": "for (int k = 0; k < 4; ++k) s += out[@ + k * n];",
            "exits": "if (out[@] > s) return;",
        }

        def calls(count: int) -> int:
            text = " ".join(lines[statement].replace("@", str(k)) for k in range(count))
            profile = Profile()
            profile.runcall(body, f"float s = n; {text} out[i] = s;", predicate=predicate)
            return sum(entry.callcount for entry in profile.getstats())

        calls(1)
        assert calls(24) < 3.6 * calls(8)


class TestBoundsThatAreHalfKnown:
    """A constant bounds the trips of these loops, and what the launch decides may end them before."""

    @pytest.mark.parametrize(
        "head",
        [
            "int k = 0; k < bound && k < 8; ++k",
            "int k = 0; k < 8 && k < bound; ++k",
            "int k = 0; !(k >= bound || k >= 8); ++k",
            "int k = 0; k < min(bound, 8); ++k",
            "int k = 0; k <= min(bound, 8) - 1 && k < 8; ++k",
            "unsigned k = 0; k < min((unsigned)bound, 8u); ++k",
            "int k = 0, end = min(8, bound); k != end && k < 8; ++k",
        ],
    )
    @pytest.mark.parametrize("n", [0, 1, 5, 8, 20])
    def test_each_trip_has_its_own_elements(self, head: str, n: int) -> None:
        text = f"int a[8] = {{}}; for ({head}) a[k] = k + i; int s = 0; for (int k = 0; k < 8; ++k) s = s * 3 + a[k];"
        text = f"int bound = out[i] + {n}; {text} out[i] = s;"
        assert body(text).local_bytes == 0
        expected = 0 * I
        for k in range(8):
            expected = expected * 3 + (k + I if k < n else 0)
        np.testing.assert_array_equal(compute(text), expected)

    def test_a_count_that_comes_from_several_ways_out_is_bounded(self) -> None:
        text = """int v = i * 37 + out[i], d[4], count = 0;
        do { d[count++] = v % 10; v /= 10; } while (v > 0 && count < 4);
        int s = 0; for (int k = 0; k < count; ++k) s = s * 10 + d[k]; out[i] = s;"""
        assert body(text).local_bytes == 0
        np.testing.assert_array_equal(compute(text), [int(str(v)[::-1]) for v in I * 37])


class TestTables:
    """The index of an element is itself read from an array of constants."""

    def test_the_elements_of_a_table_are_known(self) -> None:
        text = """const int order[4] = {2, 0, 3, 1}; int a[4]; for (int k = 0; k < 4; ++k) a[order[k]] = i + k;
        out[i] = a[0] + a[1] * 10 + a[2] * 100 + a[3] * 1000;"""
        assert body(text).local_bytes == 0
        np.testing.assert_array_equal(compute(text), I + 1 + 10 * (I + 3) + 100 * I + 1000 * (I + 2))

    def test_a_table_that_a_loop_changes_is_not_taken_for_known(self) -> None:
        text = """int next[3] = {1, 2, 0}, a[3] = {10, 20, 30}, at = 0;
        for (int k = 0; k < out[i] + 4; ++k) { at = next[at]; next[at] = (next[at] + 1) % 3; a[at] += k; }
        out[i] = a[0] + a[1] * 100 + a[2] * 10000;"""
        next_, a, at = [1, 2, 0], [10, 20, 30], 0
        for k in range(4):
            at = next_[at]
            next_[at] = (next_[at] + 1) % 3
            a[at] += k
        np.testing.assert_array_equal(compute(text), a[0] + a[1] * 100 + a[2] * 10000)

    def test_a_table_that_is_changed_on_one_way_is_not_taken_for_known(self) -> None:
        text = """int to[2] = {0, 1}, a[2] = {0, 0}; if (i & 1) { to[0] = 1; to[1] = 0; }
        for (int k = 0; k < 2; ++k) a[to[k]] = k + 1; out[i] = a[0] * 10 + a[1];"""
        np.testing.assert_array_equal(compute(text), np.where(I & 1, 21, 12))


class TestInLocalMemory:
    def test_an_array_indexed_at_run_time_keeps_its_loops(self) -> None:
        text = "int a[8]; for (int k = 0; k < 8; ++k) a[k] = k * i; out[i] = a[i & 7];"
        program = body(text)
        assert program.local_bytes == 32
        assert loops(program) == 1
        np.testing.assert_array_equal(compute(text), (I & 7) * I)

    def test_a_loop_whose_bound_the_launch_decides_stays(self) -> None:
        text = "int a[8] = {}; for (int k = 0; k < n; ++k) a[k & 7] = k; out[i] = a[5];"
        assert body(text).local_bytes == 32
        np.testing.assert_array_equal(compute(text), 29)

    def test_nounroll_is_obeyed(self) -> None:
        text = "int a[4] = {};\n#pragma nounroll\nfor (int k = 0; k < 4; ++k) a[k] = i;\nout[i] = a[2];"
        assert loops(body(text)) == 1
        np.testing.assert_array_equal(compute(text), I)


class TestVariablesThatChange:
    """Whatever way a variable is changed, its readers see it."""

    @pytest.mark.parametrize(
        ("file", "text", "expected"),
        [
            ("__device__ void put(int &x, int v) { x = v; }", "int a = 1; put(a, i); out[i] = a;", I),
            ("template <class T> __device__ void put(T &x, T v) { x = v; }", "int a = 1; put(a, i); out[i] = a;", I),
            ("struct C { int v; __device__ void add(int x) { v += x; } };",
             "C c = {5}; c.add(i); out[i] = c.v;", I + 5),
            ("struct C { int v; __device__ int &at() { return v; } };", "C c = {5}; c.at() = i; out[i] = c.v;", I),
            ("struct C { int v; __device__ C &operator+=(int x) { v += x; return *this; } };",
             "C c = {5}; c += i; out[i] = c.v;", I + 5),
            ("", "int a = 1; int &r = a; r = i; out[i] = a;", I),
            ("", "int a = 1; auto f = [&](int v) { a = v; }; f(i); out[i] = a;", I),
            ("", "int a = 1; auto f = [](int &x) { x++; }; f(a); out[i] = a;", 2 + 0 * I),
            ("", "int a[2] = {1, 2}; int *p = a; p[1] = i; out[i] = a[0] + a[1];", I + 1),
            ("__device__ void both(int *v) { v[0] = v[1]; }", "int a[2] = {1, 7}; both(a); out[i] = a[0];", 7 + 0 * I),
            ("", "int a = 1, b = 2; swap(a, b); out[i] = a * 10 + b;", 21 + 0 * I),
            ("", "int a = 1, b = 2; (i & 1 ? a : b) = i; out[i] = a * 100 + b;",
             np.where(I & 1, I * 100 + 2, 100 + I)),
            ("", "int a = 1, b = 2; (i & 1 ? a : b) += 5; out[i] = a * 100 + b;", np.where(I & 1, 602, 107)),
            ("", "int a = 1, b = 2; (i & 1 ? a : b)++; out[i] = a * 100 + b;", np.where(I & 1, 202, 103)),
            ("", "int a = 1, b = 2; int *p = &(i & 1 ? a : b); *p = 9; out[i] = a * 100 + b;",
             np.where(I & 1, 902, 109)),
            ("", "float f = 1.0f; *(int *)&f += i; out[i] = *(int *)&f - 0x3f800000;", I),
            ("", "const int a[3] = {4, 5, 6}; int s = i; for (int k = 0; k < 3; ++k) s += a[k]; out[i] = s;", I + 15),
        ],
    )  # fmt: skip
    def test_it_reads_as_changed(self, file: str, text: str, expected: object) -> None:
        np.testing.assert_array_equal(compute(text, file), expected)

    def test_a_choice_between_two_variables_leaves_them_in_registers(self) -> None:
        assert body("int a = 1, b = 2; (i & 1 ? a : b) = i; out[i] = a + b;").local_bytes == 0


class TestPointers:
    """Accesses name the space that their pointer can only point into."""

    @pytest.mark.parametrize(
        ("text", "spaces"),
        [
            ("int *p = out; for (int k = 0; k < n; ++k) *p++ = k;", {Space.GLOBAL}),
            ("__shared__ int t[64]; int *p = t; for (int k = 0; k < n; ++k) *p++ = k; out[i] = t[i];",
             {Space.SHARED, Space.GLOBAL}),
            ("__shared__ int t[64], u[64]; int *p = t, *q = u;"
             "for (int k = 0; k < n; ++k) { int *x = p; p = q; q = x; } p[i] = 1;"
             "out[i] = q[i];", {Space.SHARED, Space.GLOBAL}),
            ("__shared__ int t[64]; int *p = n > 3 ? t : out; p[i] = 1;", {Space.GENERIC}),
            ("int *p = nullptr; if (n) p = out; if (p) p[i] = 1;", {Space.GLOBAL}),
            ("extern __shared__ int t[]; int *p = t; p += n; p[i] = 1; out[i] = p - t;", {Space.SHARED, Space.GLOBAL}),
        ],
    )  # fmt: skip
    def test_spaces(self, text: str, spaces: set[Space]) -> None:
        assert {i.space for i in body(text).instructions if i.op in (Op.LD, Op.ST)} == spaces

    def test_where_they_point_shows_in_what_they_read(self) -> None:
        text = """__shared__ int t[64]; t[i] = i; t[i + 32] = 100 + i; __syncthreads();
        int *p = t; if (i & 1) p += 32; int *q = p + i; int *end = t + 64;
        out[i] = *q + (q < end ? 1000 : 0) + (int)(end - q) + (__isShared(q) ? 5000 : 0);"""
        np.testing.assert_array_equal(compute(text), np.where(I & 1, 100 + I + 1000 + 32 - I, I + 1000 + 64 - I) + 5000)
