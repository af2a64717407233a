//@ kinds = ["out of bounds"]
//@ block = 64
//@ args = { out = "T:64", in = "T:64" }
//@ variants = [{ T = "int" }, { T = "float" }, { T = "double" }, { T = "short" }, { T = "unsigned char" }]
__global__ void kernel(T *out, const T *in) {
  int t = threadIdx.x;
#ifdef BUG
  out[t] = in[t] - in[t - 1];  // here
#else
  out[t] = t > 0 ? in[t] - in[t - 1] : in[t];
#endif
}
