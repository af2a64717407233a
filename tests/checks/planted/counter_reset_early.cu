//@ kinds = ["race"]
//@ grid = 5
//@ block = 64
//@ args = { count = "unsigned:1", out = "int:5" }
//@ variants = [{ WHO = 0 }, { WHO = 32 }]
__global__ void kernel(unsigned *count, int *out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    last = atomicAdd(count, 1u) == gridDim.x - 1;  // here
    __threadfence();
  }
  __syncthreads();
#ifdef BUG
  if (threadIdx.x == WHO && blockIdx.x < 2) *count = 0;  // here
#else
  if (last && threadIdx.x == WHO) *count = 0;
#endif
  if (threadIdx.x == 0) out[blockIdx.x] = 1;
}
