// Four elements in one access, but the first of them is not at a multiple of 16 bytes.
__global__ void misaligned(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int4 four = *reinterpret_cast<const int4 *>(in + 4 * i + 1);
    out[i] = four.x + four.y + four.z + four.w;
}
