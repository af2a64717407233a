//@ kinds = ["race"]
//@ block = 32
//@ args = { out = "T:1", in = "T:32" }
//@ variants = [{ T = "int" }, { T = "float" }, { T = "double" }, { T = "unsigned" }]
__global__ void kernel(T *out, const T *in) {
  __shared__ volatile T s[32];
  int t = threadIdx.x;
  s[t] = in[t];  // here
  for (int d = 16; d > 0; d /= 2) {
#ifdef BUG
    if (t < d) s[t] = s[t] + s[t + d];  // here
#else
    __syncwarp();
    if (t < d) s[t] = s[t] + s[t + d];
#endif
  }
#ifndef BUG
  __syncwarp();
#endif
  if (t == 0) *out = s[0];  // here
}
