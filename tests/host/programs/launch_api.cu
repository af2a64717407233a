#include <cstdio>

template <typename T> __global__ void scale(T *data, T factor, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= factor;
}
__global__ void shiftRight(const int *in, int *out, int n, char by, double unused, short more) {
    extern __shared__ int buffer[];
    buffer[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[(threadIdx.x + by + more) % n] = buffer[threadIdx.x];
}
typedef void (*Scaler)(int *, int, int);

int main() {
    int h[64], *a, *b, n = 64, factor = 3;
    for (int i = 0; i < n; ++i) h[i] = i;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    void *args[] = {&a, &factor, &n};
    cudaLaunchKernel((void *)scale<int>, dim3(2), dim3(32), args, 0, 0);
    char by = 2;
    double unused = 1.5;
    short more = 1;
    void *others[] = {&a, &b, &n, &by, &unused, &more};
    cudaLaunchKernel((const void *)shiftRight, dim3(1), dim3(64), others, sizeof h, nullptr);
    Scaler pointer = scale<int>;
    pointer<<<2, 32>>>(b, -1, n);
    cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; ++i) printf("%d ", h[i]);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    cudaFree(a);
    cudaFree(b);
    return h[3] == 0 && h[4] == -3 ? 0 : 1;
}
