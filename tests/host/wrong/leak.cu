// FINDING: memory not freed
#include <cstdio>
#include <cstdlib>
#include <vector>
int main() {
    float *d_a;
    cudaMalloc(&d_a, 1024);  // WRONG
    return 0;
}
