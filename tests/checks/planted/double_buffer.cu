//@ kinds = ["race"]
//@ block = 64
//@ args = { out = "int:64", in = "int:512", tiles = 8 }
//@ variants = [{ SHIFT = 32 }, { SHIFT = 47 }]
__global__ void kernel(int *out, const int *in, int tiles) {
#ifdef BUG
  __shared__ int s[1][64];
#else
  __shared__ int s[2][64];
#endif
  const int buffers = sizeof s / sizeof s[0];
  int t = threadIdx.x, sum = 0;
  s[0][t] = in[t];  // here
  __syncthreads();
  for (int k = 0; k < tiles; ++k) {
    int next = k + 1 < tiles ? in[(k + 1) * 64 + t] : 0;
    sum += s[k % buffers][(t + SHIFT) % 64];  // here
    s[(k + 1) % buffers][t] = next;  // here
    __syncthreads();
  }
  out[t] = sum;
}
