//@ kinds = ["deadlock"]
//@ device = "gtx480"
//@ block = 32
//@ args = { out = "int:1", lock = "int:1" }
//@ variants = [{ K = 1 }, { K = 2 }]
__global__ void kernel(int *out, int *lock) {
#ifdef BUG
  while (atomicCAS(lock, 0, 1) != 0) {  // here
  }
  *(volatile int *)out += K;  // here
  __threadfence();
  atomicExch(lock, 0);
#else
  for (bool done = false; !done;)
    if (atomicCAS(lock, 0, 1) == 0) {
      *(volatile int *)out += K;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
#endif
}
