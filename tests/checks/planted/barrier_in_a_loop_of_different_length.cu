//@ kinds = ["exit before barrier", "divergent barrier", "barrier cannot complete"]
//@ block = 64
//@ args = { out = "int:64" }
//@ variants = [{ N = 32 }, { N = 7 }]
__global__ void kernel(int *out) {
  int t = threadIdx.x;
#ifdef BUG
  for (int k = 0; k < 1 + t / N; ++k)
    __syncthreads();  // here
#else
  for (int k = 0; k < N; ++k)
    __syncthreads();
#endif
  out[t] = t;
}
