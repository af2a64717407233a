//@ kinds = ["race"]
//@ block = 32
//@ args = { out = "int:32" }
//@ variants = [{ WHO = 0 }, { WHO = 31 }]
__global__ void kernel(int *out) {
  __shared__ int where;
  if (threadIdx.x == WHO) where = 5;  // here
#ifndef BUG
  __syncwarp();
#endif
  out[threadIdx.x] = where + threadIdx.x;  // here
}
