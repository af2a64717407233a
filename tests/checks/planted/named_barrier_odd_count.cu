//@ kinds = ["barrier count"]
//@ block = 64
//@ args = { out = "int:64", threads = "THREADS" }
//@ variants = [{ THREADS = 48 }, { THREADS = 33 }, { THREADS = 96 }]
__global__ void kernel(int *out, int threads) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
#ifndef BUG
  threads = 64;
#endif
  asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory");  // here
  out[t] = s[63 - t];
}
