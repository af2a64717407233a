//@ kinds = ["out of bounds"]
//@ grid = 4
//@ block = 64
//@ args = { out = "float:N", n = "N" }
//@ variants = [{ N = 200 }, { N = 250 }, { N = 193 }]
__global__ void kernel(float *out, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
#ifndef BUG
  if (i < n)
#endif
    out[i] = i;  // here
}
