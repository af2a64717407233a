// Merging sorted arrays in tiles, split by co-ranks.
#include <cstdio>
#include <cstdlib>
#include <algorithm>
#include <numeric>
#include <vector>
#include <random>
__host__ __device__ int co_rank(int k, const int *A, int m, const int *B, int n) {
  int i = k < m ? k : m, j = k - i;
  int i_low = 0 > (k - n) ? 0 : k - n, j_low = 0 > (k - m) ? 0 : k - m;
  bool active = true;
  while (active) {
    if (i > 0 && j < n && A[i - 1] > B[j]) { int delta = ((i - i_low + 1) >> 1); j_low = j; j += delta; i -= delta; }
    else if (j > 0 && i < m && B[j - 1] >= A[i]) { int delta = ((j - j_low + 1) >> 1); i_low = i; i += delta; j -= delta; }
    else active = false;
  }
  return i;
}
__host__ __device__ void merge_sequential(const int *A, int m, const int *B, int n, int *C) {
  int i = 0, j = 0, k = 0;
  while (i < m && j < n) C[k++] = A[i] <= B[j] ? A[i++] : B[j++];
  while (i < m) C[k++] = A[i++];
  while (j < n) C[k++] = B[j++];
}
__global__ void merge_tiled_kernel(int *A, int m, int *B, int n, int *C, int tile_size) {
  extern __shared__ int shareAB[];
  int *A_S = &shareAB[0], *B_S = &shareAB[tile_size];
  int chunk = (m + n + gridDim.x - 1) / gridDim.x;
  int C_curr = blockIdx.x * chunk, C_next = min((int)((blockIdx.x + 1) * chunk), m + n);
  if (threadIdx.x == 0) { A_S[0] = co_rank(C_curr, A, m, B, n); A_S[1] = co_rank(C_next, A, m, B, n); }
  __syncthreads();
  int A_curr = A_S[0], A_next = A_S[1], B_curr = C_curr - A_curr, B_next = C_next - A_next;
  __syncthreads();
  int counter = 0, C_length = C_next - C_curr, A_length = A_next - A_curr, B_length = B_next - B_curr;
  int total = (C_length + tile_size - 1) / tile_size, C_completed = 0, A_consumed = 0, B_consumed = 0;
  while (counter < total) {
    for (int i = 0; i < tile_size; i += blockDim.x) if (i + threadIdx.x < A_length - A_consumed && i + threadIdx.x < tile_size) A_S[i + threadIdx.x] = A[A_curr + A_consumed + i + threadIdx.x];
    for (int i = 0; i < tile_size; i += blockDim.x) if (i + threadIdx.x < B_length - B_consumed && i + threadIdx.x < tile_size) B_S[i + threadIdx.x] = B[B_curr + B_consumed + i + threadIdx.x];
    __syncthreads();
    int c_curr = threadIdx.x * (tile_size / blockDim.x), c_next = (threadIdx.x + 1) * (tile_size / blockDim.x);
    c_curr = (c_curr <= C_length - C_completed) ? c_curr : C_length - C_completed;
    c_next = (c_next <= C_length - C_completed) ? c_next : C_length - C_completed;
    int a_len = min(tile_size, A_length - A_consumed), b_len = min(tile_size, B_length - B_consumed);
    int a_curr = co_rank(c_curr, A_S, a_len, B_S, b_len), b_curr = c_curr - a_curr;
    int a_next = co_rank(c_next, A_S, a_len, B_S, b_len), b_next = c_next - a_next;
    merge_sequential(A_S + a_curr, a_next - a_curr, B_S + b_curr, b_next - b_curr, C + C_curr + C_completed + c_curr);
    counter++;
    C_completed += tile_size;
    A_consumed += co_rank(min(tile_size, C_length - C_completed + tile_size), A_S, a_len, B_S, b_len);
    B_consumed = C_completed - A_consumed;
    __syncthreads();
  }
}
int main() {
  const int m = 700, n = 900;
  std::mt19937 rng(7); std::uniform_int_distribution<> d(0, 5000);
  std::vector<int> a(m), b(n), c(m + n), ref(m + n);
  for (auto &x : a) x = d(rng);
  for (auto &x : b) x = d(rng);
  std::sort(a.begin(), a.end()); std::sort(b.begin(), b.end());
  std::merge(a.cbegin(), a.cend(), b.cbegin(), b.cend(), ref.begin());
  int *A, *B, *C; cudaMalloc(&A, m * 4); cudaMalloc(&B, n * 4); cudaMalloc(&C, (m + n) * 4);
  cudaMemcpy(A, a.data(), m * 4, cudaMemcpyDefault); cudaMemcpy(B, b.data(), n * 4, cudaMemcpyDefault);
  merge_tiled_kernel<<<4, 32, 2 * 128 * sizeof(int)>>>(A, m, B, n, C, 128);
  cudaMemcpy(c.data(), C, (m + n) * 4, cudaMemcpyDefault);
  printf("%s %d %d\n", c == ref ? "sorted" : "wrong", c.front(), c.back());
  cudaFree(A); cudaFree(B); cudaFree(C);
}
