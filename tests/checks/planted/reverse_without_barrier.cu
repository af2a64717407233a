//@ kinds = ["race"]
//@ block = 128
//@ args = { out = "T:128", in = "T:128" }
//@ variants = [{ T = "int" }, { T = "float" }, { T = "double" }, { T = "short" }, { T = "unsigned char" }]
__global__ void kernel(T *out, const T *in) {
  __shared__ T s[128];
  int t = threadIdx.x;
  s[t] = in[t];  // here
#ifndef BUG
  __syncthreads();
#endif
  out[t] = s[127 - t];  // here
}
