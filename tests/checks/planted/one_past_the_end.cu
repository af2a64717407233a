//@ kinds = ["out of bounds"]
//@ grid = 2
//@ block = 64
//@ args = { out = "T:100", n = 100 }
//@ variants = [{ T = "int" }, { T = "float" }, { T = "double" }, { T = "short" }, { T = "unsigned char" }]
__global__ void kernel(T *out, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
#ifdef BUG
  if (i <= n) out[i] = (T)i;  // here
#else
  if (i < n) out[i] = (T)i;
#endif
}
