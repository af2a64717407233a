// Each arm exchanges among its own lanes.
__global__ void kernel(int* out) {
  int t = threadIdx.x, v;
  if (t % 32 < 16)
    v = __shfl_xor_sync(0x0000ffff, t, 1);
  else
    v = __shfl_down_sync(0xffff0000, t, 2);
  out[t] = v;
}
