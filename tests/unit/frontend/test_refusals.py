"""Errors and unsupported features are each told in one sentence at their place."""

from __future__ import annotations

import pytest
from support.kernels import program_of

from warpview.diagnostics import CompileError, Refusal, SourceText
from warpview.frontend import compile_source
from warpview.frontend.unsupported import BY_NVIDIA

CASES = [
    # body of a kernel, line and column (of the kernel's body) where the caret goes, part of the message, of the hint
    ("out[0] = thredIdx.x;", 10, "unknown name 'thredIdx'", "did you mean 'threadIdx'?"),
    ("out[0] = sqrtff(2.0f);", 10, "unknown function 'sqrtff'", "did you mean 'sqrtf'?"),
    ("flaot x = 1;", 1, "unknown type 'flaot'", ""),
    ("int x = 1", 10, "expected ';' after the declaration, found '}'", ""),
    ("out[0] = (1 + 2;", 16, "expected ')' to close the parenthesis, found ';'", ""),
    ("out[0] = 1 +;", 13, "expected an expression, found ';'", ""),
    ("if (n > 1 { }", 10, "expected ')' to close the condition", ""),
    ("const int c = 1; c = 2;", 20, "const", ""),
    ("in[0] = 1;", 7, "const", ""),
    ('asm("mov");', 1, "inline PTX: an operand is expected", ""),
    ("cuda::atomic_ref<int> r(out[0]); r.fetch_add(1);", 7, "cuda::atomic_ref is declared in <cuda/atomic>", ""),
    ("throw 1;", 1, "exceptions are not supported", ""),
    ("int* p = new int[3](1);", 21, "expected ')' after the array, which takes no values in parentheses", ""),
    ("int* p = new int[];", 10, "the number of elements is missing", ""),
    ('const wchar_t* w = L"a";', 20, "strings of wide characters are not supported", ""),
    ("int* p = new Length;", 14, "unknown type 'Length'", ""),
    ("void* p = alloca(3);", 11, "alloca is not supported", ""),
    ("cudaMallocAsync(0, 3, 0);", 1, "this call of the CUDA runtime in a kernel is not supported", ""),
    ("__shared__ int4 s; s = atomicExch(&s, s);", 24, "atomic functions of 16 bytes are not supported", ""),
    ("half h;", 1, "half precision is declared in <cuda_fp16.h>, which is not included", ""),
    ("__nv_bfloat16 h;", 1, "bfloat16 is declared in <cuda_bf16.h>, which is not included", ""),
    ("nvcuda::wmma::fragment<int> f;", 1, "tensor cores are declared in <mma.h>, which is not included", ""),
    ("int (*f)(int *) = recursive;", 7, "'recursive' does not convert to 'int (*)(int*)'", ""),
    ("normal(1);", 1, "unknown function 'normal'", ""),
    ("auto [a, b] = 1;", 7, "structured bindings of a value of type 'int' are not supported", "NVIDIA's"),
    ("host_function();", 1, "is a function of the host", "__device__"),
    ("int a[n];", 7, "must be known at compile time", ""),
    ("int a[-1];", 7, "cannot have -1 elements", ""),
    ("float f = 1.5f; int x = f % 2;", 27, "needs integers", ""),
    ("float f; f.x = 1;", 12, "has no members", ""),
    ("float4 f; f.q = 1;", 13, "has no member 'q'", ""),
    ("out.x = 1;", 5, "is a pointer", "->x"),
    ("int x = in;", 5, "pointer does not convert", "cast"),
    ("float* p = in;", 8, "does not convert", "cast"),
    ("int x; float x;", 14, "'x' is already declared in this block", ""),
    ("int n = 1;", 5, "'n' is already declared in this block", ""),
    ("break;", 1, "'break' outside a loop", ""),
    ("continue;", 1, "'continue' outside a loop", ""),
    ("return 1;", 1, "a kernel returns nothing", ""),
    ("switch (n) { case 1: case 1: ; }", 22, "duplicate case 1", ""),
    ("goto nowhere;", 1, "label 'nowhere' is used but not defined", ""),
    ("__shared__ int s = 1;", 16, "cannot have an initialiser", ""),
    ("__shared__ int s[];", 16, "length of this array is missing", "extern"),
    ("atomicAdd(in, 1, 2);", 1, "takes 2 arguments, 3 given", ""),
    ("char c; atomicAdd(&c, 1);", 9, "there is no atomicAdd for 'char'", ""),
    ("int c; atomicAdd(&c, 1);", 8, "global and shared memory only", ""),
    ("other(out);", 1, "a kernel cannot be called", ""),
    ("table[0] = 1;", 10, "__constant__ memory cannot be written", ""),
    ("static_assert(sizeof(int) == 8, \"int is small\");", 27, "static assertion failed: int is small", ""),
    ("overloaded(out);", 1, "no function 'overloaded' takes (int*)", ""),
    ("int x = 0b2;", 9, "is not a number", ""),
    ("int x = 'abcde';", 9, "is not one character", ""),
    ("struct S { int a; }; float S::*p = &S::a;", 32, "an 'int S::*' does not convert to 'float S::*'", ""),
    ("struct S { int a; } s; out[0] = s.*3;", 34, "a pointer to a member is needed here, not an 'int'", ""),
    ("struct S { int a; } s; auto p = &S::a; p = p + 1;", 46, "'+' cannot be applied to an 'int S::*'", ""),
    ("struct S { int a; }; struct T { int b; }; int S::*p = &T::b;", 51, "does not convert to 'int S::*'", ""),
    ("struct S { int a; }; int S::*p = &S::a; out[0] = n.*p;", 51, "points into no member of an 'int'", ""),
    ("auto f = [](int *p) -> decltype(auto) { int *q = p; return q[1]; };", 24,
     "decltype(auto) is not supported for this result", "NVIDIA's compiler"),
    ("int (*f)(int) = nullptr; out[0] = f(1, 2);", 35, "this takes 1 arguments, 2 given", ""),
    ("__shfl_sync(~0u, n, 1, 7);", 1, "width of a shuffle", ""),
    ("host_variable = 1;", 1, "is a variable of the host", "parameter"),
    ("for (int x : {}) ;", 12, "the list of values to loop over is empty", ""),
    ("for (int x : out) ;", 14, "goes over an array or object with begin() and end(), not 'int*'", ""),
    ("auto f = [](int x) { return x; }; auto g = n ? f : f;", 46, "choosing one of two functions or lambdas", ""),
    ("auto x;", 6, "'auto' needs an initialiser", ""),
    ("long double x;", 1, "long double does not exist", "double"),
    ("@", 1, "expected an expression, found '@'", ""),
    ("struct B { int b : 3; } s; int* p = &s.b;", 37, "a bit field has no address", ""),
    ("struct B { int b : 3; } s; int& p = s.b;", 33, "a bit field cannot be referred to", ""),
    ("struct B { int b : 0; } s;", 16, "a bit field of type 'int' cannot have 0 bits", ""),
    ("alignas(3) int a;", None, "alignment", ""),
    ("alignas(8192) int a;", None, "alignment", ""),
    ("struct B { [[no_unique_address]] int i; };", 14, "members that share their address with others", ""),
    ("typedef float F __attribute__((aligned(16)));", 15, "a typedef with an alignment of its own", ""),
    ("enum __attribute__((packed)) E { A };", 1, "an enum as short as its values allow", ""),
    ("printf(in ? \"a\" : \"b\");", 1, "the format of printf must be a string that is known here", ""),
]  # fmt: skip

