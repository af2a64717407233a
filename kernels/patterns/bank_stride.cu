// Lanes read shared words `stride` apart. How many share a bank depends on the common divisors of stride and banks.
__global__ void bank_stride(float *out, int stride)
{
    __shared__ float words[2048];
    for (int w = threadIdx.x; w < 2048; w += blockDim.x)
        words[w] = w;
    __syncthreads();

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = words[threadIdx.x * stride % 2048];
}
