// FINDING: double free
#include <cstdio>
#include <cstdlib>
#include <vector>
int main() {
    float *d_a;
    cudaMalloc(&d_a, 1024);
    cudaFree(d_a);
    cudaFree(d_a);  // WRONG
}
