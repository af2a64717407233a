//@ kinds = ["uninitialised read"]
//@ block = 64
//@ args = { out = "int:64", n = 40 }
//@ variants = [{ V = 1 }, { V = 7 }]
__global__ void kernel(int *out, int n) {
  int i = threadIdx.x, value;
  if (i < n) value = V * i;
#ifndef BUG
  else value = 0;
#endif
  out[i] = value;  // here
}
