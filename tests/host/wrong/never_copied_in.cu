// FINDING: uninitialised copy
#include <cstdio>
#include <cstdlib>
#include <vector>
int main() {
    int h[32], *d;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);  // WRONG
    cudaFree(d);
    return 0;
}
