#include <cstdio>
#include <memory>
#include <random>
#include "helper_cuda.h"

template <typename T, int TILE>
__global__ void matmul(const T *__restrict__ A, const T *__restrict__ B, T *__restrict__ C, int n) {
    __shared__ T As[TILE][TILE], Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    T sum = 0;
    for (int t = 0; t < (n + TILE - 1) / TILE; ++t) {
        As[ty][tx] = row < n && t * TILE + tx < n ? A[row * n + t * TILE + tx] : T(0);
        Bs[ty][tx] = t * TILE + ty < n && col < n ? B[(t * TILE + ty) * n + col] : T(0);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; ++k) sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < n && col < n) C[row * n + col] = sum;
}

template <typename T> bool test(int n) {
    std::mt19937 generator(7);
    std::unique_ptr<T[]> A(new T[n * n]), B(new T[n * n]), C(new T[n * n]);
    for (int i = 0; i < n * n; ++i) A[i] = T(generator() % 10), B[i] = T(generator() % 10) - T(5);
    T *dA, *dB, *dC;
    size_t bytes = sizeof(T) * n * n;
    checkCudaErrors(cudaMalloc(&dA, bytes));
    checkCudaErrors(cudaMalloc(&dB, bytes));
    checkCudaErrors(cudaMalloc(&dC, bytes));
    checkCudaErrors(cudaMemcpy(dA, A.get(), bytes, cudaMemcpyHostToDevice));
    checkCudaErrors(cudaMemcpy(dB, B.get(), bytes, cudaMemcpyHostToDevice));
    const int tile = 16;
    dim3 block(tile, tile), grid((n + tile - 1) / tile, (n + tile - 1) / tile);
    matmul<T, tile><<<grid, block>>>(dA, dB, dC, n);
    checkCudaErrors(cudaGetLastError());
    checkCudaErrors(cudaDeviceSynchronize());
    checkCudaErrors(cudaMemcpy(C.get(), dC, bytes, cudaMemcpyDeviceToHost));
    bool right = true;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            T sum = 0;
            for (int k = 0; k < n; ++k) sum += A[i * n + k] * B[k * n + j];
            right &= sum == C[i * n + j];
        }
    printf("%zu-byte elements, n = %d: C[5][7] = %g, %s\n", sizeof(T), n, double(C[5 * n + 7]), right ? "correct" : "WRONG");
    cudaFree(dA);
    cudaFree(dB);
    cudaFree(dC);
    return right;
}

int main() { return test<float>(128) & test<double>(100) & test<int>(65) ? EXIT_SUCCESS : EXIT_FAILURE; }
