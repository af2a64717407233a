// Shared words and a buffer that nobody has written.
__global__ void kernel(int* blank, int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t % 2) s[t] = t;
  if (t % 4 == 0) blank[t] = t;
  __syncthreads();
  out[t] = s[t] + blank[t];
  s[t] = 1;
  blank[t] = 1;
  out[t] += s[t] + blank[t];
}
