//@ kinds = ["race"]
//@ block = 64
//@ args = { out = "float:64", in = "float:66" }
//@ variants = [{ N = 64 }, { N = 96 }, { N = 128 }, { N = 256 }]
__global__ void kernel(float *out, const float *in) {
  __shared__ float s[66];
  int t = threadIdx.x;
  s[t + 1] = in[t + 1];  // here
  if (t == 0) s[0] = in[0];
  if (t == 63) s[65] = in[65];
#ifndef BUG
  __syncthreads();
#endif
  out[t] = (s[t] + s[t + 1] + s[t + 2]) / N;  // here
}
