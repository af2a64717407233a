#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void sieve(char *composite, unsigned n, unsigned root) {
    unsigned p = 2 + blockIdx.x * blockDim.x + threadIdx.x;
    if (p > root) return;
    for (unsigned k = p * p; k <= n; k += p) composite[k] = 1;
}

__global__ void count(const char *composite, unsigned n, int *primes) {
    int mine = 0;
    for (unsigned i = 2 + blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += gridDim.x * blockDim.x) mine += !composite[i];
    for (int mask = 16; mask; mask >>= 1) mine += __shfl_xor_sync(~0u, mine, mask);
    if ((threadIdx.x & 31) == 0) atomicAdd(primes, mine);
}

int main(int argc, char *argv[]) {
    unsigned n = argc == 2 ? strtoul(argv[1], nullptr, 10) : 200000, root = 1;
    while ((root + 1) * (root + 1) <= n) ++root;
    char *composite;
    int *primes, result;
    cudaMalloc(&composite, n + 1);
    cudaMalloc(&primes, sizeof(int));
    cudaMemset(composite, 0, n + 1);
    cudaMemset(primes, 0, sizeof(int));
    sieve<<<(root + 63) / 64, 64>>>(composite, n, root);
    count<<<64, 128>>>(composite, n, primes);
    cudaMemcpy(&result, primes, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d primes up to %u\n", result, n);
    cudaFree(composite);
    cudaFree(primes);
    return argc == 1 && result != 17984;
}
