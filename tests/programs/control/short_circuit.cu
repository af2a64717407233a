// The right side of && and || is evaluated only by the lanes that need it: in[t] beyond n would be out of bounds.
__global__ void kernel(const int* in, int* out, int n) {
  int t = threadIdx.x, calls = 0;
  bool a = t < n && in[t] > 3;
  bool b = t >= n || (++calls, in[t] < 5);
  bool c = (t & 1) && (t & 2) || (t & 4) && ++calls;
  int d = t < n ? in[t] : -1;
  out[t] = a + 2 * b + 4 * c + 8 * calls + 64 * d + (!a && !b) * 1024;
}
