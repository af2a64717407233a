//@ kinds = ["uninitialised read"]
//@ block = 64
//@ args = { out = "T:64", in = "T:512:iota" }
//@ variants = [{ T = "float" }, { T = "int" }, { T = "double" }]
__global__ void kernel(T *out, const T *in) {
#ifdef BUG
  T sum;
#else
  T sum = 0;
#endif
  for (int k = 0; k < 8; ++k) sum += in[threadIdx.x * 8 + k];
  out[threadIdx.x] = sum;  // here
}
