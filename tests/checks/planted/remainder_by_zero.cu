//@ kinds = ["division by zero"]
//@ block = 32
//@ args = { out = "int:32", bins = 0 }
//@ variants = [{ K = 3 }, { K = 5 }]
__global__ void kernel(int *out, int bins) {
#ifndef BUG
  bins = max(bins, 1);
#endif
  atomicAdd(&out[(K * (int)threadIdx.x) % bins & 31], 1);  // here
}
