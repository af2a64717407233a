// Lanes leave the loop at different times, by its condition or by break, and meet behind it.
__global__ void kernel(const int* stop, int* out, int n) {
  int t = threadIdx.x, sum = 0, k;
  for (k = 0; k < n; ++k) {
    if (k == stop[t]) break;
    sum += k;
  }
  out[t] = sum * 100 + k;
}
