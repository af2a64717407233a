//@ kinds = ["uninitialised read"]
//@ block = 32
//@ args = { out = "int:64", n = 31 }
//@ variants = [{ S = 1 }, { S = 2 }]
__global__ void kernel(int *out, int n) {
  int where;
  if (threadIdx.x < n) where = S * threadIdx.x;
#ifndef BUG
  if (threadIdx.x >= n) where = 0;
#endif
  atomicAdd(&out[where], 1);  // here
}
