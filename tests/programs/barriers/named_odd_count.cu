// 48 threads are no full warps: an illegal instruction.
__global__ void kernel(int* out, int odd) {
  out[threadIdx.x] = 1;
  asm volatile("bar.sync 2, %0;" ::"r"(odd));
  out[threadIdx.x] = 2;
}
