// Lines of text in the order of the lanes; half of them print.
#include <cstdio>
__global__ void kernel(int* out) {
  int t = threadIdx.x;
  if (t % 2) printf("thread %d of %u: %f %lld\n", t, blockDim.x, t * 0.5, (long long)t << 33);
  out[t] = t;
}
