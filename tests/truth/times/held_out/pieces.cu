// Stores of pieces of sectors, one after the other, that fill them or not.

// Each thread stores ``times`` pieces in a row; those of neighbouring threads start ``gap`` pieces apart.
template <class T>
__global__ void pieces(T *out, int gap, int times)
{
    T *at = out + (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * gap;
    T piece = T();
    for (int k = 0; k < times; k++)
        at[k] = piece;
}

// The same of a copy.
template <class T>
__global__ void copied_pieces(const T *in, T *out, int gap, int times)
{
    size_t at = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * gap;
    T piece[8];
    #pragma unroll
    for (int k = 0; k < 8; k++)
        if (k < times)
            piece[k] = in[at + k];
    #pragma unroll
    for (int k = 0; k < 8; k++)
        if (k < times)
            out[at + k] = piece[k];
}
