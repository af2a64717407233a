//@ kinds = ["member mask", "deadlock"]
//@ block = 32
//@ args = { out = "unsigned:32" }
//@ variants = [{ N = 16 }, { N = 24 }]
__global__ void kernel(unsigned *out) {
  int t = threadIdx.x;
#ifdef BUG
  if (t < N) out[t] = __match_any_sync(0xffffffff, t % 4);  // here
#else
  unsigned m = __match_any_sync(0xffffffff, t % 4);
  if (t < N) out[t] = m;
#endif
}
