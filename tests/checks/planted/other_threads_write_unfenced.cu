//@ kinds = ["race"]
//@ grid = 4
//@ block = 64
//@ args = { partial = "int:256", count = "unsigned:1", out = "int:1" }
//@ variants = [{ K = 1 }, { K = 2 }]
__global__ void kernel(int *partial, unsigned *count, int *out) {
  int t = threadIdx.x;
  partial[blockIdx.x * 64 + t] = K;  // here
#ifndef BUG
  __syncthreads();
#endif
  if (t == 0) {
    __threadfence();
    if (atomicAdd(count, 1u) == gridDim.x - 1) {
      int sum = 0;
      for (int k = 0; k < 64 * gridDim.x; ++k) sum += partial[k];  // here
      *out = sum;
    }
  }
}
