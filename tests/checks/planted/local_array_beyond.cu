//@ kinds = ["out of bounds"]
//@ block = 32
//@ args = { out = "int:32", n = 9 }
//@ variants = [{ N = 8 }, { N = 5 }]
__global__ void kernel(int *out, int n) {
  int a[N], s = 0;
  for (int k = 0; k < N; ++k) a[k] = k * n;
#ifdef BUG
  for (int k = 0; k < n; ++k) s += a[k];  // here
#else
  for (int k = 0; k < N; ++k) s += a[(k * n) % N];
#endif
  out[threadIdx.x] = s;
}
