#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                  \
    do {                                                                                             \
        cudaError_t status = (call);                                                                 \
        if (status != cudaSuccess) {                                                                 \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));          \
            exit(EXIT_FAILURE);                                                                      \
        }                                                                                            \
    } while (0)

__global__ void vecAdd(const float *a, const float *b, float *c, int n) {
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

int main(void) {
    const int n = 50000;
    size_t bytes = n * sizeof(float);
    float *h_a = (float *)malloc(bytes), *h_b = (float *)malloc(bytes), *h_c = (float *)malloc(bytes);
    for (int i = 0; i < n; ++i) h_a[i] = i * 0.5f, h_b[i] = 2.0f * i;
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;
    CHECK(cudaMalloc((void **)&d_a, bytes));
    CHECK(cudaMalloc((void **)&d_b, bytes));
    CHECK(cudaMalloc((void **)&d_c, bytes));
    CHECK(cudaMemcpy(d_a, h_a, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, h_b, bytes, cudaMemcpyHostToDevice));
    int threads = 256, blocks = (n + threads - 1) / threads;
    printf("launching %d blocks of %d threads\n", blocks, threads);
    vecAdd<<<blocks, threads>>>(d_a, d_b, d_c, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h_c, d_c, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i)
        if (h_c[i] != h_a[i] + h_b[i]) {
            fprintf(stderr, "wrong at %d\n", i);
            return EXIT_FAILURE;
        }
    printf("c[1] = %.1f, c[%d] = %.1f\nTest PASSED\n", h_c[1], n - 1, h_c[n - 1]);
    CHECK(cudaFree(d_a)); CHECK(cudaFree(d_b)); CHECK(cudaFree(d_c));
    free(h_a); free(h_b); free(h_c);
    return 0;
}
