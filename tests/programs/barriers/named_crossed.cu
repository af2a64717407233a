// Each warp waits at the barrier to which the other comes only afterwards.
__global__ void kernel(int* out) {
  int first = 1 + threadIdx.x / 32;
  asm volatile("bar.sync %0, 64;" ::"r"(first));
  asm volatile("bar.sync %0, 64;" ::"r"(3 - first));
  out[threadIdx.x] = 1;
}
