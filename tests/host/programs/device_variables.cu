#include <cstdio>
#include <cstring>

struct Settings {
    int width;
    float scale[3];
};
__constant__ Settings settings;
__device__ int counter = 10;
__device__ float table[4] = {1.5f, 2.5f, 3.5f, 4.5f};
static __device__ unsigned long long *pointer;
namespace inner {
__device__ int hidden = 3;
__global__ void useHidden(int *out) { *out = hidden * counter; }
}

__global__ void work() {
    int i = threadIdx.x;
    atomicAdd(&counter, 1);
    table[i % 4] += settings.scale[i % 3] * (i < 4 && settings.width == 9);
    if (i == 0 && pointer) *pointer = 0x1234567890abcdefull;
}

int main() {
    Settings s = {9, {10, 20, 30}};
    cudaMemcpyToSymbol(settings, &s, sizeof s);
    unsigned long long *d, value = 0;
    cudaMalloc(&d, sizeof *d);
    cudaMemcpyToSymbol(pointer, &d, sizeof d);
    int start = 100;
    cudaMemcpyToSymbol(counter, &start, sizeof start);
    work<<<1, 64>>>();
    int count;
    float t[4];
    cudaMemcpyFromSymbol(&count, counter, sizeof count);
    cudaMemcpyFromSymbol(t, table, 2 * sizeof(float), 2 * sizeof(float));
    float *address;
    size_t size;
    cudaGetSymbolAddress((void **)&address, table);
    cudaGetSymbolSize(&size, table);
    cudaMemcpy(t + 2, address, 2 * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(&value, d, sizeof value, cudaMemcpyDeviceToHost);
    int *out, product;
    cudaMalloc(&out, sizeof(int));
    inner::useHidden<<<1, 1>>>(out);
    cudaMemcpy(&product, out, sizeof product, cudaMemcpyDeviceToHost);
    printf("counter %d, table %.1f %.1f %.1f %.1f (%zu bytes), value %llx, product %d\n", count, t[2], t[3], t[0], t[1],
           size, value, product);
    cudaFree(d);
    cudaFree(out);
    return cudaGetLastError() != cudaSuccess;
}
