// A table in constant memory read by data-dependent index: one pass for each different word.
__constant__ float table[256];

__global__ void constant_divergent(const int *indices, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = table[indices[i]];
}
