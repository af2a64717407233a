//@ kinds = ["race"]
//@ block = 64
//@ args = { out = "int:16", in = "int:64:iota" }
//@ variants = [{ BINS = 2 }, { BINS = 8 }, { BINS = 16 }]
__global__ void kernel(int *out, const int *in) {
  __shared__ int bins[16];
  int t = threadIdx.x;
  if (t < 16) bins[t] = 0;
  __syncthreads();
#ifdef BUG
  bins[in[t] % BINS] += 1;  // here
#else
  atomicAdd(&bins[in[t] % BINS], 1);
#endif
  __syncthreads();
  if (t < 16) out[t] = bins[t];
}
