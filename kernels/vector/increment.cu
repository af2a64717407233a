// Add a number to every element: one thread an element.
__global__ void increment(float *values, float by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        values[i] = values[i] + by;
}
