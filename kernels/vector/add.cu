// c = a + b, with a grid that need not cover the vector: each thread walks on in steps of the grid.
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        c[i] = a[i] + b[i];
}
