// Halves and bfloat16 on both sides: what the host computes of many patterns must be what the device computes.
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define COUNT 65536

template <class T> __host__ __device__ T value(unsigned pattern) {
    float whole = (int)(pattern * 2654435761u >> 8) - (1 << 23);
    return T(whole * (pattern & 1 ? 3e-4f : 6e-11f));
}
__host__ __device__ unsigned mix(unsigned all, unsigned bits) { return (all ^ bits) * 16777619u; }
__host__ __device__ unsigned bits(__half a) { return __half_as_ushort(a); }
__host__ __device__ unsigned bits(__nv_bfloat16 a) { return __bfloat16_as_ushort(a); }

__host__ __device__ unsigned halves(unsigned i) {
    const __half a = value<__half>(i), b = value<__half>(i * 7 + 1), c = value<__half>(i * 13 + 5);
    unsigned all = mix(bits(a + b), bits(a * b));
    all = mix(mix(all, bits(a - c)), bits(a / b));
    all = mix(all, bits(__hmin(a, b)) ^ bits(__hmax(a, c)) << 16);
    all = mix(all, __half2int_rz(a) ^ __half2uint_rz(c));
    all = mix(all, bits(__float2half_rz(i * 1.37f)) ^ bits(__float2half_ru(-1.0f / (i + 1))) << 16);
    all = mix(all, bits(__int2half_rn(-(int)i * 3)) ^ bits(__double2half(i * 1e-9)) << 16);
    return mix(all, (a < b) | (a >= c) << 1 | (b == c) << 2 | (a != b) << 3);
}
__host__ __device__ unsigned bfloats(unsigned i) {
    const __nv_bfloat16 a = value<__nv_bfloat16>(i), b = value<__nv_bfloat16>(i * 7 + 1), c = value<__nv_bfloat16>(i + 9);
    unsigned all = mix(bits(a + b), bits(a * b));
    all = mix(all, bits(__float2bfloat16_rd(i * -1.37f)) ^ bits(__float2bfloat16_rn(i * 1e33f)) << 16);
    const __nv_bfloat162 pair = __halves2bfloat162(a, b) + __float2bfloat162_rn(0.5f);
    return mix(mix(all, bits(pair.x) ^ bits(pair.y) << 16), a > b);
}
__global__ void compute(unsigned *out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = halves(i);
    out[COUNT + i] = bfloats(i);
}
__global__ void scale(__half2 *pairs, __half factor, int n) {
    const int i = threadIdx.x;
    if (i < n) pairs[i] = __hfma2(pairs[i], __half2half2(factor), __half2half2(__int2half_rd(i)));
}

int main() {
    static unsigned found[2 * COUNT];
    unsigned *out;
    cudaMalloc(&out, sizeof found);
    compute<<<COUNT / 256, 256>>>(out);
    cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
    unsigned different[2] = {0, 0}, sum = 0;
    for (unsigned i = 0; i < COUNT; ++i) {
        different[0] += halves(i) != found[i];
        different[1] += bfloats(i) != found[COUNT + i];
        sum = mix(mix(sum, found[i]), found[COUNT + i]);
    }
    printf("%u of %d halves differ, %u bfloat16, sum %08x\n", different[0], COUNT, different[1], sum);
    __half2 pairs[3] = {{1.0f, -2.5f}, {0.1f, 65504.0f}, {6e-8f, 1e6f}}, *device;
    cudaMalloc(&device, sizeof pairs);
    cudaMemcpy(device, pairs, sizeof pairs, cudaMemcpyHostToDevice);
    scale<<<1, 32>>>(device, __float2half(1.5f), 3);
    cudaMemcpy(pairs, device, sizeof pairs, cudaMemcpyDeviceToHost);
    for (const __half2 &pair : pairs) printf("(%g, %g) ", __low2float(pair), __high2float(pair));
    printf("%g %zu\n", (float)(pairs[0].x + pairs[0].y), sizeof pairs);
    cudaFree(out);
    cudaFree(device);
    return 0;
}
