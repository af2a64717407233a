// A warp computes 16 x 16 elements of C with tensor cores: the halves of a tile of A and of a tile of B lie in the
// registers of its 32 lanes, and one instruction multiplies them. n is a multiple of 16.
#include <mma.h>
using namespace nvcuda;

__global__ void matmul_tensor_cores(const half *A, const half *B, float *C, int n)
{
    int row = 16 * (blockIdx.y * blockDim.y + threadIdx.y);
    int col = 16 * blockIdx.x;

    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);

    for (int first = 0; first < n; first += 16) {
        wmma::load_matrix_sync(a, A + row * n + first, n);
        wmma::load_matrix_sync(b, B + first * n + col, n);
        wmma::mma_sync(sum, a, b, sum);
    }
    wmma::store_matrix_sync(C + row * n + col, sum, n, wmma::mem_row_major);
}
