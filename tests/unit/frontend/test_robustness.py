"""The front end answers whatever is typed with a program or with a CompileError."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from warpview.diagnostics import CompileError, SourceText
from warpview.frontend import compile_source, kernels_in
from warpview.frontend.ir import BasicBlock
from warpview.frontend.preprocess.tokens import tokenize

CORPUS = [
    """
#define N 16
#define AT(i, j) ((i) * N + (j))
struct Vec { float x, y; __device__ float dot(const Vec& o) const { return x * o.x + y * o.y; } };
enum Mode { A, B = 5 };
__constant__ float table[4] = {1.0f, 2, 3, 4};
__device__ int counter;
template <typename T, int M = 2> __device__ T scale(T x) { return x * M; }
__device__ void swap2(int& a, int& b) { int t = a; a = b; b = t; }
__global__ void first(int* out, const Vec* vecs, float4* quads, int n) {
  __shared__ float tile[N][N + 1];
  extern __shared__ int dynamic[];
  int i = threadIdx.x + blockIdx.x * blockDim.x, j = 3;
  float local[4] = {1, 2};
  #pragma unroll
  for (int k = 0; k < 4; ++k) local[k] += k;
  switch (i & 3) { case 0: j = 1; break; case 1: j += 2; default: --j; }
  auto add = [=](int a, int b) { return a + b + j; };
  if (i < n && out[i] > 2 || !j) { swap2(i, j); tile[i % N][j] = quads[i].x; __syncthreads(); }
  do { dynamic[i] ^= j >>= 1; } while (j > 0);
  Vec v = vecs[i];
  out[i] = add(scale<int, 3>(i), (int)v.dot(v)) + (j ? A : B) + (int)table[i & 3] + (int)local[2] + sizeof(tile);
  atomicAdd(&counter, __shfl_down_sync(0xffffffffu, i, 4));
}
""",
    """
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#if defined(DOUBLE) && DOUBLE > 1
typedef double real;
#else
using real = float;
#endif
union Bits { float f; unsigned u; };
template <int SIZE> __global__ void __launch_bounds__(256) second(real* a, unsigned long long* out) {
  auto block = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  real sum = cg::reduce(tile, a[block.thread_rank()], cg::plus<real>());
  Bits bits; bits.f = sum;
  int4 wide = reinterpret_cast<int4*>(a)[0];
  const char* text = nullptr;
  while (true) { if (bits.u++ > 7u) break; else continue; }
  if constexpr (SIZE > 4) { out[0] = (unsigned char)bits.u << 3 | wide.x; } else { asm("nothing"); }
  goto end;
end:
  printf("%d %f\\n", threadIdx.x, sum);
}
int main() { dim3 grid(4, 2); second<8><<<grid, 32 * 2, 0>>>(nullptr, 0); return 0; }
""",
    """
