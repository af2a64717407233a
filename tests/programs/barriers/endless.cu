__global__ void kernel(int* out) {
  int k = 1;
  while (k != 0) k += 2;
  out[threadIdx.x] = k;
}
