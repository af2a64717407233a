//@ kinds = ["uninitialised read"]
//@ block = 64
//@ args = { out = "int:64", n = 50 }
//@ variants = [{ K = 1 }, { K = 5 }]
__global__ void kernel(int *out, int n) {
  __shared__ int tile[64];
  int i = threadIdx.x, value;
  if (i < n) value = i + K;
#ifndef BUG
  if (i >= n) value = -1;
#endif
  tile[i] = value;
  __syncthreads();
  out[i] = 2 * tile[63 - i];  // here
}