DOUBLES = {
    "struct P { int v; }; struct P { int w; };": ("P p; out[0] = p.w;", "'P' is defined twice"),
    "__constant__ int k = 1; __constant__ int k = 2;": ("out[0] = k;", "'k' is defined twice"),
    "__device__ int f(int x) { return 1; } __device__ int f(int y) { return 2; }": (
        "out[0] = f(1);", "'f' is defined twice"),
}  # fmt: skip
SINGLE = """
namespace a { __device__ int f(int x) { return x; } struct P { int v; }; struct Only; }
namespace b { __device__ int f(float x) { return 2; } template <typename T> __device__ int f(T x) { return 3; } }
using namespace a;
using namespace b;
__device__ int f(int x, int y);
__device__ int f(int x, int y) { return 4; }
struct P { int v; };
typedef int Whole;
typedef int Whole;
"""

FILE = """
__constant__ int table[4];
int host_variable;
void host_function() { }
__device__ int recursive(int n) { return recursive(n - 1); }
__device__ int overloaded(float x) { return 1; }
__device__ int overloaded(int x, int y) { return 1; }
__global__ void other(int* out) { }
__global__ void kernel(int* out, const int* in, int n) {
"""


@pytest.mark.parametrize("declarations", DOUBLES)
def test_names_that_mean_two_things_are_refused_where_they_are_used(declarations: str) -> None:
    body, message = DOUBLES[declarations]
    text = declarations + "\n__global__ void kernel(int *out) { %s }"
    with pytest.raises(CompileError) as error:
        compile_source(SourceText("test.cu", text % body), "kernel")
    assert message in error.value.diagnostics[0].message
    compile_source(SourceText("test.cu", text % "out[0] = 0;"), "kernel")


