//@ kinds = ["member mask", "deadlock", "inactive lane"]
//@ block = 32
//@ args = { out = "int:32" }
//@ variants = [{ N = 16 }, { N = 8 }, { N = 31 }]
__global__ void kernel(int *out) {
  int t = threadIdx.x, v = t;
#ifdef BUG
  if (t < N) v += __shfl_down_sync(0xffffffff, v, 1);  // here
#else
  int w = __shfl_down_sync(0xffffffff, v, 1);
  if (t < N) v += w;
#endif
  out[t] = v;
}
