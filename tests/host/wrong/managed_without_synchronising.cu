// FINDING: missing synchronisation
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void fill(int *p) { p[threadIdx.x] = 7; }
int main() {
    int *m;
    cudaMallocManaged(&m, 128);
    fill<<<1, 32>>>(m);
    printf("%d\n", m[5]);  // WRONG
    cudaDeviceSynchronize();
    cudaFree(m);
}
