// A small array of each thread's own, indexed by data: registers have no addresses, so it lives in local memory.
__global__ void local_array(const int *digits, int *most, int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;

    int counts[10];
    for (int d = 0; d < 10; d++)
        counts[d] = 0;
    for (int k = 0; k < length; k++)
        counts[digits[k * stride + i]]++;

    int best = 0;
    for (int d = 1; d < 10; d++)
        if (counts[d] > counts[best])
            best = d;
    most[i] = best;
}
