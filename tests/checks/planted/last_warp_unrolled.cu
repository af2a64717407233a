//@ kinds = ["race"]
//@ block = 64
//@ args = { out = "int:1", in = "int:64" }
//@ variants = [{ Q = "volatile" }, { Q = "" }]
__global__ void kernel(int *out, const int *in) {
  __shared__ Q int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 32) {
    s[t] = s[t] + s[t + 32];  // here
#ifndef BUG
    __syncwarp();
#endif
    if (t < 16) s[t] = s[t] + s[t + 16];  // here
  }
  if (t == 0) *out = s[0];
}
