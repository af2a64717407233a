"""What a program needs that warpview does not have is named, at its line."""

from __future__ import annotations

from pathlib import Path

import pytest

import warpview as wv
from warpview.host.toolchain import INCLUDE
from warpview.host.unsupported import unsupported_feature


@pytest.mark.parametrize(
    ("message", "feature"),
    [
        ("cublasLt.h: No such file or directory", "this part of cuBLAS"),
        ("'cublasStrsm' was not declared in this scope", "this part of cuBLAS"),
        ("'cufftXt.h' file not found", "this part of cuFFT"),
        ("cub/device/device_reduce.cuh: No such file or directory", "this part of CUB"),
        ("thrust/mr/pool.h: No such file or directory", "this part of Thrust"),
        (
            "'cudaArrayGetSparseProperties' was not declared in this scope; did you mean 'cudaArrayGetInfo'?",
            "sparse arrays",
        ),
        ("use of undeclared identifier 'cudaGraphAddEventRecordNode'", "other nodes and changes of graphs"),
        ("unknown type name '__nv_fp8_e4m3'", "numbers of eight and fewer bits"),
        ("'cuInit' was not declared in this scope", "the driver interface and NVRTC"),
        ("'half_width' was not declared in this scope", None),
        ("mine.h: No such file or directory", None),
        ("expected ';' before 'int'", None),
    ],
)
def test_a_message_of_the_compiler_tells_the_feature(message: str, feature: str | None) -> None:
    assert unsupported_feature(message) == feature


def test_no_header_that_there_is_counts_as_unsupported() -> None:
    for path in INCLUDE.rglob("*.h"):
        missing = unsupported_feature(f"{path.relative_to(INCLUDE).as_posix()}: No such file or directory")
        assert missing in (
            None,
            "this part of Thrust",
            "this part of cuBLAS",
            "this part of cuFFT",
            "this part of CUB",
        ), path


def test_a_program_is_told_the_feature_and_the_line(program) -> None:  # type: ignore[no-untyped-def]
    path: Path = program(
        "__global__ void k(int *a) { a[0] = 1; }\nint main() {\n  cudaArraySparseProperties p;\n  return 0;\n}\n"
    )
    with pytest.raises(wv.CompileError) as caught:
        wv.run_program(path)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.span is not None
    assert diagnostic.span.line == 3
    assert diagnostic.hint == "warpview does not have sparse arrays"


def test_functors_may_name_their_types_by_a_base_of_thrust(program) -> None:  # type: ignore[no-untyped-def]
    path: Path = program("""
#include <thrust/device_vector.h>
#include <thrust/transform.h>
#include <cstdio>
struct square : public thrust::unary_function<int, long> {
  __host__ __device__ long operator()(int x) const { return x * x; }
};
__global__ void k(int *a) { a[threadIdx.x] += 1; }
int main() {
  thrust::device_vector<int> v(4, 3);
  thrust::device_vector<square::result_type> w(4);
  k<<<1, 4>>>(thrust::raw_pointer_cast(v.data()));
  thrust::transform(v.begin(), v.end(), w.begin(), square());
  printf("%ld\\n", (long)w[3]);
}
""")
    assert wv.run_program(path).output == "16\n"


@pytest.mark.parametrize("start", ["[&] __device__", "[]"])
def test_a_lambda_that_a_kernel_cannot_have_is_refused_at_its_launch(program, start) -> None:  # type: ignore[no-untyped-def]
    path: Path = program(
        """
template <typename F> __global__ void apply(F f) { f(threadIdx.x); }
template <typename F> void run(F f) { apply<<<1, 32>>>(f); }
int main() {
  run(START(int i) { });
  return 0;
}
""".replace("START", start)
    )
    with pytest.raises(wv.CompileError, match="marked __device__ that captures by value is needed") as caught:
        wv.run_program(path)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.span is not None
    assert diagnostic.span.line == 3
    assert "operator()" in diagnostic.hint


def test_iterators_of_thrust_over_iterators(program) -> None:  # type: ignore[no-untyped-def]
    path: Path = program("""
#include <thrust/device_vector.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/zip_function.h>
#include <cstdio>
struct add3 { __host__ __device__ int operator()(int a, int b, int c) const { return a + 10 * b + 100 * c; } };
__global__ void k(int *a) { a[threadIdx.x] += 1; }
int main() {
  thrust::device_vector<int> a{2, 0, 1, 2}, b{5, 6, 7, 8}, sums(4);
  auto zip = thrust::make_zip_iterator(a.begin(), b.begin(), a.begin());
  thrust::transform(zip, zip + 4, sums.begin(), thrust::make_zip_function(add3()));
  printf("%d %d\\n", (int)sums[0], (int)sums[3]);
  thrust::sort_by_key(a.begin(), a.end(), b.begin());
  auto end = thrust::reduce_by_key(a.begin(), a.end(), b.begin(), thrust::make_discard_iterator(), sums.begin());
  printf("%d sums, the last %d\\n", (int)(end.second - sums.begin()), (int)sums[2]);
  auto picked = thrust::make_permutation_iterator(b.begin(), a.begin());
  printf("%d\\n", thrust::reduce(picked, picked + 4));
  b.insert(b.begin(), 1);
  b.pop_back();
  k<<<1, 4>>>(thrust::raw_pointer_cast(b.data()));
  printf("%d %d\\n", (int)b[0], (int)b[3]);
}
""")
    assert wv.run_program(path).output == "252 282\n3 sums, the last 13\n23\n2 6\n"
