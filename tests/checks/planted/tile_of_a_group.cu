//@ kinds = ["race"]
//@ block = 64
//@ args = { out = "int:64", in = "int:64:iota" }
//@ variants = [{ SIZE = 8 }, { SIZE = 16 }, { SIZE = 32 }]
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void kernel(int *out, const int *in) {
  __shared__ int s[64];
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<SIZE>(block);
  int t = block.thread_rank(), first = t - tile.thread_rank();
  s[t] = in[t];  // here
#ifndef BUG
  tile.sync();
#endif
  out[t] = s[first + (tile.thread_rank() + 1) % SIZE];  // here
}
