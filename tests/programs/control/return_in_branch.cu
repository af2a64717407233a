// Some lanes end early, at three places; the others go on together.
__global__ void kernel(int* out, int n) {
  int t = threadIdx.x;
  if (t >= n) return;
  out[t] = 1;
  if (t % 3 == 0) {
    out[t] = 2;
    if (t % 2 == 0) return;
    out[t] = 3;
  } else if (t % 3 == 1) {
    for (int k = 0; k < 10; ++k) {
      if (k == t) return;
      out[t] += 10;
    }
  }
  out[t] += 100;
}
