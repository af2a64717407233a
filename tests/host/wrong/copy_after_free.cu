// FINDING: use after free
#include <cstdio>
#include <cstdlib>
#include <vector>
int main() {
    int h[32], *d;
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    cudaFree(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);  // WRONG
}
