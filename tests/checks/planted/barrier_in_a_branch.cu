//@ kinds = ["divergent barrier", "exit before barrier", "barrier cannot complete"]
//@ block = 64
//@ args = { out = "int:64" }
//@ variants = [{ N = 16 }, { N = 32 }, { N = 40 }, { N = 63 }]
__global__ void kernel(int *out) {
  int t = threadIdx.x;
  if (t < N) {
    out[t] = t;
#ifdef BUG
    __syncthreads();  // here
#endif
  }
#ifndef BUG
  __syncthreads();
#endif
}
