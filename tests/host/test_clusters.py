"""Programs launch clusters of thread blocks: by the kernel's attribute, or by that of the launch."""

import numpy as np
import pytest
from support.compilers import COMPILERS

import warpview as wv

PROGRAM = r"""
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>
namespace cg = cooperative_groups;
__global__ void reversed(const int *in, int *out) {
    extern __shared__ int tile[];
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x, n = blockDim.x, last = cluster.num_blocks() - 1, rank = cluster.block_rank();
    tile[t] = in[blockIdx.x * n + t];
    cluster.sync();
    out[blockIdx.x * n + t] = cluster.map_shared_rank(tile, last - rank)[n - 1 - t];
    cluster.sync();
}
__global__ void __cluster_dims__(2, 1, 1) in_pairs(int *out) {
    if (threadIdx.x == 0) out[blockIdx.x] = cg::this_cluster().block_rank() + 10 * cg::this_cluster().num_blocks();
}
void launch(unsigned blocks, unsigned size, const int *in, int *out) {
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks; config.blockDim = 64; config.dynamicSmemBytes = 64 * sizeof(int);
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = size; attribute.val.clusterDim.y = 1; attribute.val.clusterDim.z = 1;
    config.attrs = &attribute; config.numAttrs = 1;
    int active = -1, largest = -1;
    cudaOccupancyMaxActiveClusters(&active, reversed, &config);
    cudaOccupancyMaxPotentialClusterSize(&largest, reversed, &config);
    cudaError_t error = cudaLaunchKernelEx(&config, reversed, in, out);
    cudaError_t later = cudaDeviceSynchronize();
    printf("%u: %s %s %d %d\n", size, cudaGetErrorName(error), cudaGetErrorName(later), active > 0, largest);
    cudaGetLastError();
}
int main() {
    const int n = 16 * 64;
    int supported = 0, *in, *out;
    cudaDeviceGetAttribute(&supported, cudaDevAttrClusterLaunch, 0);
    std::vector<int> host(n), back(n);
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&in, n * sizeof(int)); cudaMalloc(&out, n * sizeof(int));
    cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    printf("supported %d\n", supported);
    for (unsigned size : {4u, 8u, 16u, 3u}) {
        launch(16, size, in, out);
        cudaMemcpy(back.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
        int wrong = 0;
        for (int i = 0; i < n; ++i) {
            int all = size * 64;
            wrong += back[i] != i / all * all + all - 1 - i % all;
        }
        printf("wrong %d\n", wrong > 0);
        if (size == 8) cudaFuncSetAttribute(reversed, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    }
    in_pairs<<<4, 32>>>(out);
    cudaMemcpy(back.data(), out, 4 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", back[0], back[1], back[2], back[3]);
    in_pairs<<<3, 32>>>(out);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    cudaFree(in); cudaFree(out);
}
"""
PRINTED = [
    "supported 1", "4: cudaSuccess cudaSuccess 1 8", "wrong 0", "8: cudaSuccess cudaSuccess 1 8", "wrong 0",
    "16: cudaSuccess cudaSuccess 1 16", "wrong 0", "3: cudaErrorInvalidClusterSize cudaSuccess 1 16", "wrong 1",
    "20 21 20 21", "cudaErrorInvalidClusterSize",
]  # fmt: skip


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_program_with_clusters(tmp_path, compiler: str) -> None:
    path = tmp_path / "clusters.cu"
    path.write_text(PROGRAM)
    program = wv.run_program(path, device="h200", compiler=compiler)
    assert program.output.splitlines() == PRINTED
    assert [finding.kind for finding in program.host_findings] == ["invalid cluster"] * 2
    record = program.launches[0]
    assert (record.cluster, record.time_us) == ((4, 1, 1), None)
    again = record.open()
    assert again.trace is not None
    np.testing.assert_array_equal(again.buffers["out"][:256], np.arange(256, dtype=np.int32)[::-1])


def test_a_device_without_clusters(tmp_path) -> None:
    path = tmp_path / "clusters.cu"
    path.write_text(PROGRAM)
    lines = wv.run_program(path, device="a100").output.splitlines()
    assert lines[0] == "supported 0"
    assert "cudaErrorInvalidClusterSize" in lines[1]
