//@ kinds = ["race"]
//@ block = 32
//@ args = { out = "int:32", in = "int:32" }
//@ variants = [{ T = "int" }, { T = "unsigned" }]
__global__ void kernel(int *out, const int *in) {
  __shared__ volatile T s[32];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncwarp();
  for (int d = 1; d < 32; d *= 2) {
    T v = t >= d ? s[t - d] : 0;  // here
#ifndef BUG
    __syncwarp();
#endif
    s[t] = s[t] + v;  // here
    __syncwarp();
  }
  out[t] = s[t];
}
