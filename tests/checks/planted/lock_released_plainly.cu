//@ kinds = ["race"]
//@ grid = 4
//@ block = 32
//@ args = { lock = "int:1", sum = "int:1" }
//@ variants = [{ K = 1 }, { K = 9 }]
__global__ void kernel(int *lock, int *sum) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) { }  // here
    __threadfence();
    *sum += K;  // here
#ifdef BUG
    *lock = 0;  // here
#else
    __threadfence();
    atomicExch(lock, 0);
#endif
  }
}
