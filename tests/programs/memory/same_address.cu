// Several lanes store to one word: the highest lane's value stays.
__global__ void kernel(int* out) {
  __shared__ int s[4];
  int t = threadIdx.x;
  out[t / 8] = t;
  s[t % 4] = t;
  __syncthreads();
  out[4 + t % 4] = s[t % 4];
}
