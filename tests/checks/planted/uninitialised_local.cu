//@ kinds = ["uninitialised read"]
//@ block = 32
//@ args = { out = "int:32", n = 3 }
//@ variants = [{ N = 8 }, { N = 4 }]
__global__ void kernel(int *out, int n) {
  int a[N];
#ifdef BUG
  for (int k = 1; k < N; ++k) a[k] = k;
#else
  for (int k = 0; k < N; ++k) a[k] = k;
#endif
  int s = 0;
  for (int k = 0; k < N; ++k) s += a[(k * n + threadIdx.x) % N];  // here
  out[threadIdx.x] = s;
}
