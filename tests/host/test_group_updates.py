"""Groups of threads update atomic objects: by reductions, and by scans that start with the old value."""

import pytest
from support.compilers import COMPILERS

import warpview as wv

PROGRAM = r"""
#include <cstdio>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
namespace cg = cooperative_groups;
template <class T> using shared_by_all = cuda::atomic_ref<T, cuda::thread_scope_device>;

__global__ void k(int *words, double *reals, int *places) {
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    shared_by_all<int> sum(words[0]), most(words[1]), count(words[2]), tickets(words[3]), last(words[4]);
    shared_by_all<double> total(reals[0]);
    shared_by_all<float> product((float &)reals[1]);
    cg::reduce_update_async(tile, sum, t, cg::plus<int>());
    cg::reduce_update_async(tile, most, t, cg::greater<int>());
    cg::reduce_update_async(tile, total, 0.5, [](double a, double b) { return a + b; });
    if (t < 16) cg::reduce_store_async(tile, last, t, cg::bit_or<int>());
    int at = cg::exclusive_scan_update(tile, count, t % 3);
    for (int i = 0; i < t % 3; i++) places[at + i] = t;
    auto together = cg::coalesced_threads();
    atomicAdd(&words[5], cg::inclusive_scan_update(together, tickets, 1, cg::plus<int>()));
    float seen = product.load();
    while (t % 32 == 0 && !product.compare_exchange_weak(seen, seen * 2)) {}
}
int main() {
    int *words, *places;
    double *reals;
    cudaMallocManaged(&words, 6 * sizeof(int));
    cudaMallocManaged(&reals, 2 * sizeof(double));
    cudaMallocManaged(&places, 128 * sizeof(int));
    for (int i = 0; i < 6; i++) words[i] = 0;
    reals[0] = reals[1] = 0;
    *(float *)&reals[1] = 3;
    k<<<2, 64>>>(words, reals, places);
    cudaDeviceSynchronize();
    int sum = 0;
    for (int i = 0; i < words[2]; i++) sum += places[i];
    for (int i = 0; i < 6; i++) printf("%d ", words[i]);
    printf("%d %g %g", sum, reals[0], *(float *)&reals[1]);
    cudaFree(words); cudaFree(reals); cudaFree(places);
}
"""
EXPECTED = [
    sum(range(128)), 127, sum(t % 3 for t in range(128)), 128, 15, sum(range(129)),
    sum(t % 3 * t for t in range(128)), 64, 48,
]  # fmt: skip


@pytest.mark.parametrize("compiler", COMPILERS)
def test_updates_by_reductions_and_scans(program, compiler):
    result = wv.run_program(program(PROGRAM), compiler=compiler, timed=False)
    assert [int(word) for word in result.output.split()] == EXPECTED
    assert len(result.runs[0].findings) == 0
