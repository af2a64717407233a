// The lower half of the warp asks the upper half for its values, but the upper half is not there.
__global__ void shuffle_in_branch(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = in[i];
    if (threadIdx.x % 32 < 16)
        value += __shfl_down_sync(0xffffffffu, value, 16);
    else
        return;
    out[i] = value;
}
