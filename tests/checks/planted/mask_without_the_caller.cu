//@ kinds = ["member mask", "inactive lane"]
//@ block = 32
//@ args = { out = "int:32" }
//@ variants = [{ M = "0x0000ffff" }, { M = "0x00ffffff" }, { M = "0xfffffffe" }]
__global__ void kernel(int *out) {
#ifdef BUG
  unsigned mask = M;
#else
  unsigned mask = 0xffffffff;
#endif
  out[threadIdx.x] = __shfl_sync(mask, (int)threadIdx.x, 1);  // here
}
