//@ kinds = ["exit before barrier", "divergent barrier", "barrier cannot complete"]
//@ block = 64
//@ args = { out = "int:64" }
//@ variants = [{ N = 32 }, { N = 20 }]
__device__ int together(int v) {
  __syncthreads();  // here
  return v + 1;
}
__global__ void kernel(int *out) {
  int t = threadIdx.x;
#ifdef BUG
  if (t < N) out[t] = together(t);
#else
  int v = together(t);
  if (t < N) out[t] = v;
#endif
}
