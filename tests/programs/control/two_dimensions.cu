// Threads and blocks in three dimensions, and a device function that is called twice with different arguments.
__device__ int place(int x, int y, int z, int nx, int ny) { return (z * ny + y) * nx + x; }
__global__ void kernel(int* out) {
  int b = place(blockIdx.x, blockIdx.y, blockIdx.z, gridDim.x, gridDim.y);
  int t = place(threadIdx.x, threadIdx.y, threadIdx.z, blockDim.x, blockDim.y);
  out[b * blockDim.x * blockDim.y * blockDim.z + t] = threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z + 1000 * b;
}
