// All lanes of a warp read the same word of a table.
__global__ void broadcast(const float *table, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = table[i / 32];
}
