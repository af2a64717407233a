//@ kinds = ["barrier cannot complete", "barrier count"]
//@ block = 128
//@ args = { out = "int:128" }
//@ variants = [{ NUMBER = 1, COME = 64 }, { NUMBER = 15, COME = 32 }, { NUMBER = 2, COME = 96 }]
__global__ void kernel(int *out) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = t;
  if (t < COME) {
#ifdef BUG
    asm volatile("bar.sync %0, %1;" ::"n"(NUMBER), "n"(COME + 32) : "memory");  // here
#else
    asm volatile("bar.sync %0, %1;" ::"n"(NUMBER), "n"(COME) : "memory");
#endif
    out[t] = s[COME - 1 - t];
  }
}