def test_overloads_and_repeated_declarations_are_one_name() -> None:
    body = "__global__ void kernel(int *out) { Whole w = f(1) + f(1.5f) + f(1, 2); ::P p{w}; out[0] = p.v; }"
    assert compile_source(SourceText("test.cu", SINGLE + body), "kernel").instructions


@pytest.mark.parametrize(("body", "column", "message", "hint"), CASES, ids=[c[0] for c in CASES])
def test_refused(body: str, column: int | None, message: str, hint: str) -> None:
    with pytest.raises(CompileError) as error:
        compile_source(SourceText("test.cu", FILE + body + "\n}\n"), "kernel")
    first = error.value.diagnostics[0]
    assert message in first.message
    assert hint in first.hint
    assert first.span is not None
    if column is not None:
        assert (first.span.line, first.span.column) == (FILE.count("\n") + 1, column)
    assert "^" in str(error.value)


@pytest.mark.parametrize(
    ("text", "kernel", "message"),
    [
        ("", None, "there is no kernel"),
        ("int main() {}", None, "there is no kernel"),
        ("__global__ void a() {} __global__ void b() {}", None, "several kernels in this file: say which (a, b)"),
        ("__global__ void reduce() {}", "redcue", "there is no kernel 'redcue'"),
        ("template <int N> __global__ void a() {}", None, "'a' is a template: give <int N>"),
        ("template <int N> __global__ void a() {}", "a<", "expected an expression"),
        ("template <int N> __global__ void a() {}", "a<float>", "'N' is a value, but a type is given"),
        ("template <class T> __global__ void a() {}", "a<3>", "'T' is a type, but a value is given"),
        ("__global__ void a() {}", "a<3>", "not a template"),
        ("struct A { int f(int); __device__ int g(int); };\n__device__ int A::g(float, int) { return 1; }", None,
         "'A' declares no function 'g' with these parameters"),
        ("struct A { __device__ int g() { return 1; } };\n__device__ int A::g() { return 1; }", None,
         "'A::g' is defined twice"),
        ("template <class T> struct A { __device__ T g(); };\n__device__ int A<int>::g() { return 1; }", None,
         "'A' has 1 template parameters"),
        ("struct A { __device__ int g(); }; __global__ void a(int* p) { *p = A().g(); }", None,
         "'g' is declared but never defined"),
        ("struct V { float x; V operator+(V b) const { std::vector<V> v; return b; } };\n"
         "__global__ void a(V *v) { v[0] = v[1] + v[2]; }", None,
         "'V::operator+' is declared in code that cannot be read: unknown template 'vector'"),
        ("struct V { float x; }; V operator+(V a, V b) { return a; }\n__global__ void a(V *v) { v[0] = v[1] + v[2]; }",
         None, "'operator+' is a function of the host"),
        ("struct V { float x; };\n__global__ void a(V *v) { v[0] = v[1] + v[2]; }", None,
         "'+' cannot be applied to a value of type 'V'"),
        ("__global__ void a(int *p) { std::vector<int> x; *p = x[0]; }", None, "unknown template 'vector'"),
        ("__global__ int a() { }", None, "a kernel must return void"),
        ("__global__ void a(int&& x) { }", None, "a kernel parameter cannot have the type 'int&&'"),
        ("__global__ void a() {", None, "this block is never closed"),
        ("__global__ void a() { if (1) { }\n__global__ void b() { }", None, "cannot be defined within a function"),
        ("int main() { if (1) { }\n__global__ void a() { }", "a", "this '{' is never closed"),
        ("template <class T> __device__ T one = T(1);\n__global__ void a(int* p) { *p = one<int>; }", None,
         "'one' is declared in code that cannot be read: templates of variables"),
        ("struct A { int x;\n__global__ void a() { }", "a", "this '{' is never closed"),
        ("/* __global__ void a() {}", None, "this comment is never closed"),
        ("#if 1\n__global__ void a() {}", None, "never closed"),
        ("__global__ void a(Body* b) { }", None, "unknown type 'Body'"),
        ("struct Body { int x; }; __global__ void a(int n, Bdy& b) { }", None, "did you mean 'Body'?"),
        ("__device__ int f(Pair<int> p) { return 1; } __global__ void a() { }", None, "unknown type 'Pair'"),
        ("extern __shared__ int s[][]; __global__ void a() { s[0][0] = 1; }", None, "this dimension is missing"),
        ("__global__ void a(int m[][]) { m[0][1] = 2; }", None, "only the first one may be left out"),
        ("#error no\n", None, "#error no"),
        ("#define F(x) x\n__global__ void a() { F(1, 2); }", None, "macro 'F' takes 1 arguments, 2 given"),
        ("#define F(x) x\n__global__ void a() { F(1; }", None, "the arguments of macro 'F' are never closed"),
        ("#include \"x.h\"\n#frobnicate\n", None, "unknown directive #frobnicate"),
        ("__constant__ int c[20000]; __global__ void a(int* p) { p[0] = c[p[1]]; }", None, "more than 65536 bytes"),
        ("struct A { A a; }; __global__ void a(A x) { }", None, "incomplete type"),
        ("struct A { virtual void f(); }; __global__ void a(A *x) { x->f(); }", None, "function of the host"),
        ("#include <vector>\nstruct S { std::vector<int> v; };\n__global__ void a(S x) { }", None, "cannot be read"),
        ("template <int N> __device__ int f(int n) { return f<N + 1>(n); } __global__ void a(int n) { f<0>(n); }", None,
         "nested"),
        ("__global__ void a(int n) { int x = " + "(" * 5000 + "n" + ")" * 5000 + "; }", None, "nested too deeply"),
        ("__global__ void a(int n) { int x = " + "-" * 5000 + "n; }", None, "nested too deeply"),
        ("__global__ void a(int n) { " + "{" * 3000 + "}" * 3000 + " }", None, "nested too deeply"),
        ("#define A B B\n#define B C C\n#define C D D\n#define D E E E E\n#define E F F F F F\n"
         "#define F G G G G G G G G\n#define G H H H H H H H H H H H\n#define H I I I I I I I I I I\n"
         "#define I 1 1 1 1 1 1 1 1 1 1 1 1 1\n__global__ void a() { A; }", None, "expands to more than 50000 tokens"),
    ],
)  # fmt: skip
def test_refused_files(text: str, kernel: str | None, message: str) -> None:
    with pytest.raises(CompileError) as error:
        compile_source(SourceText("test.cu", text), kernel)
    assert message in str(error.value)


