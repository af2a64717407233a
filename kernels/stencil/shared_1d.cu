// The block fetches its elements and a halo of RADIUS on either side once, and reads them from shared memory.
#ifndef RADIUS
#define RADIUS 3
#endif

template <int BLOCK>
__global__ void stencil_shared(const int *in, int *out, int n)
{
    __shared__ int tile[BLOCK + 2 * RADIUS];

    int i = blockIdx.x * BLOCK + threadIdx.x;
    int local = threadIdx.x + RADIUS;

    tile[local] = in[i + RADIUS];
    if (threadIdx.x < RADIUS) {
        tile[local - RADIUS] = in[i];
        tile[local + BLOCK] = in[i + RADIUS + BLOCK];
    }
    __syncthreads();

    int sum = 0;
    for (int offset = -RADIUS; offset <= RADIUS; offset++)
        sum += tile[local + offset];
    out[i] = sum;
}
