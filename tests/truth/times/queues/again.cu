// Reads so many megabytes again and again, 16 bytes a thread, past the L1; for Nsight Compute, which gives the hits of each
// launch. ``same``: each multiprocessor reads the same in each pass; ``other``: what half of the grid away has read;
// ``both``: all is read twice in a pass, half of the grid apart; ``all``: each block reads all of it.
//
//     nvcc -O3 -std=c++17 -arch=native -o again again.cu && ncu ... ./again
#include <cstdio>
#include <cstdlib>

enum Kind { SAME, OTHER, BOTH, ALL };

template <int KIND>
__global__ void __launch_bounds__(512) read_again(const uint4 *data, size_t count, int passes, unsigned *sink)
{
    unsigned sum = 0;
    size_t threads = (size_t)gridDim.x * blockDim.x;
    for (int p = 0; p < passes; p++) {
        unsigned block = KIND == OTHER && p % 2 ? (blockIdx.x + gridDim.x / 2) % gridDim.x : blockIdx.x;
        size_t start = KIND == ALL ? threadIdx.x : (size_t)block * blockDim.x + threadIdx.x;
        size_t step = KIND == ALL ? blockDim.x : threads;
        for (size_t k = start; k < count; k += step) {
            uint4 v = __ldcg(data + k);
            sum += v.x + v.y + v.z + v.w;
            if (KIND == BOTH) {
                size_t other = k - start + (size_t)((block + gridDim.x / 2) % gridDim.x) * blockDim.x + threadIdx.x;
                if (other < count) {
                    uint4 u = __ldcg(data + other);
                    sum += u.x + u.y + u.z + u.w;
                }
            }
        }
    }
    if (sum == 12345)
        sink[0] = sum;
}

int main(int argc, char **argv)
{
    uint4 *data;
    unsigned *sink;
    cudaMalloc(&data, 256u << 20), cudaMalloc(&sink, 4);
    cudaMemset(data, 0, 256u << 20);
    int blocks = 132 * 2;
    for (int mb : {4, 8, 12, 16, 20, 22, 24, 26, 28, 30, 32, 36, 40, 44, 48, 52, 56, 60, 64, 72, 80, 96}) {
        size_t count = ((size_t)mb << 20) / sizeof(uint4);
        read_again<SAME><<<blocks, 512>>>(data, count, 1, sink);
        read_again<SAME><<<blocks, 512>>>(data, count, 2, sink);
        read_again<SAME><<<blocks, 512>>>(data, count, 4, sink);
        read_again<OTHER><<<blocks, 512>>>(data, count, 4, sink);
        read_again<BOTH><<<blocks, 512>>>(data, count, 1, sink);
        read_again<BOTH><<<blocks, 512>>>(data, count, 4, sink);
    }
    for (int mb : {1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 40})
        for (int passes : {1, 2})
            read_again<ALL><<<132, 512>>>(data, ((size_t)mb << 20) / sizeof(uint4), passes, sink);
    cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