def test_a_file_with_something_unsupported_still_gives_its_other_kernels() -> None:
    text = '__global__ void a() { asm("x"); }\n__global__ void b(int* p) { p[0] = 1; }\n'
    assert compile_source(SourceText("test.cu", text), "b").kernel == "b"
    with pytest.raises(CompileError, match="inline PTX"):
        compile_source(SourceText("test.cu", text), "a")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("wgmma.fence.sync.aligned;", ""),  # which is refused in machine code, too
        ("sust.b.1d.b32.trap [%1, {%0}], {%0};", BY_NVIDIA),
        ("brkpt;", BY_NVIDIA),
        ("mov.u32 %0, %%gridid;", BY_NVIDIA),
        ("pmevent 7;", ""),
        ("suq.width.b32 %0, [%0];", ""),
        (".shared .u32 s[4];", BY_NVIDIA),
        ("mov.u32 %0, %%nsmid;", BY_NVIDIA),
        ("cvt.rn.satfinite.e4m3x2.f32 %0, 0f00000000, 0f00000000;", BY_NVIDIA),
        ("mov.u32 %0, %%nosuch;", ""),
        ("nosuch.u32 %0, 1;", ""),
        ("add.s32 %0;", ""),
        ("add.s32 %0, %0, 1.5;", ""),
    ],
)
def test_only_what_is_ptx_is_told_to_be_taken_by_nvidia(text: str, hint: str) -> None:
    with pytest.raises(CompileError, match="inline PTX") as error:
        program_of(f'__global__ void k(int *out) {{ asm volatile("{text}" : "+r"(out[0])); }}')
    assert error.value.diagnostics[0].hint == hint


