// The warps say different numbers of threads for one barrier; 48 is no number of full warps; 0 says nothing at all.
__global__ void kernel(int* out, int odd, int none) {
  int warp = threadIdx.x / 32;
  asm volatile("bar.sync 1, %0;" ::"r"(warp ? 64 : 128));
  if (warp < 2) asm volatile("bar.sync 2, %0;" ::"r"(odd));
  if (warp == 3) asm volatile("bar.arrive 3, %0;" ::"r"(none));
  out[threadIdx.x] = 1;
}
