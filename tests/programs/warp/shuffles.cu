// Each kind of shuffle, whole warps and segments, 32 and 64 bits.
__global__ void kernel(int* out, double* wide) {
  int t = threadIdx.x, n = blockDim.x, v = t * 3;
  out[t] = __shfl_sync(0xffffffff, v, 5);
  out[n + t] = __shfl_sync(0xffffffff, v, t + 1, 8);
  out[2 * n + t] = __shfl_up_sync(0xffffffff, v, 3);
  out[3 * n + t] = __shfl_down_sync(0xffffffff, v, 3, 16);
  out[4 * n + t] = __shfl_xor_sync(0xffffffff, v, 9);
  out[5 * n + t] = __shfl_xor_sync(0xffffffff, v, 8, 8);
  wide[t] = __shfl_down_sync(0xffffffff, t * 0.5, 16);
}
