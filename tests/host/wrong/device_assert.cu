// FINDING: assertion
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cassert>
__global__ void check(int n) { assert(threadIdx.x < n); }  // WRONG
int main() {
    check<<<1, 64>>>(40);
    cudaError_t e = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorString(e));
    return 1;
}
