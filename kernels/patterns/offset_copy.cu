// Consecutive words, but not from where a segment begins.
__global__ void offset_copy(const float *in, float *out, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i + offset];
}
