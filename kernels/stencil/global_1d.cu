// The sum of an element and its RADIUS neighbours on either side. The input has RADIUS more elements at each end.
#ifndef RADIUS
#define RADIUS 3
#endif

__global__ void stencil_global(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    int sum = 0;
    for (int offset = -RADIUS; offset <= RADIUS; offset++)
        sum += in[i + RADIUS + offset];
    out[i] = sum;
}
