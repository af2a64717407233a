//@ kinds = ["race"]
//@ block = 128
//@ args = { out = "int:128" }
//@ variants = [{ SHIFT = 64 }, { SHIFT = 33 }]
__global__ void kernel(int *out) {
  __shared__ int s[128];
  int t = threadIdx.x, half = t / 64;
  s[t] = t;  // here
#ifdef BUG
  asm volatile("bar.sync %0, 64;" ::"r"(1 + half) : "memory");
#else
  asm volatile("bar.sync 1, 128;" ::: "memory");
#endif
  out[t] = s[(t + SHIFT) % 128];  // here
}
