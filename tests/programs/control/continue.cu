// continue jumps to the increment of its own loop, in for, while and do.
__global__ void kernel(int* out) {
  int t = threadIdx.x, a = 0, b = 0, c = 0;
  for (int k = 0; k < 8; ++k) {
    if ((k + t) & 1) continue;
    if (k > 5) continue;
    a += k;
  }
  int w = 0;
  while (w++ < 6) {
    if (w == t % 5) continue;
    b += w;
  }
  int d = 0;
  do {
    if (d == 2) continue;
    c += 10;
  } while (++d < t % 4);
  out[t] = a * 10000 + b * 100 + c;
}
