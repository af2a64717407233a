// Integers of 128 bits: products modulo a number of 60 bits.
#include <cinttypes>
#include <cstdio>
typedef unsigned __int128 u128;
__global__ void mulmod(const uint64_t *a, const uint64_t *b, uint64_t *r, uint64_t m, int n) {
    int i = threadIdx.x;
    if (i < n) { u128 p = (u128)a[i] * b[i]; r[i] = (uint64_t)(p % m); }
}
int main() {
    uint64_t ha[8], hb[8], hr[8], m = 0xfffffffffffffc5ull, *xa, *xb, *xr;
    for (int i = 0; i < 8; i++) { ha[i] = 0x123456789abcdefull * (i + 3); hb[i] = 0xfedcba987654321ull ^ (uint64_t)i << 40; }
    cudaMalloc(&xa, 64); cudaMalloc(&xb, 64); cudaMalloc(&xr, 64);
    cudaMemcpy(xa, ha, 64, cudaMemcpyHostToDevice); cudaMemcpy(xb, hb, 64, cudaMemcpyHostToDevice);
    mulmod<<<1, 32>>>(xa, xb, xr, m, 8);
    cudaMemcpy(hr, xr, 64, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++) printf("%" PRIx64 " %d\n", hr[i], hr[i] == (uint64_t)((u128)ha[i] * hb[i] % m));
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
