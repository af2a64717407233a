// Lanes read words `stride` apart: the wider the stride, the less of each sector is of use.
__global__ void strided_copy(const float *in, float *out, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i * stride];
}
