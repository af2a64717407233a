// The lock is released behind the loop: the winner waits on the stack for lanes that wait for the lock.
__global__ void kernel(int* lock, int* sum) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *sum = *sum + 1;
  atomicExch(lock, 0);
}
