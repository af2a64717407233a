// Pointer arithmetic, differences, comparisons, negative indices, a pointer that walks, and one to shared memory.
__global__ void kernel(const float* __restrict__ in, float* out, int n) {
  __shared__ float tile[2][16];
  const float* end = in + n;
  const float* p = in + threadIdx.x;
  float sum = 0;
  for (; p < end; p += blockDim.x) sum += *p;
  float* mine = &tile[threadIdx.x & 1][threadIdx.x >> 1];
  *mine = sum + 1000 * (end - p);
  __syncthreads();
  float* row = tile[1];
  out[threadIdx.x] = row[15 - (int)threadIdx.x / 2] * 2 + (&row[threadIdx.x / 2])[-16];
}
