// The largest element of each block and where it stands; of equal ones the first.
__global__ void reduce_argmax(const float *input, float *output, int *place, int n)
{
    __shared__ float value[128];
    __shared__ int index[128];

    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    value[tid] = i < n ? input[i] : -3.402823466e+38f;
    index[tid] = i;
    __syncthreads();

    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            bool larger = value[tid + s] > value[tid];
            bool first = value[tid + s] == value[tid] && index[tid + s] < index[tid];
            if (larger || first) {
                value[tid] = value[tid + s];
                index[tid] = index[tid + s];
            }
        }
        __syncthreads();
    }
    if (tid == 0) {
        output[blockIdx.x] = value[0];
        place[blockIdx.x] = index[0];
    }
}
