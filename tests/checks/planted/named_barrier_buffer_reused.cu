//@ kinds = ["race"]
//@ block = 64
//@ args = { out = "int:256", in = "int:256:iota", rounds = 8 }
//@ variants = [{ BUFFERS = 1 }, { BUFFERS = 2 }]
__global__ void kernel(int *out, const int *in, int rounds) {
  __shared__ int s[BUFFERS][32];
  int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int r = 0; r < rounds; ++r) {
      int b = r % BUFFERS;
#ifndef BUG
      asm volatile("bar.sync %0, 64;" ::"r"(8 + b) : "memory");
#endif
      s[b][lane] = in[r * 32 + lane];  // here
      asm volatile("bar.arrive %0, 64;" ::"r"(1 + b) : "memory");
    }
  } else {
#ifndef BUG
    for (int b = 0; b < BUFFERS; ++b) asm volatile("bar.arrive %0, 64;" ::"r"(8 + b) : "memory");
#endif
    for (int r = 0; r < rounds; ++r) {
      int b = r % BUFFERS;
      asm volatile("bar.sync %0, 64;" ::"r"(1 + b) : "memory");
      out[r * 32 + lane] = s[b][31 - lane];  // here
#ifndef BUG
      asm volatile("bar.arrive %0, 64;" ::"r"(8 + b) : "memory");
#endif
    }
  }
}
