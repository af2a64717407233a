// Every operator of C on two values of one integer type; out holds one row for each.
template <typename T>
__global__ void kernel(const T* a, const T* b, T* out) {
  int t = threadIdx.x, n = blockDim.x;
  T x = a[t], y = b[t], z;
  T* p = out + t;
  *p = x + y;  p += n;
  *p = x - y;  p += n;
  *p = x * y;  p += n;
  *p = y == 0 || (y == (T)-1 && x + 0 == -x) ? 7 : x / y;  p += n;
  *p = y == 0 || (y == (T)-1 && x + 0 == -x) ? 7 : x % y;  p += n;
  *p = x & y;  p += n;
  *p = x | y;  p += n;
  *p = x ^ y;  p += n;
  *p = x << (y & 7);  p += n;
  *p = x >> (y & 7);  p += n;
  *p = ~x;  p += n;
  *p = -x;  p += n;
  *p = +x;  p += n;
  *p = !x;  p += n;
  *p = (x < y) + 2 * (x <= y) + 4 * (x > y) + 8 * (x >= y) + 16 * (x == y) + 32 * (x != y);  p += n;
  *p = x && y;  p += n;
  *p = x || y;  p += n;
  *p = x ? x : y;  p += n;
  z = x; z += y; *p = z;  p += n;
  z = x; z -= 3; z *= y; *p = z;  p += n;
  z = x; z <<= 3; z |= 5; z ^= y; *p = z;  p += n;
  z = x; z >>= 2; z &= 0x5f; *p = z;  p += n;
  z = x; z++; ++z; *p = z-- + 1;  p += n;
  --z; *p = z;  p += n;
  *p = (x + y) >> 1;  p += n;
  *p = (x * y) / 3 + (x - y) % 5;  p += n;
}
