// Lane 0 waits for a flag that lane 1 sets behind the same loop: for ever on a stack.
__global__ void kernel(volatile int* flag, int* out) {
  if (threadIdx.x == 0) {
    while (*flag == 0) {
    }
    out[0] = 5;
  } else {
    *flag = 1;
    out[threadIdx.x] = 6;
  }
}
