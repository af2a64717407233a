//@ kinds = ["race"]
//@ block = 64
//@ args = { out = "int:1" }
//@ variants = [{ WHO = 0 }, { WHO = 33 }]
__global__ void kernel(int *out) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, 1);  // here
#ifndef BUG
  __syncthreads();
#endif
  if (threadIdx.x == WHO) sum = sum / 2;  // here
  __syncthreads();
  if (threadIdx.x == 0) *out = sum;
}
