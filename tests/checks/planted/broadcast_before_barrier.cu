//@ kinds = ["race"]
//@ block = 64
//@ args = { out = "int:64", n = 5 }
//@ variants = [{ WHO = 0 }, { WHO = 17 }, { WHO = 32 }, { WHO = 63 }]
__global__ void kernel(int *out, int n) {
  __shared__ int length;
  if (threadIdx.x == WHO) length = n * 2;  // here
#ifndef BUG
  __syncthreads();
#endif
  out[threadIdx.x] = threadIdx.x < length;  // here
}
