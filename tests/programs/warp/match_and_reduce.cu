// Lanes with equal values find one another; reductions over the warp in one instruction.
__global__ void kernel(unsigned* out) {
  int t = threadIdx.x, n = blockDim.x;
  out[t] = __match_any_sync(0xffffffff, t % 4);
  int pred, other;
  out[n + t] = __match_all_sync(0xffffffff, t / 32, &pred);
  unsigned none = __match_all_sync(0xffffffff, t, &other);
  out[2 * n + t] = pred + 2 * (none == 0) + 4 * other;
  out[3 * n + t] = __reduce_add_sync(0xffffffff, t);
  out[4 * n + t] = __reduce_min_sync(0xffffffff, -t);
  out[5 * n + t] = __reduce_or_sync(0xffffffff, 1u << (t % 7));
}
