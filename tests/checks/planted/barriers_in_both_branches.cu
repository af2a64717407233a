//@ kinds = ["divergent barrier"]
//@ block = 64
//@ args = { out = "int:64" }
//@ variants = [{ N = 16 }, { N = 32 }, { N = 33 }]
__global__ void kernel(int *out) {
  int t = threadIdx.x;
#ifdef BUG
  if (t < N) {
    out[t] = 1;
    __syncthreads();  // here
  } else {
    out[t] = 2;
    __syncthreads();  // here
  }
#else
  out[t] = t < N ? 1 : 2;
  __syncthreads();
#endif
}
