//@ kinds = ["barrier count"]
//@ block = 128
//@ args = { out = "int:128" }
//@ variants = [{ NUMBER = 1 }, { NUMBER = 0 }]
__global__ void kernel(int *out) {
  int t = threadIdx.x;
  out[t] = t;
  if (t < 32)
    asm volatile("bar.arrive %0, 64;" ::"n"(NUMBER) : "memory");  // here
  else if (t < 64)
#ifdef BUG
    asm volatile("bar.sync %0, 32;" ::"n"(NUMBER) : "memory");  // here
#else
    asm volatile("bar.sync %0, 64;" ::"n"(NUMBER) : "memory");
#endif
}
