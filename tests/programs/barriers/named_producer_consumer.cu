// A warp fills two buffers in turn, another empties them: each waits for the other at barriers of 64 threads, and goes
// on after its own arrivals.
__global__ void kernel(const int* in, int* out, int rounds) {
  __shared__ int buffers[2][32];
  int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int r = 0; r < rounds; ++r) {
      asm volatile("bar.sync %0, %1;" ::"r"(2 + r % 2), "n"(64) : "memory");
      buffers[r % 2][lane] = in[32 * r + lane];
      asm volatile("barrier.cta.arrive.aligned %0, 64;" ::"r"(r % 2) : "memory");
    }
  } else {
    asm volatile("bar.arrive 2, 64; bar.arrive 3, 64;" ::: "memory");
    for (int r = 0; r < rounds; ++r) {
      __barrier_sync_count(r % 2, 64);
      out[32 * r + lane] = 2 * buffers[r % 2][lane];
      asm volatile("bar.arrive %0, 64;" ::"r"(2 + r % 2) : "memory");
    }
  }
}
