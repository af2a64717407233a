#include "kernels.h"

static __device__ float product(float a, float b) { return a * b; }

__global__ void scale(float *x, float by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = product(x[i], by);
}

void scaleVector(Vector &v, float by) { scale<<<(v.size() + 127) / 128, 128>>>(v.device(), by, v.size()); }
