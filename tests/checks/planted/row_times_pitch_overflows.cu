//@ kinds = ["integer overflow"]
//@ block = 32
//@ args = { out = "int:32", pitch = 1073741824 }
//@ variants = [{ R = 2 }, { R = 3 }]
__global__ void kernel(int *out, int pitch) {
  int row = threadIdx.x % 2 * R, i = threadIdx.x;
#ifdef BUG
  int at = row * pitch + i;  // here
  if (at >= 0 && at < 32) out[at] = i;
#else
  long long at = (long long)row * pitch + i;
  if (at < 32) out[at] = i;
#endif
}
