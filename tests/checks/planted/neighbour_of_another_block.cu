//@ kinds = ["race"]
//@ grid = 4
//@ block = 32
//@ args = { a = "float:130", b = "float:130" }
//@ variants = [{ D = 1 }, { D = 2 }]
__global__ void kernel(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef BUG
  float v = a[i + D];  // here
  __syncthreads();
  a[i] = v;  // here
#else
  b[i] = a[i + D];
#endif
}
