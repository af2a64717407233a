//@ kinds = ["out of bounds"]
//@ block = 32
//@ args = { out = "float:32", n = 4 }
//@ variants = [{ K = 4 }, { K = 5 }]
__constant__ float weights[K] = {1, 2, 1, 2};
__constant__ float offsets[4] = {0, 1, 2, 3};
__global__ void kernel(float *out, int n) {
  float sum = offsets[threadIdx.x % 4];
#ifdef BUG
  for (int k = 0; k <= n + K - 4; ++k) sum += weights[k];  // here
#else
  for (int k = 0; k < n; ++k) sum += weights[k];
#endif
  out[threadIdx.x] = sum;
}
