// The block copies its records word by word to shared memory, works on them there, and copies them back.
template <int BLOCK>
__global__ void float3_staged(const float *in, float *out)
{
    __shared__ float stage[BLOCK * 3];

    int first = blockIdx.x * BLOCK * 3 + threadIdx.x;
    stage[threadIdx.x] = in[first];
    stage[threadIdx.x + BLOCK] = in[first + BLOCK];
    stage[threadIdx.x + 2 * BLOCK] = in[first + 2 * BLOCK];
    __syncthreads();

    stage[threadIdx.x * 3] += 2.0f;
    stage[threadIdx.x * 3 + 1] += 2.0f;
    stage[threadIdx.x * 3 + 2] += 2.0f;
    __syncthreads();

    out[first] = stage[threadIdx.x];
    out[first + BLOCK] = stage[threadIdx.x + BLOCK];
    out[first + 2 * BLOCK] = stage[threadIdx.x + 2 * BLOCK];
}
