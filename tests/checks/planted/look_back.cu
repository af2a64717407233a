//@ kinds = ["race"]
//@ grid = 6
//@ block = 32
//@ args = { sums = "int:6", ready = "int:6", out = "int:6" }
//@ variants = [{ K = 1 }, { K = 5 }]
__global__ void kernel(int *sums, int *ready, int *out) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    int before = 0;
    if (b > 0) {
      while (atomicAdd(&ready[b - 1], 0) == 0) { }
      __threadfence();
      before = sums[b - 1];  // here
    }
    sums[b] = before + K;  // here
#ifndef BUG
    __threadfence();
#endif
    atomicExch(&ready[b], 1);
    out[b] = before;
  }
}
