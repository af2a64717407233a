// The full mask in both arms: where threads are independent the arms wait for one another, at different places, for ever.
__global__ void kernel(int* out) {
  int t = threadIdx.x, v;
  if (t < 16)
    v = __shfl_xor_sync(0xffffffff, t, 16);
  else
    v = __shfl_xor_sync(0xffffffff, t + 100, 16);
  out[t] = v;
}
