// The barrier waits for three warps, and two come.
__global__ void kernel(int* out) {
  if (threadIdx.x < 64) __barrier_sync_count(1, 96);
  out[threadIdx.x] = 1;
}
