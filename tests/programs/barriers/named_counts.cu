// The warps say different numbers of threads for one barrier; 0 says nothing at all.
__global__ void kernel(int* out, int none) {
  int warp = threadIdx.x / 32;
  asm volatile("bar.sync 1, %0;" ::"r"(warp ? 64 : 128));
  if (warp == 3) asm volatile("bar.arrive 3, %0;" ::"r"(none));
  out[threadIdx.x] = 1;
}