template <class T> concept Number = requires(T a, int i) { a + a; { a * i } noexcept; requires sizeof(T) > 1; };
template <class T, int N> concept Fits = Number<T> && sizeof(T) <= N || requires { typename T::type; };
template <class... B> struct All : B... { using B::operator()...; };
struct One { __device__ int operator()(int a) const { return a; } };
struct Two { __device__ int operator()(float a) const { return 2; } };
enum class Colour { red, green = 4 };
template <class T> requires(!Fits<T, 4>) __device__ int width(T) { return 8; }
template <Fits<4> T> __device__ int width(T) requires Number<T> { return 4; }
template <Number... T> __device__ int sum(T... a) { return (width(a) + ... + sizeof...(T)); }
__global__ void third(int* out, float y) {
  using enum Colour;
  int i = threadIdx.x, r = int(green);
  auto twice = []<Number T>(T a) { return a + a; };
  All<One, Two> both;
  asm volatile("{ .reg .pred p; setp.gt.s32 p, %1, 3; @p add.s32 %0, %0, %2; }" : "+r"(r) : "r"(i), "n"(5) : "memory");
  out[i] = r + twice(i) + both(i) + both(y) + sum(i, y, 2.5);
}
""",
]
TOKENS = [
    [("\n" if t.starts_line else " " if t.spaced else "") + t.text for t in tokenize(SourceText("corpus", text))[:-1]]
    for text in CORPUS
]
WORDS = sorted({token.strip() for tokens in TOKENS for token in tokens})
NAMES = [w for w in WORDS if w[0].isalpha()]


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A source with a few tokens dropped, doubled, exchanged or replaced."""
    tokens = list(draw(st.sampled_from(TOKENS)))
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(tokens) - 1))
        other = draw(st.integers(0, len(tokens) - 1))
        match draw(st.sampled_from(["drop", "double", "swap", "any", "name", "cut"])):
            case "drop":
                del tokens[place : place + draw(st.integers(1, 6))]
            case "double":
                tokens.insert(place, tokens[other])
            case "swap":
                tokens[place], tokens[other] = tokens[other], tokens[place]
            case "any":
                tokens[place] = " " + draw(st.sampled_from(WORDS))
            case "name":
                tokens[place] = " " + draw(st.sampled_from(NAMES))
            case "cut":
                tokens = tokens[: max(1, place)]
        if not tokens:
            tokens = [";"]
    return "".join(tokens)


def compile_all(text: str) -> None:
    source = SourceText("damaged.cu", text)
    with suppress(CompileError):
        for kernel in kernels_in(source):
            arguments = ", ".join("float" if p.startswith("typename") else "8" for p in kernel.template)
            compile_source(source, f"{kernel.name}<{arguments}>" if arguments else kernel.name)


def test_the_corpus_itself_compiles() -> None:
    for text, kernel in zip(CORPUS, ("first", "second<8>", "third"), strict=True):
        assert compile_source(SourceText("corpus.cu", text.replace('asm("nothing")', "")), kernel).instructions


def test_a_lambda_at_the_end_of_the_file_has_no_end() -> None:
    text = "__global__ void k(int *o) {}\nint main([ { k<<<1, 1>>>(nullptr); return 0; }"
    with pytest.raises(CompileError, match=r"this '\(' is never closed"):
        compile_source(SourceText("damaged.cu", text))


def test_a_using_declaration_is_no_template() -> None:
    text = "\ntemplate <class T> using requires (1) __device__ int f(T) { return 2; }\n"
    with pytest.raises(CompileError, match=r"damaged.cu:2:\d+: error: a template can only be declared with 'using "):
        kernels_in(SourceText("damaged.cu", text))


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(damaged())
def test_damaged_sources(text: str) -> None:
    compile_all(text)


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="(){}[]<>#&*+-=;:,.'\"\\/ \n\tax0", max_size=60))
def test_noise(text: str) -> None:
    compile_all("__global__ void k(int* a) {" + text + "}")
    compile_all(text)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=25))
def test_words_in_any_order(words: list[str]) -> None:
    compile_all("__global__ void k(int* a, float b) {" + " ".join(words) + ";}")


def test_a_function_four_times_as_long_takes_four_times_as_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """As far as walks of the control-flow graph go: how often they ask a block where it leads."""
    asked = 0
    successors = BasicBlock.successors.fget
    assert successors is not None

    def counted(block: BasicBlock) -> tuple[BasicBlock, ...]:
        nonlocal asked
        asked += 1
        return successors(block)

    monkeypatch.setattr(BasicBlock, "successors", property(counted))

    def walks(branches: int) -> int:
        nonlocal asked
        asked = 0
        body = "".join(f"if (x > {n}.5f) x = x + a[{n}];\n" for n in range(branches))
        compile_source(SourceText("long.cu", f"__global__ void k(float *a) {{ float x = a[0];\n{body}a[0] = x; }}"))
        return asked

    assert walks(120) < 5 * walks(30)
