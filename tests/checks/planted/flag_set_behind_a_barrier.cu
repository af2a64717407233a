//@ kinds = ["endless loop"]
//@ block = 64
//@ args = { out = "int:64" }
//@ step_budget = 20000
//@ variants = [{ V = 1 }, { V = 5 }]
__global__ void kernel(int *out) {
  __shared__ volatile int flag;
  if (threadIdx.x == 32) flag = 0;
  __syncthreads();
#ifdef BUG
  if (threadIdx.x < 32) {
    while (flag == 0) {  // here
    }
  }
  __syncthreads();  // here
  if (threadIdx.x == 32) flag = V;
#else
  if (threadIdx.x == 32) flag = V;
  __syncthreads();
#endif
  out[threadIdx.x] = flag;
}
