//@ kinds = ["race"]
//@ block = 32
//@ args = { out = "int:32" }
//@ variants = [{ N = 1 }, { N = 5 }, { N = 31 }]
__global__ void kernel(int *out) {
#ifdef BUG
  out[threadIdx.x % N] = threadIdx.x;  // here
#else
  out[threadIdx.x] = threadIdx.x % N;
#endif
}
