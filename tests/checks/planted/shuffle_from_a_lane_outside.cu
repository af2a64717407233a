//@ kinds = ["inactive lane", "member mask"]
//@ block = 32
//@ args = { out = "int:32" }
//@ variants = [{ L = 16 }, { L = 20 }, { L = 31 }]
__global__ void kernel(int *out) {
  int t = threadIdx.x;
  if (t < 16) {
#ifdef BUG
    out[t] = __shfl_sync(0x0000ffff, t, L);  // here
#else
    out[t] = __shfl_sync(0x0000ffff, t, L % 16);
#endif
  }
}
