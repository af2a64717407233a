//@ kinds = ["race"]
//@ grid = 4
//@ block = 32
//@ args = { a = "int:128:iota", out = "int:128", rounds = 3 }
//@ variants = [{ STEP = 32 }, { STEP = 40 }]
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void kernel(int *a, int *out, int rounds) {
  cg::grid_group grid = cg::this_grid();
  int i = grid.thread_rank(), n = grid.size();
  for (int k = 0; k < rounds; ++k) {
    int next = a[(i + STEP) % n] + 1;  // here
    grid.sync();
    a[i] = next;  // here
#ifndef BUG
    grid.sync();
#endif
  }
  out[i] = a[i];
}
