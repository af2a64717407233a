// FINDING: copy out of bounds
#include <cstdio>
#include <cstdlib>
#include <vector>
int main() {
    std::vector<float> h(200);
    float *d;
    cudaMalloc(&d, 100 * sizeof(float));
    cudaMemcpy(d, h.data(), 200 * sizeof(float), cudaMemcpyHostToDevice);  // WRONG
    cudaFree(d);
}
