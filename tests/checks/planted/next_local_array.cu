//@ kinds = ["out of bounds"]
//@ block = 32
//@ args = { out = "int:32", n = 1 }
//@ variants = [{ N = 4 }, { N = 7 }]
__global__ void kernel(int *out, int n) {
  int a[N], b[N];
  for (int k = 0; k < N; ++k) a[k] = b[k] = k;
#ifdef BUG
  for (int k = 0; k <= N; ++k) a[(k * n) % (N + 1)] = 7;  // here
#else
  for (int k = 0; k < N; ++k) a[(k * n) % N] = 7;
#endif
  out[threadIdx.x] = a[n] + b[n];
}
