//@ kinds = ["out of bounds"]
//@ block = 32
//@ args = { out = "float:32" }
//@ variants = [{ D = 1 }, { D = 3 }]
__global__ void kernel(float *out) {
  __shared__ float head[32];
  __shared__ float tail[32];
  int t = threadIdx.x;
  head[t] = tail[t] = t;
  __syncthreads();
#ifdef BUG
  out[t] = tail[t - D];  // here
#else
  out[t] = tail[t < D ? 0 : t - D];
#endif
}
