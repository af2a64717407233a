//@ kinds = ["integer overflow"]
//@ block = 32
//@ args = { out = "int:32", start = 2147483640 }
//@ variants = [{ S = 1 }, { S = 2 }]
__global__ void kernel(int *out, int start) {
#ifdef BUG
  int i = start + S * (int)threadIdx.x;  // here
  if (i < 32 && i >= 0) out[i] = i;
#else
  unsigned i = start + S * threadIdx.x;
  if (i < 32) out[i] = i;
#endif
}
