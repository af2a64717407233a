// A bitonic sorting network on one block's elements: compare and exchange partners that differ in one bit.
__global__ void bitonic_sort(int *values)
{
    extern __shared__ int block[];

    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + tid;
    block[tid] = values[i];
    __syncthreads();

    for (unsigned int size = 2; size <= blockDim.x; size *= 2) {
        for (unsigned int bit = size / 2; bit > 0; bit /= 2) {
            unsigned int partner = tid ^ bit;
            if (partner > tid) {
                bool ascending = (tid & size) == 0;
                int mine = block[tid];
                int other = block[partner];
                if ((mine > other) == ascending) {
                    block[tid] = other;
                    block[partner] = mine;
                }
            }
            __syncthreads();
        }
    }
    values[i] = block[tid];
}
