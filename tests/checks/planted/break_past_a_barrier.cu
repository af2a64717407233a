//@ kinds = ["exit before barrier", "divergent barrier", "barrier cannot complete"]
//@ block = 64
//@ args = { out = "int:64" }
//@ variants = [{ N = 10 }, { N = 50 }]
__global__ void kernel(int *out) {
  int t = threadIdx.x;
  for (int k = 0; k < 4; ++k) {
#ifdef BUG
    if (t == N && k == 2) break;
#endif
    out[t] = k;
    __syncthreads();  // here
  }
}
