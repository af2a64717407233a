// Floating-point operators and conversions; the products and sums here are rounded one by one.
template <typename T>
__global__ void kernel(const T* a, const T* b, T* out) {
  int t = threadIdx.x, n = blockDim.x;
  T x = a[t], y = b[t], z;
  T* p = out + t;
  *p = x + y;  p += n;
  *p = x - y;  p += n;
  *p = x * y;  p += n;
  *p = x / y;  p += n;
  *p = -x;  p += n;
  *p = (x < y) + 2 * (x <= y) + 4 * (x > y) + 8 * (x >= y) + 16 * (x == y) + 32 * (x != y);  p += n;
  *p = !x + 2 * (x && y) + 4 * (x || y);  p += n;
  z = x; z += 1; z *= 0.1; *p = z;  p += n;
  z = x; z -= y; z /= 3; *p = z;  p += n;
  z = x; *p = z++;  p += n;
  *p = z;  p += n;
  *p = x * x * x + 0.1f;  p += n;
  *p = x / 3 + y / 7.0;  p += n;
  *p = (float)x + (double)y;  p += n;
  *p = x < y ? x : y;  p += n;
}
