//@ kinds = ["race"]
//@ grid = 2
//@ block = 64
//@ args = { work = "int:128", out = "int:128" }
//@ variants = [{ X = 32 }, { X = 63 }]
__global__ void kernel(int *work, int *out) {
  int t = threadIdx.x, base = blockIdx.x * 64;
  work[base + t] = t;  // here
#ifndef BUG
  __syncthreads();
#endif
  out[base + t] = work[base + (t ^ X)];  // here
}
