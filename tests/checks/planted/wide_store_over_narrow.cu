//@ kinds = ["race"]
//@ block = 64
//@ args = { out = "int:64" }
//@ variants = [{ V = "int2" }, { V = "int4" }]
__global__ void kernel(int *out) {
  __shared__ __align__(16) int s[256];
  int t = threadIdx.x;
  s[t] = t;  // here
#ifndef BUG
  __syncthreads();
#endif
  if (t < 4) ((V *)s)[t + 8] = V();  // here
  __syncthreads();
  out[t] = s[t];
}
