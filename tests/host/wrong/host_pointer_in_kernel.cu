// FINDING: host pointer in a kernel
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void fill(int *p) { p[threadIdx.x] = 1; }
int main() {
    int *h = new int[32];
    fill<<<1, 32>>>(h);  // WRONG
    cudaDeviceSynchronize();
    delete[] h;
}
