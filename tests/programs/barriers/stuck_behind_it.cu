// Behind the barrier both arms wait for the full mask at once, at different places, and nobody issues any more.
__global__ void kernel(int* out) {
  if (threadIdx.x % 2) {
    __syncthreads();
    __syncwarp();
    out[threadIdx.x] = 1;
  } else {
    __syncthreads();
    __syncwarp();
    out[threadIdx.x] = 2;
  }
}
