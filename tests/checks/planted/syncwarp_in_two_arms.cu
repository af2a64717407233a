//@ kinds = ["deadlock", "member mask"]
//@ block = 32
//@ args = { out = "int:32" }
//@ variants = [{ N = 16 }, { N = 1 }]
__global__ void kernel(int *out) {
  int t = threadIdx.x;
#ifdef BUG
  if (t < N) {
    __syncwarp();  // here
    out[t] = 1;
  } else {
    __syncwarp();  // here
    out[t] = 2;
  }
#else
  __syncwarp();
  out[t] = t < N ? 1 : 2;
#endif
}
