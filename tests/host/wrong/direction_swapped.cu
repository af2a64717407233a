// FINDING: wrong direction
#include <cstdio>
#include <cstdlib>
#include <vector>
int main() {
    int h[32] = {}, *d;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyDeviceToHost);  // WRONG
    cudaFree(d);
}
