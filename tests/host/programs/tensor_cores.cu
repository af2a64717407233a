// A product of halves by tensor cores, and asynchronous copies to shared memory in two forms.
#include <cstdio>
#include <vector>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

using namespace nvcuda;
namespace cg = cooperative_groups;
const int M = 32, N = 32, K = 64;

__global__ void multiply(const half *a, const half *b, float *c, int m, int n, int k) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize, column = blockIdx.y;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int i = 0; i < k; i += 16) {
        wmma::load_matrix_sync(left, a + row * 16 * k + i, k);
        wmma::load_matrix_sync(right, b + column * 16 * k + i, k);
        wmma::mma_sync(sum, left, right, sum);
    }
    wmma::store_matrix_sync(c + row * 16 * n + column * 16, sum, n, wmma::mem_row_major);
}
__global__ void pipelined(const float *in, float *out, int n) {
    __shared__ float tile[2][64];
    const int t = threadIdx.x;
    float sum = 0;
    __pipeline_memcpy_async(&tile[0][t], &in[t], sizeof(float));
    __pipeline_commit();
    for (int k = 0; k < n / 64; k++) {
        if ((k + 1) * 64 < n) __pipeline_memcpy_async(&tile[(k + 1) & 1][t], &in[(k + 1) * 64 + t], sizeof(float));
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += tile[k & 1][63 - t];
        __syncthreads();
    }
    out[t] = sum;
}
__global__ void copied(const int *in, int *out, int n) {
    extern __shared__ int staged[];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, staged, in, sizeof(int) * n);
    cg::wait(block);
    out[block.thread_rank()] = staged[n - 1 - block.thread_rank()];
}

int main() {
    std::vector<half> a(M * K), b(N * K);
    std::vector<float> c(M * N);
    for (int i = 0; i < M * K; i++) a[i] = __float2half((i % 7) * 0.25f);
    for (int i = 0; i < N * K; i++) b[i] = __float2half((i % 5) * 0.5f - 1);
    half *left, *right;
    float *product;
    cudaMalloc(&left, a.size() * sizeof(half));
    cudaMalloc(&right, b.size() * sizeof(half));
    cudaMalloc(&product, c.size() * sizeof(float));
    cudaMemcpy(left, a.data(), a.size() * sizeof(half), cudaMemcpyHostToDevice);
    cudaMemcpy(right, b.data(), b.size() * sizeof(half), cudaMemcpyHostToDevice);
    multiply<<<dim3(1, 2), 64>>>(left, right, product, M, N, K);
    cudaMemcpy(c.data(), product, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;
            for (int k = 0; k < K; k++) sum += __half2float(a[i * K + k]) * __half2float(b[j * K + k]);
            wrong += sum != c[i * N + j];
        }
    float *in, *out;
    cudaMallocManaged(&in, 256 * sizeof(float));
    cudaMallocManaged(&out, 64 * sizeof(float));
    for (int i = 0; i < 256; i++) in[i] = i;
    pipelined<<<1, 64>>>(in, out, 256);
    int *numbers, *turned;
    cudaMallocManaged(&numbers, 64 * sizeof(int));
    cudaMallocManaged(&turned, 64 * sizeof(int));
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; i++) numbers[i] = i * i;
    copied<<<1, 64, 64 * sizeof(int)>>>(numbers, turned, 64);
    cudaDeviceSynchronize();
    printf("%d wrong, %g, %g %g, %d %d\n", wrong, c[33], out[0], out[63], turned[0], turned[63]);
    cudaFree(left);
    cudaFree(right);
    cudaFree(product);
    cudaFree(in);
    cudaFree(out);
    cudaFree(numbers);
    cudaFree(turned);
    return 0;
}
