// Threads that have ended are not waited for, a whole warp or a part of one.
__global__ void kernel(int* out, int n) {
  __shared__ int tile[128];
  int t = threadIdx.x;
  if (t >= n) return;
  tile[t] = t;
  __syncthreads();
  out[t] = tile[n - 1 - t];
}
