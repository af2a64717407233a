//@ kinds = ["endless loop"]
//@ block = 32
//@ step_budget = 20000
//@ args = { out = "int:32" }
//@ variants = [{ D = 3 }, { D = 5 }]
__global__ void kernel(int *out) {
  int n = threadIdx.x + 1, steps = 0;
#ifdef BUG
  while (n % 7 != 7) n += D, ++steps;  // here
#else
  while (n % 7 != 0) n += D, ++steps;
#endif
  out[threadIdx.x] = steps;
}
