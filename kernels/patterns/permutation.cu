// Within each group of 32 the lanes read in another order: the same words, by other lanes.
__global__ void permutation(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i ^ 13];
}
