//@ kinds = ["race"]
//@ block = 64
//@ shared_bytes = 1024
//@ args = { out = "int:64" }
//@ variants = [{ HALF = 32 }, { HALF = 40 }]
__global__ void kernel(int *out) {
  extern __shared__ int s[];
  int t = threadIdx.x;
#ifdef BUG
  int *second = s + HALF;
#else
  int *second = s + 64;
#endif
  s[t] = t;  // here
  second[t] = 2 * t;  // here
  __syncthreads();
  out[t] = s[t] + second[t];
}
