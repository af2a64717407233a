//@ kinds = ["race"]
//@ grid = 4
//@ block = 64
//@ args = { partial = "int:4", out = "int:4" }
//@ variants = [{ BACK = 1 }, { BACK = 2 }, { BACK = 3 }]
__global__ void kernel(int *partial, int *out) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) partial[b] = b;  // here
  __syncthreads();
#ifdef BUG
  if (threadIdx.x == 1 && b >= BACK) out[b] = partial[b - BACK];  // here
#else
  if (threadIdx.x == 1) out[b] = partial[b] * BACK;
#endif
}
