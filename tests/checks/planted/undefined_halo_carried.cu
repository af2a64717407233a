//@ kinds = ["uninitialised read"]
//@ block = 64
//@ args = { out = "float:64", in = "float:64:iota" }
//@ variants = [{ T = "float" }, { T = "int" }]
__global__ void kernel(float *out, const float *in) {
  __shared__ T tile[66];
  int t = threadIdx.x;
  tile[t + 1] = in[t];
#ifndef BUG
  if (t == 0) tile[0] = tile[65] = 0;
#endif
  __syncthreads();
  T left = tile[t], right = tile[t + 2];
  T mean = (left + right) / 2;
  out[t] = mean;  // here
}
