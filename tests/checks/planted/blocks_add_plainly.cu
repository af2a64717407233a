//@ kinds = ["race"]
//@ grid = 4
//@ block = 32
//@ args = { sum = "T:1" }
//@ variants = [{ T = "int" }, { T = "float" }, { T = "unsigned" }]
__global__ void kernel(T *sum) {
#ifdef BUG
  if (threadIdx.x == 0) *sum = *sum + 1;  // here
#else
  if (threadIdx.x == 0) atomicAdd(sum, (T)1);
#endif
}
