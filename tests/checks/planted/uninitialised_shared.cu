//@ kinds = ["uninitialised read"]
//@ block = 64
//@ args = { out = "T:64" }
//@ variants = [{ T = "int" }, { T = "float" }, { T = "double" }, { T = "short" }, { T = "unsigned char" }]
__global__ void kernel(T *out) {
  __shared__ T s[64];
  int t = threadIdx.x;
#ifdef BUG
  if (t % 2) s[t] = (T)t;
#else
  s[t] = (T)t;
#endif
  __syncthreads();
  out[t] = s[t];  // here
}
