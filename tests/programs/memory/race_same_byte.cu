// Two warps write the same byte; a word is read of which another warp has written one byte.
__global__ void kernel(int* out) {
  __shared__ unsigned char s[128];
  __shared__ int w[32];
  int t = threadIdx.x;
  s[t & 31] = t & 31;
  ((unsigned char*)w)[t] = 1;
  if (t / 32 == 3) out[t] = w[t & 31];
  __syncthreads();
  out[t] = s[t & 31] + w[t & 31];
}
