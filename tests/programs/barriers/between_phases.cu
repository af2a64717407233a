// What one warp writes another reads behind the barrier; a loop has a barrier in each turn.
__global__ void kernel(int* out) {
  __shared__ int tile[96];
  int t = threadIdx.x;
  tile[t] = t;
  __syncthreads();
  for (int k = 1; k < 96; k *= 2) {
    int v = tile[(t + k) % 96];
    __syncthreads();
    tile[t] += v;
    __syncthreads();
  }
  out[t] = tile[t];
}
