// One pointer, which points into another space for each lane.
__device__ int sum(const int* p, int n) {
  int s = 0;
  for (int k = 0; k < n; ++k) s += p[k];
  return s;
}
__global__ void kernel(int* in, int* out) {
  __shared__ int tile[32];
  int own[4] = {1, 2, 3, 4};
  int t = threadIdx.x;
  tile[t] = 100;
  __syncthreads();
  int* p = t % 3 == 0 ? in : t % 3 == 1 ? tile : own;
  out[t] = sum(p, 4);
  p[t % 3 == 0 ? t : 0] = t;
  out[t] += p[t % 3 == 0 ? t : 0];
}
