// Two barriers in the source, one wait for each thread: where threads are independent both arms meet; a stack takes
// them one after the other, and each is a barrier of its own.
__global__ void kernel(int* out) {
  int t = threadIdx.x;
  if (t & 1) {
    __syncthreads();
    out[t] = 1;
  } else {
    __syncthreads();
    out[t] = 2;
  }
}
