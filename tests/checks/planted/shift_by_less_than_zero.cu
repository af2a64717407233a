//@ kinds = ["shift out of range"]
//@ block = 32
//@ args = { out = "int:32", n = 4 }
//@ variants = [{ W = 8 }, { W = 256 }]
__global__ void kernel(int *out, int n) {
  int by = n - (int)threadIdx.x;
#ifndef BUG
  by = max(by, 0);
#endif
  out[threadIdx.x] = W >> by;  // here
}
