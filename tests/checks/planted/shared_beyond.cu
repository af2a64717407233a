//@ kinds = ["out of bounds"]
//@ block = 64
//@ args = { out = "int:64" }
//@ variants = [{ N = 60 }, { N = 63 }, { N = 32 }]
__global__ void kernel(int *out) {
#ifdef BUG
  __shared__ int s[N];
#else
  __shared__ int s[64];
#endif
  int t = threadIdx.x;
  s[t] = t + N;  // here
  __syncthreads();
  out[t] = s[t];  // here
}
