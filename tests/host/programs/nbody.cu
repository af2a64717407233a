#include <cmath>
#include <cstdio>
#include <vector>

#define SOFTENING 1e-2f
#define TILE 64

__device__ float3 interaction(float4 bi, float4 bj, float3 a) {
    float3 r = make_float3(bj.x - bi.x, bj.y - bi.y, bj.z - bi.z);
    float d2 = r.x * r.x + r.y * r.y + r.z * r.z + SOFTENING;
    float inv = 1.0f / sqrtf(d2);
    float s = bj.w * inv * inv * inv;
    a.x += r.x * s;
    a.y += r.y * s;
    a.z += r.z * s;
    return a;
}

__global__ void integrate(float4 *position, float4 *velocity, float4 *next, float dt, int n) {
    __shared__ float4 shared[TILE];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 mine = position[i];
    float3 a = {0.0f, 0.0f, 0.0f};
    for (int tile = 0; tile < n / TILE; ++tile) {
        shared[threadIdx.x] = position[tile * TILE + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < TILE; ++j) a = interaction(mine, shared[j], a);
        __syncthreads();
    }
    float4 v = velocity[i];
    v.x += a.x * dt, v.y += a.y * dt, v.z += a.z * dt;
    velocity[i] = v;
    next[i] = make_float4(mine.x + v.x * dt, mine.y + v.y * dt, mine.z + v.z * dt, mine.w);
}

int main() {
    const int n = 256, steps = 5;
    std::vector<float4> p(n), v(n, make_float4(0, 0, 0, 0));
    for (int i = 0; i < n; ++i) p[i] = make_float4(i % 8, i / 8 % 8, i / 64, 1.0f / n);
    float4 *d_p, *d_v, *d_next;
    cudaMalloc(&d_p, n * sizeof(float4));
    cudaMalloc(&d_v, n * sizeof(float4));
    cudaMalloc(&d_next, n * sizeof(float4));
    cudaMemcpy(d_p, p.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
    cudaMemcpy(d_v, v.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
    for (int s = 0; s < steps; ++s) {
        integrate<<<n / TILE, TILE>>>(d_p, d_v, d_next, 0.1f, n);
        float4 *t = d_p;
        d_p = d_next;
        d_next = t;
    }
    cudaMemcpy(p.data(), d_p, n * sizeof(float4), cudaMemcpyDeviceToHost);
    cudaMemcpy(v.data(), d_v, n * sizeof(float4), cudaMemcpyDeviceToHost);
    double momentum[3] = {}, energy = 0;
    for (auto &u : v) {
        momentum[0] += u.x, momentum[1] += u.y, momentum[2] += u.z;
        energy += 0.5 / n * (u.x * u.x + u.y * u.y + u.z * u.z);
    }
    bool kept = std::fabs(momentum[0]) + std::fabs(momentum[1]) + std::fabs(momentum[2]) < 1e-4;
    printf("first body at (%.4f, %.4f, %.4f)\nkinetic energy %.6f\nmomentum %s\n", p[0].x, p[0].y, p[0].z, energy,
           kept ? "is conserved" : "is NOT conserved");
    cudaFree(d_p);
    cudaFree(d_v);
    cudaFree(d_next);
    return !kept;
}
