//@ kinds = ["out of bounds"]
//@ block = 32
//@ args = { out = "int:32" }
//@ variants = [{ N = 32 }, { N = 16 }, { N = 24 }]
__global__ void kernel(int *out) {
  __shared__ int first[N], second[N];
  int t = threadIdx.x;
  if (t < N) first[t] = second[t] = t;
  __syncthreads();
#ifdef BUG
  if (t < N) out[t] = first[t + 1];  // here
#else
  if (t < N) out[t] = first[(t + 1) % N];
#endif
}
