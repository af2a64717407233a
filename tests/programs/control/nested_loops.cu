// Trip counts differ by lane at both levels; break leaves the inner loop only.
__global__ void kernel(int* out) {
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i <= t % 7; ++i) {
    int k = i;
    while (true) {
      if (k % 5 == t % 5) break;
      if (sum > 500) return;
      sum += k++;
    }
    if (i == 4) {
      sum += 1000;
      break;
    }
  }
  out[t] = sum;
}
