// The largest element of each block.
__global__ void reduce_max(const float *input, float *output, int n)
{
    extern __shared__ float fdata[];

    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    float largest = i < n ? input[i] : -3.402823466e+38f;
    if (i + blockDim.x < n)
        largest = fmaxf(largest, input[i + blockDim.x]);
    fdata[tid] = largest;
    __syncthreads();

    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            fdata[tid] = fmaxf(fdata[tid], fdata[tid + s]);
        __syncthreads();
    }
    if (tid == 0)
        output[blockIdx.x] = fdata[0];
}
