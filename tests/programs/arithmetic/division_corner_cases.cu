// What the hardware gives where C leaves it open: division by zero, MIN / -1, shifts by the width or more, NaN to int.
__global__ void kernel(const int* a, const int* b, int* out, float nan) {
  int t = threadIdx.x, n = blockDim.x;
  unsigned x = a[t], y = b[t];
  long long l = a[t], m = b[t];
  out[t] = a[t] / b[t];
  out[n + t] = a[t] % b[t];
  out[2 * n + t] = x / y;
  out[3 * n + t] = x % y;
  out[4 * n + t] = (l / m) == -1;
  out[5 * n + t] = (int)nan;
  out[6 * n + t] = (int)(1e20f * a[t]);
  out[7 * n + t] = (unsigned)(-1.0f * t);
}
