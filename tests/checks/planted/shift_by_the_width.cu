//@ kinds = ["shift out of range"]
//@ block = 64
//@ args = { out = "T:64" }
//@ variants = [{ T = "int" }, { T = "unsigned" }]
__global__ void kernel(T *out) {
#ifdef BUG
  out[threadIdx.x] = (T)1 << threadIdx.x;  // here
#else
  out[threadIdx.x] = (T)1 << (threadIdx.x & 31);
#endif
}
