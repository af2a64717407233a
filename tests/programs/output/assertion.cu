// A failed assertion ends the launch.
#include <cassert>
__global__ void kernel(int* out) {
  int t = threadIdx.x;
  out[t] = 1;
  assert(t < 35 && "too many threads");
  out[t] = 2;
}
