// The last warp of a reduction relies on its lanes being in step, and on the compiler storing and loading every time.
// Nothing tells the compiler so: it keeps the sum in a register and need not look at what other lanes have stored.
__global__ void not_volatile(const int *in, int *out)
{
    __shared__ int sdata[64];
    unsigned int tid = threadIdx.x;

    sdata[tid] = in[blockIdx.x * blockDim.x + tid];
    __syncthreads();

    if (tid < 32) {
        sdata[tid] += sdata[tid + 32];
        sdata[tid] += sdata[tid + 16];
        sdata[tid] += sdata[tid + 8];
        sdata[tid] += sdata[tid + 4];
        sdata[tid] += sdata[tid + 2];
        sdata[tid] += sdata[tid + 1];
    }
    if (tid == 0)
        out[blockIdx.x] = sdata[0];
}
