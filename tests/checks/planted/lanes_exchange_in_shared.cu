//@ kinds = ["race"]
//@ block = 64
//@ args = { out = "int:64" }
//@ variants = [{ X = 1 }, { X = 2 }, { X = 7 }, { X = 16 }, { X = 31 }]
__global__ void kernel(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = 3 * t;  // here
#ifndef BUG
  __syncwarp();
#endif
  out[t] = s[t ^ X];  // here
}
