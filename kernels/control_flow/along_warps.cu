// Even and odd warps do different work: each warp walks through one side only.
__global__ void branch_along_warps(const float *input, float *output)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = input[i];
    if (threadIdx.x / 32 % 2 == 0) {
        for (int k = 0; k < 8; ++k)
            value = value * 0.5f + 1.0f;
    } else {
        for (int k = 0; k < 8; ++k)
            value = value * 0.25f - 1.0f;
    }
    output[i] = value;
}
