//@ kinds = ["uninitialised read"]
//@ block = 64
//@ args = { out = "float:64", in = "float:64:iota" }
//@ variants = [{ N = 63 }, { N = 60 }]
// What is read and never used does no harm.
__global__ void kernel(float *out, const float *in) {
  __shared__ float tile[65];
  int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  float next = tile[t + 1];
#ifdef BUG
  out[t] = next;  // here
#else
  if (t < N) out[t] = next;
#endif
}
