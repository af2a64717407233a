// Two warps share a word without a barrier between; with one they do not.
__global__ void kernel(int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  out[t] = s[63 - t];
  s[t] = 5;
}
