//@ kinds = ["uninitialised read"]
//@ block = 32
//@ args = { out = "int:32", work = "int:32:blank" }
//@ variants = [{ N = 8 }, { N = 31 }]
__global__ void kernel(int *out, int *work) {
  int t = threadIdx.x;
#ifdef BUG
  if (t < N) work[t] = t;
#else
  work[t] = t + N;
#endif
  out[t] = work[t];  // here
}
