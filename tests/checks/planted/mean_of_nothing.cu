//@ kinds = ["division by zero"]
//@ block = 32
//@ args = { out = "T:32", in = "T:32:iota" }
//@ variants = [{ T = "int" }, { T = "unsigned" }, { T = "long long" }]
__global__ void kernel(T *out, const T *in) {
  T sum = 0, count = 0;
  for (int k = 0; k < 32; ++k)
    if (in[k] > in[threadIdx.x]) {
      sum += in[k];
      ++count;
    }
#ifdef BUG
  out[threadIdx.x] = sum / count;  // here
#else
  out[threadIdx.x] = count > 0 ? sum / count : 0;
#endif
}
