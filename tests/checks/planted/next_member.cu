//@ kinds = ["out of bounds"]
//@ block = 32
//@ args = { out = "int:32", n = 4 }
//@ variants = [{ B = 1 }, { B = 3 }]
struct Bins { int count[4]; int rest[B]; };
__global__ void kernel(int *out, int n) {
  __shared__ Bins bins;
  if (threadIdx.x == 0) {
    for (int k = 0; k < B; ++k) bins.rest[k] = 0;
#ifdef BUG
    for (int k = 0; k <= n; ++k) bins.count[k] = k;  // here
#else
    for (int k = 0; k < n; ++k) bins.count[k] = k;
#endif
  }
  __syncthreads();
  out[threadIdx.x] = bins.rest[0] + bins.count[threadIdx.x % 4];
}
