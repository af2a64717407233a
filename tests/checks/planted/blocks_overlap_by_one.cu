//@ kinds = ["race"]
//@ grid = 4
//@ block = 32
//@ args = { out = "T:132" }
//@ variants = [{ T = "int" }, { T = "double" }, { T = "short" }, { T = "char" }]
__global__ void kernel(T *out) {
#ifdef BUG
  int i = blockIdx.x * (blockDim.x - 1) + threadIdx.x;
#else
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#endif
  out[i] = (T)(blockIdx.x + 1);  // here
}
