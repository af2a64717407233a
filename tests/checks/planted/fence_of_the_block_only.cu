//@ kinds = ["race"]
//@ grid = 4
//@ block = 32
//@ args = { partial = "float:4", count = "unsigned:1", out = "float:1" }
//@ variants = [{ K = 1 }, { K = 3 }]
__global__ void kernel(float *partial, unsigned *count, float *out) {
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = K;  // here
#ifdef BUG
    __threadfence_block();
#else
    __threadfence();
#endif
    if (atomicInc(count, gridDim.x) == gridDim.x - 1) {
      float sum = 0;
      for (int b = 0; b < gridDim.x; ++b) sum += partial[b];  // here
      *out = sum;
    }
  }
}
