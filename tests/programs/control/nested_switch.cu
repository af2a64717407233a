// A switch within a switch, with cases that fall through, a default in the middle, and a loop that continue leaves.
__global__ void kernel(const int* in, int* out) {
  int t = threadIdx.x, r = 0;
  for (int k = 0; k < 3; ++k) {
    switch (in[t] + k) {
      case 0:
        r += 1;
      case 1:
        r += 10;
        break;
      default:
        r += 100;
        if (in[t] == 5) continue;
      case 2:
        switch (k) {
          case 0: r += 1000; break;
          case 2: r += 3000;
          case 7: r += 2000;
        }
        r += 10000;
        break;
      case 3:
        r += 7;
    }
    r += 100000;
  }
  out[t] = r;
}
