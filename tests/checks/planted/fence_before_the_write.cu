//@ kinds = ["race"]
//@ grid = 4
//@ block = 32
//@ args = { partial = "int:4", count = "unsigned:1", out = "int:1" }
//@ variants = [{ K = 1 }, { K = 2 }]
__global__ void kernel(int *partial, unsigned *count, int *out) {
  if (threadIdx.x == 0) {
#ifdef BUG
    __threadfence();
    partial[blockIdx.x] = K;  // here
#else
    partial[blockIdx.x] = K;
    __threadfence();
#endif
    if (atomicAdd(count, 1u) == gridDim.x - 1) {
      int sum = 0;
      for (int b = 0; b < gridDim.x; ++b) sum += partial[b];  // here
      *out = sum;
    }
  }
}
