//@ kinds = ["race"]
//@ grid = 3
//@ block = 32
//@ args = { out = "int:3" }
//@ variants = [{ K = 1 }, { K = 2 }]
__device__ int total;
__global__ void kernel(int *out) {
  if (threadIdx.x == 0) {
#ifdef BUG
    total += K;  // here
#else
    out[blockIdx.x] = atomicAdd(&total, K);
#endif
  }
}
