// FINDING: crash
#include <cstdio>
#include <cstdlib>
#include <vector>
int main() {
    int *d;
    cudaMalloc(&d, 128);
    d[3] = 1;  // WRONG
    cudaFree(d);
}
