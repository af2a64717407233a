//@ kinds = ["race"]
//@ grid = 2
//@ block = 32
//@ args = { data = "int:1", flag = "int:1", out = "int:1" }
//@ variants = [{ V = 1 }, { V = 7 }]
__global__ void kernel(int *data, volatile int *flag, int *out) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    *data = 42;  // here
#ifndef BUG
    __threadfence();
#endif
    *flag = V;
  } else {
    while (*flag != V) { }
    __threadfence();
    *out = *data;  // here
  }
}
