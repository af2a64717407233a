// Each field has an array of its own: the same field of neighbouring records is side by side.
__global__ void struct_of_arrays(float *mass, float factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        mass[i] = mass[i] * factor;
}
