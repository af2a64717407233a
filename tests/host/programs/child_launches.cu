// Kernels that launch kernels: recursion to a depth, order of launches of one block, tail launches, streams of the device.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void show(int depth, int thread) {
    if (threadIdx.x == 0) printf("show depth %d for thread %d: %u blocks of %u threads\n", depth, thread, gridDim.x, blockDim.x);
}

__global__ void nested(int depth, int limit) {
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        printf("nested at depth %d\n", depth);
        if (depth < limit) nested<<<2, 32 << depth>>>(depth + 1, limit);
    }
}

__global__ void append(int *log, int *count, int value) {
    log[atomicAdd(count, 1)] = value;
}

__global__ void in_order(int *log, int *count) {
    for (int k = 0; k < 5; k++) append<<<1, 1>>>(log, count, k);
    append<<<1, 1, 0, cudaStreamTailLaunch>>>(log, count, 100);
    append<<<1, 1, 0, cudaStreamTailLaunch>>>(log, count, 101);
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    append<<<1, 1, 0, stream>>>(log, count, 200);
    append<<<1, 1, 0, stream>>>(log, count, 201);
    cudaStreamDestroy(stream);
}

template <typename T>
__global__ void scale(T *data, int n, T factor) {
    extern __shared__ unsigned char raw[];
    T *held = reinterpret_cast<T *>(raw);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) held[threadIdx.x] = data[i];
    __syncthreads();
    if (i < n) data[i] = held[threadIdx.x] * factor;
}

struct Range { int first, last; double weight; };

__global__ void fill(float *data, Range range, unsigned char step) {
    const int i = range.first + threadIdx.x;
    if (i < range.last) data[i] += (float)(range.weight * step);
}

__global__ void parent(float *data, double *doubles, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 16 == 0 && i < n) {
        const Range range = {i, i + 16, 0.5 * i};
        fill<<<1, 16>>>(data, range, 3);
    }
    if (i == 0) {
        const dim3 block(64), grid((n + 63) / 64);
        scale<float><<<grid, block, 64 * sizeof(float)>>>(data, n, 2);
        scale<<<grid, 64, 64 * sizeof(double)>>>(doubles, n, 0.25);
        if (cudaGetLastError() != cudaSuccess) printf("a launch failed\n");
    }
}

int main() {
    show<<<1, 1>>>(-1, -1);
    nested<<<1, 32>>>(0, 3);
    cudaDeviceSynchronize();

    int *log, *count;
    cudaMalloc(&log, 64 * sizeof(int));
    cudaMalloc(&count, sizeof(int));
    cudaMemset(count, 0, sizeof(int));
    in_order<<<1, 1>>>(log, count);
    int h_log[64], h_count;
    cudaMemcpy(&h_count, count, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(h_log, log, sizeof h_log, cudaMemcpyDeviceToHost);
    printf("%d entries; of the block:", h_count);
    for (int k = 0; k < h_count; k++) if (h_log[k] < 100) printf(" %d", h_log[k]);
    printf("; of the stream:");
    for (int k = 0; k < h_count; k++) if (h_log[k] >= 200) printf(" %d", h_log[k]);
    printf("; last: %d %d\n", h_log[h_count - 2], h_log[h_count - 1]);

    const int n = 200;
    float *data, h_data[n];
    double *doubles, h_doubles[n];
    cudaMallocManaged(&doubles, n * sizeof(double));
    cudaMalloc(&data, n * sizeof(float));
    for (int i = 0; i < n; i++) h_data[i] = (float)i, doubles[i] = 8.0 * i;
    cudaMemcpy(data, h_data, sizeof h_data, cudaMemcpyHostToDevice);
    parent<<<1, 256>>>(data, doubles, n);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaMemcpy(h_data, data, sizeof h_data, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) h_doubles[i] = doubles[i];
    double sum = 0, sum2 = 0;
    for (int i = 0; i < n; i++) sum += h_data[i], sum2 += h_doubles[i];
    printf("%.3f %.3f %.3f %.3f\n", sum, sum2, h_data[199], h_doubles[17]);
    return 0;
}