def test_a_type_behind_a_namespace_that_is_not_supported_concerns_its_kernel_only() -> None:
    text = (
        "namespace cg = cooperative_groups;\n"
        "template <int N> __global__ void wide() { __shared__ cg::block_tile_memory<N> room; }\n"
        "__global__ void narrow(int* p) { p[0] = 1; }\n"
    )
    assert compile_source(SourceText("test.cu", text), "narrow").kernel == "narrow"
    with pytest.raises(CompileError, match="tiles of more than one warp are not supported"):
        compile_source(SourceText("test.cu", text), "wide<64>")


def test_a_refusal_is_told_by_its_field() -> None:
    """A function that uses another generator of cuRAND only matters to kernels that call it, and neither compiler takes
    it: no hint."""
    text = (
        "__device__ void draw(curandStateMRG32k3a_t *state) {}\n"
        "__global__ void plain(int *out) { out[0] = 1; }\n"
        "__global__ void random(int *out) { draw(0); }\n"
    )
    assert compile_source(SourceText("test.cu", text), "plain").kernel == "plain"
    with pytest.raises(CompileError, match="only XORWOW") as error:
        compile_source(SourceText("test.cu", text), "random")
    assert (error.value.diagnostics[0].refusal, error.value.diagnostics[0].hint) == (Refusal.ANYHOW, "")


def test_the_caret_is_in_the_text_that_the_user_wrote() -> None:
    text = "#define BAD(x) ((x) + nothing)\n__global__ void k(int* out) {\n  out[0] = 1 + BAD(2);\n}\n"
    with pytest.raises(CompileError) as error:
        compile_source(SourceText("test.cu", text))
    assert str(error.value).splitlines() == [
        "test.cu:3:16: error: unknown name 'nothing'",
        "      out[0] = 1 + BAD(2);",
        "                   ^~~",
    ]


@pytest.mark.parametrize(
    ("declaration", "value"),
    [
        (
            "template <class T, class = void> struct has { static constexpr int v = 0; };\n"
            "template <class T> struct has<T, std::void_t<decltype(&T::f)>> { static constexpr int v = 1; };",
            "has<A>::v",
        ),
        (
            "template <class T> constexpr int g(decltype(&T::f) p) { return 1; }\n"
            "template <class T> constexpr int g(...) { return 0; }",
            "g<A>(nullptr)",
        ),
    ],
    ids=["specialisation", "overload"],
)
def test_a_member_decides_which_template_is_meant(declaration: str, value: str) -> None:
    text = f"#include <type_traits>\n{declaration}\nstruct A {{ int f; }}; struct B {{ int g; }};\n"
    assertions = f"static_assert({value} == 1); static_assert({value.replace('A', 'B')} == 0);"
    program_of(text + f"{assertions} __global__ void k(int *o) {{ o[0] = {value}; }}")
