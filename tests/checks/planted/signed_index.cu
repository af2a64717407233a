//@ kinds = ["out of bounds"]
//@ block = 32
//@ args = { out = "int:64" }
//@ variants = [{ D = 1 }, { D = 33 }, { D = 100000 }]
__global__ void kernel(int *out) {
  int t = threadIdx.x;
#ifdef BUG
  out[t - D] = t;  // here
#else
  out[t] = t - D;
#endif
}
