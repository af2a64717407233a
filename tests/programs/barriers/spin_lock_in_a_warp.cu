// Lanes of one warp take a lock in turn. On a stack the lanes that lost spin while the winner waits for them to meet.
__global__ void kernel(int* lock, int* sum) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *sum = *sum + 1;
      atomicExch(lock, 0);
      done = true;
    }
  }
}
