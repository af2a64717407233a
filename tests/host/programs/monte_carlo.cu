// Pi by random points, from a generator of our own: the same points for everyone.
#include <cmath>
#include <cstdint>
#include <cstdio>

__device__ __host__ inline uint32_t hash(uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ (x >> 16);
}

__global__ void throwDarts(uint32_t seed, int perThread, unsigned long long *hits) {
    uint32_t id = blockIdx.x * blockDim.x + threadIdx.x;
    int mine = 0;
    for (int k = 0; k < perThread; ++k) {
        float x = hash(seed ^ hash(2 * (id * perThread + k))) * 0x1p-32f;
        float y = hash(seed ^ hash(2 * (id * perThread + k) + 1)) * 0x1p-32f;
        mine += x * x + y * y < 1.0f;
    }
    mine = __reduce_add_sync(0xffffffffu, mine);
    if (threadIdx.x % 32 == 0) atomicAdd(hits, (unsigned long long)mine);
}

int main() {
    unsigned long long *hits;
    cudaMallocManaged(&hits, sizeof *hits);
    *hits = 0;
    const int blocks = 64, threads = 128, each = 50;
    throwDarts<<<blocks, threads>>>(2024, each, hits);
    cudaDeviceSynchronize();
    double pi = 4.0 * *hits / ((double)blocks * threads * each);
    printf("%llu hits, pi is about %.5f\n", *hits, pi);
    cudaFree(hits);
    return std::fabs(pi - M_PI) > 0.01;
}
