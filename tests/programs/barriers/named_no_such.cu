// A block has barriers 0 to 15.
__global__ void kernel(int* out, int number) {
  out[threadIdx.x] = 1;
  asm volatile("bar.sync %0, 32;" ::"r"(number));
  out[threadIdx.x] = 2;
}
