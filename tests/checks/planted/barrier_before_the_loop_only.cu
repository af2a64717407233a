//@ kinds = ["race"]
//@ block = 128
//@ args = { out = "int:128", steps = 7 }
//@ variants = [{ STEP = 1 }, { STEP = 31 }, { STEP = 32 }, { STEP = 65 }]
__global__ void kernel(int *out, int steps) {
  __shared__ int s[2][128];
  int t = threadIdx.x;
  s[0][t] = t;
  __syncthreads();
  for (int k = 0; k < steps; ++k) {
    s[1 - k % 2][t] = s[k % 2][(t + STEP) % 128] + 1;  // here
#ifndef BUG
    __syncthreads();
#endif
  }
#ifdef BUG
  __syncthreads();
#endif
  out[t] = s[steps % 2][t];
}
