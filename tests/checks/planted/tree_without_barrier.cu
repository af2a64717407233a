//@ kinds = ["race"]
//@ block = 256
//@ args = { out = "T:1", in = "T:256" }
//@ variants = [{ T = "int" }, { T = "float" }, { T = "long long" }, { T = "short" }]
__global__ void kernel(T *out, const T *in) {
  __shared__ T s[256];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];  // here
#ifndef BUG
    __syncthreads();
#endif
  }
#ifdef BUG
  __syncthreads();
#endif
  if (t == 0) *out = s[0];
}
