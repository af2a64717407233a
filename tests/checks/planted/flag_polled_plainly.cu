//@ kinds = ["race"]
//@ grid = 2
//@ block = 32
//@ args = { data = "int:1", flag = "int:1", out = "int:1" }
//@ variants = [{ V = 1 }, { V = 7 }]
__global__ void kernel(int *data, int *flag, int *out) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    *data = 42;  // here
#ifdef BUG
    *flag = V;  // here
#else
    __threadfence();
    atomicExch(flag, V);
#endif
  } else {
#ifdef BUG
    while (*flag != V) { }  // here
#else
    while (atomicAdd(flag, 0) != V) { }
    __threadfence();
#endif
    *out = *data;  // here
  }
}
