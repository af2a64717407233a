//@ kinds = ["same-value race"]
//@ grid = 4
//@ block = 64
//@ args = { found = "T:1", in = "int:256:iota" }
//@ variants = [{ T = "int" }, { T = "char" }, { T = "float" }]
__global__ void kernel(T *found, const int *in) {
  int i = blockIdx.x * 64 + threadIdx.x;
#ifdef BUG
  if (in[i] % 3 == 1) *found = (T)1;  // here
#else
  if (in[i] == 100) *found = (T)1;
#endif
}
