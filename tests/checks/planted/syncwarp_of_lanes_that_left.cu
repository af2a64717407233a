//@ kinds = ["member mask", "deadlock"]
//@ block = 32
//@ args = { out = "int:32" }
//@ variants = [{ N = 4 }, { N = 28 }]
__global__ void kernel(int *out) {
  int t = threadIdx.x;
#ifdef BUG
  if (t < N) {
    out[t] = t;
    __syncwarp();  // here
  }
#else
  if (t < N) out[t] = t;
  __syncwarp();
#endif
}
