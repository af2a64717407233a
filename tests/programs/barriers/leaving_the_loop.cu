// Lanes leave a loop that has a barrier in each turn. Where threads are independent they go on behind it in the groups
// in which they left, while the rest waits at the barrier; a stack brings them together behind the loop.
__global__ void kernel(int* out, unsigned* active) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = t;
  for (int stride = blockDim.x / 2; stride >= 1; stride >>= 1) {
    __syncthreads();
    if (t >= stride) break;
    s[t] += s[t + stride];
  }
  active[t] = __activemask();
  out[t] = s[t];
}
