// FINDING: missing synchronisation
#include <cstdio>
#include <cstdlib>
#include <vector>
int main() {
    int *d, *h;
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMalloc(&d, 128);
    cudaMallocHost(&h, 128);
    h[0] = 5;
    cudaMemset(d, 0, 128);
    cudaMemcpyAsync(h, d, 128, cudaMemcpyDeviceToHost, s);
    printf("%d\n", h[0]);  // WRONG
    cudaStreamSynchronize(s);
    cudaFree(d);
    cudaFreeHost(h);
    cudaStreamDestroy(s);
}
