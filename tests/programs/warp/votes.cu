// Votes and ballots, also of a part of the warp.
__global__ void kernel(unsigned* out) {
  int t = threadIdx.x, n = blockDim.x;
  out[t] = __ballot_sync(0xffffffff, t % 3 == 0);
  out[n + t] = __all_sync(0xffffffff, t < 32) + 2 * __any_sync(0xffffffff, t == 40);
  out[2 * n + t] = t % 32 < 8 ? __ballot_sync(0x000000ff, t & 1) : 7;
  out[3 * n + t] = __activemask();
}
