//@ kinds = ["race"]
//@ block = 32
//@ args = { out = "int:32" }
//@ variants = [{ X = 16 }, { X = 24 }]
__global__ void kernel(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t;  // here
#ifdef BUG
  __syncwarp(t < 16 ? 0xffff : 0xffff0000);
#else
  __syncwarp();
#endif
  out[t] = s[t ^ X];  // here
}
