//@ kinds = ["out of bounds"]
//@ block = 64
//@ shared_bytes = 256
//@ args = { out = "float:64" }
//@ variants = [{ T = "double" }, { T = "long long" }, { T = "float2" }]
__global__ void kernel(float *out) {
#ifdef BUG
  extern __shared__ T s[];
#else
  extern __shared__ float s[];
#endif
  int t = threadIdx.x;
#ifdef BUG
  s[t] = T();  // here
#else
  s[t] = t;
#endif
  out[t] = t;
}
