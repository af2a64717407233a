// Lanes read wherever the indices say.
__global__ void gather(const int *indices, const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[indices[i]];
}
