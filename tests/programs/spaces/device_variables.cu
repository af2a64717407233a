// Variables of the device that all blocks share.
__device__ int counter = 100;
__device__ float weights[4] = {1.0f, 2.0f, 4.0f};
__global__ void kernel(float* out, int* seen) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  seen[i] = atomicAdd(&counter, 2);
  weights[3] = 8.0f;
  out[i] = weights[i % 4];
}
