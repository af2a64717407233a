// The lanes of a warp come to one barrier at two places. From CC 7.0 on the warp arrives when all of them have come;
// before, an arm stands for the whole warp, and so the warp arrives twice.
__global__ void kernel(int* out) {
  if (threadIdx.x % 2) {
    asm volatile("barrier.sync 3, 64;" ::: "memory");
    out[threadIdx.x] = 1;
  } else {
    asm volatile("barrier.sync 3, 64;" ::: "memory");
    out[threadIdx.x] = 2;
  }
}
