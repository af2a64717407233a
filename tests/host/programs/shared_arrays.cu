// Shared memory as programs pass it around: references to arrays, one pool of several types, vectors, a list.
#include <cstdio>

extern __shared__ __align__(16) char pool[];

template <int T> __device__ void load(const float *__restrict__ from, float (&to)[T][T + 1], int pitch) {
#pragma unroll 4
    for (int row = threadIdx.y; row < T; row += blockDim.y) to[row][threadIdx.x] = __ldg(&from[row * pitch + threadIdx.x]);
}
template <int T> __global__ void multiply(const float *a, const float *b, float *c, int n) {
    __shared__ float as[T][T + 1], bs[T][T + 1];
    float sums[T / 8] = {};
    for (int k0 = 0; k0 < n; k0 += T) {
        load<T>(a + blockIdx.y * T * n + k0, as, n);
        load<T>(b + k0 * n + blockIdx.x * T, bs, n);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < T; ++k)
#pragma unroll
            for (int i = 0; i < T / 8; ++i) sums[i] += as[threadIdx.y + i * 8][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < T / 8; ++i)
        c[(blockIdx.y * T + threadIdx.y + i * 8) * n + blockIdx.x * T + threadIdx.x] = sums[i];
}
__global__ void mixed(double *out, int n) {
    double *numbers = (double *)pool;
    int *counts = (int *)(numbers + n);
    short *small = (short *)&counts[n];
    const int i = threadIdx.x;
    numbers[i] = i * 0.5, counts[i] = i, small[i] = -i;
    __syncthreads();
    out[i] = numbers[n - 1 - i] + counts[(i + 1) % n] + small[i];
}
__global__ void vectors(const float *in, float *out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 4) return;
    float4 four = __ldcs(reinterpret_cast<const float4 *>(in) + i);
    four.x *= 2, four.w = -four.w;
    __stcg(reinterpret_cast<float4 *>(out) + i, four);
}
struct Node {
    int value;
    Node *next;
};
__global__ void link(Node *nodes, int count) {
    const int i = threadIdx.x;
    if (i < count) nodes[i] = {i * i, i + 1 < count ? &nodes[i + 1] : nullptr};
}
__global__ void walk(const Node *first, int *sum) {
    *sum = 0;
    for (const Node *node = first; node; node = node->next) *sum += node->value;
}

int main() {
    const int n = 64;
    float *a, *b, *c;
    cudaMallocManaged(&a, n * n * sizeof(float));
    cudaMallocManaged(&b, n * n * sizeof(float));
    cudaMallocManaged(&c, n * n * sizeof(float));
    for (int i = 0; i < n * n; i++) a[i] = i % 7, b[i] = i % 3;
    multiply<32><<<dim3(2, 2), dim3(32, 8)>>>(a, b, c, n);
    cudaDeviceSynchronize();
    double sum = 0;
    for (int i = 0; i < n * n; i++) sum += c[i] * (i % 11);
    printf("product %g\n", sum);
    vectors<<<4, 256>>>(a, c, n * n);
    cudaDeviceSynchronize();
    printf("vectors %g %g %g\n", c[4], c[3], c[9]);
    double *numbers;
    cudaMallocManaged(&numbers, n * sizeof(double));
    mixed<<<1, n, n * (sizeof(double) + sizeof(int) + sizeof(short))>>>(numbers, n);
    cudaDeviceSynchronize();
    printf("mixed %g %g\n", numbers[0], numbers[63]);
    Node *nodes;
    int *total;
    cudaMalloc(&nodes, 20 * sizeof(Node));
    cudaMallocManaged(&total, sizeof(int));
    link<<<1, 32>>>(nodes, 20);
    walk<<<1, 1>>>(nodes, total);
    cudaDeviceSynchronize();
    printf("list %d\n", *total);
    for (void *memory : {(void *)a, (void *)b, (void *)c, (void *)numbers, (void *)nodes, (void *)total}) cudaFree(memory);
    return 0;
}
