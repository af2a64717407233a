// A sum in one launch: every block adds its part, the whole grid synchronises, and the first block adds the parts.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
namespace cg = cooperative_groups;
#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(1);                                                                       \
        }                                                                                  \
    } while (0)

__global__ void sum(const int *in, int n, long long *parts, long long *total) {
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    __shared__ long long s[128];
    long long own = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size()) own += in[i];
    s[block.thread_rank()] = own;
    block.sync();
    for (int half = block.size() / 2; half > 0; half /= 2) {
        if (block.thread_rank() < half) s[block.thread_rank()] += s[block.thread_rank() + half];
        block.sync();
    }
    if (block.thread_rank() == 0) parts[blockIdx.x] = s[0];
    grid.sync();
    if (grid.thread_rank() == 0) {
        long long all = 0;
        for (int b = 0; b < gridDim.x; ++b) all += parts[b];
        *total = all;
    }
}

int main() {
    int n = 100000, blocks = 16;
    std::vector<int> host(n);
    long long expected = 0, result = 0;
    for (int i = 0; i < n; ++i) expected += host[i] = i * 37 % 1001;
    int *in;
    long long *parts, *total;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&parts, blocks * sizeof(long long)));
    CHECK(cudaMalloc(&total, sizeof(long long)));
    CHECK(cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    void *arguments[] = {&in, &n, &parts, &total};
    CHECK(cudaLaunchCooperativeKernel((void *)sum, blocks, 128, arguments, 0, 0));
    CHECK(cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost));
    printf("sum of %d numbers: %lld, expected %lld: %s\n", n, result, expected, result == expected ? "PASS" : "FAIL");
    cudaFree(in);
    cudaFree(parts);
    cudaFree(total);
    return result != expected;
}
