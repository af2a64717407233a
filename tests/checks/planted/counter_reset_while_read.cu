//@ kinds = ["race"]
//@ block = 128
//@ args = { out = "int:4" }
//@ variants = [{ ROUNDS = 2 }, { ROUNDS = 3 }, { ROUNDS = 4 }]
__global__ void kernel(int *out) {
  __shared__ int count;
  for (int k = 0; k < ROUNDS; ++k) {
    if (threadIdx.x == 0) count = 0;  // here
    __syncthreads();
    atomicAdd(&count, 1);  // here
    __syncthreads();
    if (threadIdx.x == 64) out[k] = count;  // here
#ifndef BUG
    __syncthreads();
#endif
  }
}
