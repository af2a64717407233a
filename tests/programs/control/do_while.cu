// The body runs at least once; lanes leave at their own time, some by break.
__global__ void kernel(int* out) {
  int t = threadIdx.x, n = 0, x = t;
  do {
    ++n;
    if (x == 13) break;
    x = (x & 1) ? 3 * x + 1 : x / 2;
  } while (x > 1);
  out[t] = n * 1000 + x;
}
