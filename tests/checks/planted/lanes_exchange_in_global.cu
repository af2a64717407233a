//@ kinds = ["race"]
//@ block = 32
//@ args = { out = "int:32", work = "int:32" }
//@ variants = [{ X = 1 }, { X = 4 }, { X = 31 }]
__global__ void kernel(int *out, int *work) {
  int t = threadIdx.x;
  work[t] = 3 * t;  // here
#ifndef BUG
  __syncwarp();
#endif
  out[t] = work[t ^ X];  // here
}
