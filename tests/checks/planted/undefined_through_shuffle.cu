//@ kinds = ["uninitialised read"]
//@ block = 32
//@ args = { out = "int:32", n = 31 }
//@ variants = [{ D = 1 }, { D = 16 }]
__global__ void kernel(int *out, int n) {
  int value;
#ifdef BUG
  if (threadIdx.x < n) value = threadIdx.x;
#else
  value = threadIdx.x < n ? threadIdx.x : 0;
#endif
  value += __shfl_down_sync(0xffffffff, value, D);
  out[threadIdx.x] = value;  // here
}
