//@ kinds = ["race"]
//@ block = 128
//@ args = { out = "unsigned char:128" }
//@ variants = [{ N = 127 }, { N = 120 }, { N = 64 }]
__global__ void kernel(unsigned char *out) {
  __shared__ unsigned char s[128];
  int t = threadIdx.x;
#ifdef BUG
  s[t % N] = t;  // here
#else
  s[t] = t;
#endif
  __syncthreads();
  out[t] = s[t];
}
