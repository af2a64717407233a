//@ kinds = ["race"]
//@ grid = 5
//@ block = 32
//@ args = { partial = "int:5", count = "unsigned:1", out = "int:1" }
//@ variants = [{ V = "" }, { V = "volatile" }]
__global__ void kernel(V int *partial, unsigned *count, int *out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = blockIdx.x + 1;  // here
#ifndef BUG
    __threadfence();
#endif
    last = atomicAdd(count, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int sum = 0;
    for (int b = 0; b < gridDim.x; ++b) sum += *(int *)&partial[b];  // here
    *out = sum;
  }
}
