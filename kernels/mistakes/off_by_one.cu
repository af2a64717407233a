// The last index is n - 1, but the guard lets n through.
__global__ void off_by_one(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        out[i] = 2 * in[i];
}
