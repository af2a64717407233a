//@ kinds = ["exit before barrier"]
//@ grid = 2
//@ block = 64
//@ args = { out = "int:128", n = "N" }
//@ variants = [{ N = 100 }, { N = 65 }, { N = 96 }]
__global__ void kernel(int *out, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
#ifdef BUG
  if (i >= n) return;  // here
  __syncthreads();  // here
  out[i] = i;
#else
  __syncthreads();
  if (i < n) out[i] = i;
#endif
}
