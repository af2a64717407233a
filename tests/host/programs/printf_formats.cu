#include <cstdio>
#include <cassert>
#include <cstdint>
enum Colour { RED, GREEN = 5, BLUE };
struct Vec { float x, y; __device__ float norm2() const { return x * x + y * y; } };
__device__ const char *name(Colour c) { switch (c) { case RED: return "red"; case GREEN: return "green"; default: return "blue"; } }
__global__ void formats(const double *d, unsigned long long big, const char *text) {
    printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d]\n", 42, 42, 42, 42, 42, 42);
    printf("[%u] [%x] [%X] [%#x] [%08x] [%o]\n", 3000000000u, 255, 255, 255, 48879, 64);
    printf("[%lld] [%llu] [%llx] [%ld] [%lu] [%hd] [%d]\n", -5000000000ll, big, big, -7l, 7ul, (short)70000, (unsigned char)300);
    printf("[%f] [%.2f] [%10.3f] [%-10.1f] [%e] [%.3E] [%g] [%G]\n", d[0], d[0], d[0], d[0], d[1], d[1], d[2], d[3]);
    printf("[%c] [%s] [%10s] [%-10s] [%.2s] [%%] [%5c]\n", 'x', "text", "right", "left", "cut", 'y');
    printf("%s %s %s\n", name(RED), name(GREEN), name(BLUE));
    printf("[%i] [%f] [%f] [%f]\n", (int)true, 1.0 / 0.0, -1.0 / 0.0, 0.0f);
    printf("%s|%c|%d\n", text, text[1], (int)sizeof(Vec));
    Vec v = {3, 4}; printf("%.1f %a\n", v.norm2(), 1.0);
    printf("no newline"); printf("\n");
    assert(v.x == 3 && "holds");
}
__global__ void ordered() { for (int t = 0; t < 4; t++) { if (threadIdx.x == t) printf("thread %d of %d, warp %d\n", threadIdx.x, blockDim.x, threadIdx.x / 32); __syncthreads(); } }
int main() {
    double h[4] = {3.14159265, 12345.678, 0.00001234, 1e20}, *d; char *t;
    cudaMalloc(&d, sizeof h); cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMalloc(&t, 16); cudaMemcpy(t, "device text", 12, cudaMemcpyHostToDevice);
    formats<<<1, 1>>>(d, 18446744073709551615ull, t);
    cudaDeviceSynchronize();
    ordered<<<1, 64>>>();
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(d); cudaFree(t);
}
