//@ kinds = ["race"]
//@ block = 64
//@ args = { out = "int:64", in = "int:512", tiles = 8 }
//@ variants = [{ SHIFT = 32 }, { SHIFT = 33 }, { SHIFT = 40 }, { SHIFT = 63 }]
__global__ void kernel(int *out, const int *in, int tiles) {
  __shared__ int s[64];
  int t = threadIdx.x, sum = 0;
  for (int k = 0; k < tiles; ++k) {
    s[t] = in[k * 64 + t];  // here
    __syncthreads();
    sum += s[(t + SHIFT) % 64];  // here
#ifndef BUG
    __syncthreads();
#endif
  }
  out[t] = sum;
}
