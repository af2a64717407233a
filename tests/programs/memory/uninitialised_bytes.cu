// Bytes that nobody has written, next to some that somebody has; in shared and in local memory.
__global__ void kernel(int* out) {
  __shared__ unsigned char s[128];
  __shared__ unsigned short h[64];
  unsigned char own[8];
  int t = threadIdx.x;
  s[2 * t] = t;
  if (t % 2) h[t] = t;
  own[t % 4] = t;
  __syncthreads();
  out[t] = s[2 * t ^ 2];
  out[t] += s[2 * t + 1];
  out[t] += h[t];
  out[t] += ((unsigned*)s)[t / 2] & 0xff;
  out[t] += own[t % 4];
  out[t] += own[t % 4 + 1];
}
