//@ kinds = ["race"]
//@ block = 64
//@ args = { out = "int:32", in = "int:32:iota" }
//@ variants = [{ TYPE = "int" }, { TYPE = "float" }]
__global__ void kernel(int *out, const int *in) {
  __shared__ TYPE s[32];
  int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
#ifdef BUG
    asm volatile("bar.arrive 1, 64;" ::: "memory");
    s[lane] = in[lane];  // here
#else
    s[lane] = in[lane];
    asm volatile("bar.arrive 1, 64;" ::: "memory");
#endif
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[lane] = s[31 - lane];  // here
  }
}
