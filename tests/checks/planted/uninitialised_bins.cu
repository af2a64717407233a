//@ kinds = ["uninitialised read"]
//@ block = 64
//@ args = { out = "int:16" }
//@ variants = [{ N = 16 }, { N = 4 }]
__global__ void kernel(int *out) {
  __shared__ int bins[16];
  int t = threadIdx.x;
#ifndef BUG
  if (t < 16) bins[t] = 0;
  __syncthreads();
#endif
  atomicAdd(&bins[t % N], 1);  // here
  __syncthreads();
  if (t < N) out[t] = bins[t];
}
