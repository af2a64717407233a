// Each half of the block has a barrier of its own; a block of 96 threads has three warps, and the third a barrier of
// all, after which the first two read what it wrote. Threads that end are not waited for where no number is given.
__global__ void kernel(int* out) {
  __shared__ int tile[128];
  int t = threadIdx.x, half = t / 64;
  tile[t] = t;
  asm volatile("bar.sync %0, %1;" ::"r"(1 + half), "r"(half ? 32 : 64) : "memory");
  out[t] = tile[half ? t : (t + 32) % 64];
  if (t >= 64 && t < 80) return;
  __barrier_sync(7);
  if (t < 64) out[t] += tile[64 + t % 32];
}
