// Random numbers of cuRAND's Philox generator in kernels.
#include <cstdio>
#include <curand_kernel.h>
__global__ void numbers(unsigned *raw, float4 *uniform, float2 *normal, double *doubles, unsigned long long seed) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curandStatePhilox4_32_10_t state;
    curand_init(seed, i, 0, &state);
    for (int k = 0; k < 3; k++) raw[i * 8 + k] = curand(&state);
    uint4 four = curand4(&state);
    raw[i * 8 + 3] = four.x; raw[i * 8 + 4] = four.y; raw[i * 8 + 5] = four.z; raw[i * 8 + 6] = four.w;
    skipahead(5, &state);
    raw[i * 8 + 7] = curand(&state);
    uniform[i] = curand_uniform4(&state);
    float4 n4 = curand_normal4(&state);
    normal[i] = make_float2(n4.x + n4.z, n4.y + n4.w);
    double2 d = curand_uniform2_double(&state);
    doubles[i] = d.x + d.y + curand_normal(&state) + curand_uniform(&state) + curand_log_normal(&state, 0.1f, 0.2f);
}
int main() {
    const int n = 64;
    unsigned *raw; float4 *u; float2 *g; double *d;
    cudaMallocManaged(&raw, n * 8 * 4); cudaMallocManaged(&u, n * 16); cudaMallocManaged(&g, n * 8); cudaMallocManaged(&d, n * 8);
    numbers<<<2, 32>>>(raw, u, g, d, 1234ULL);
    cudaDeviceSynchronize();
    for (int i = 0; i < 3; i++) { for (int k = 0; k < 8; k++) printf("%08x ", raw[i * 8 + k]); printf("\n"); }
    printf("%08x %08x\n", raw[63 * 8], raw[63 * 8 + 7]);
    for (int i = 0; i < 64; i += 21) printf("%.6f %.6f %.6f %.6f | %.5f %.5f | %.5f\n", u[i].x, u[i].y, u[i].z, u[i].w, g[i].x, g[i].y, d[i]);
    return 0;
}
