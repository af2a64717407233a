//@ kinds = ["race"]
//@ grid = 2
//@ block = 64
//@ args = { out = "int:128", count = "int:1", in = "int:128:iota" }
//@ variants = [{ STEP = 2 }, { STEP = 3 }]
__global__ void kernel(int *out, int *count, const int *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] % STEP == 0) {
    unsigned active = __activemask();
    int lane = threadIdx.x % 32, leader = __ffs(active) - 1, first = 0;
    if (lane == leader) {
#ifdef BUG
      first = *count;  // here
      *count = first + __popc(active);  // here
#else
      first = atomicAdd(count, __popc(active));
#endif
    }
    first = __shfl_sync(active, first, leader);
    out[first + __popc(active & ((1u << lane) - 1))] = in[i];  // here
  }
}
