// Lanes 1, 2, 4, 5, 7, 8, ... run together: shuffles among them count ranks, not lanes.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void coalesced_shuffles(unsigned *out, unsigned *counter) {
    if (threadIdx.x % 3 == 0) return;
    cg::coalesced_group g = cg::coalesced_threads();
    unsigned place;  // has a value in the group's first thread only
    if (g.thread_rank() == 0) place = atomicAdd(counter, g.size());
    out[threadIdx.x] = g.shfl(place, 0) + g.thread_rank();
    out[32 + threadIdx.x] = 100 * g.shfl(threadIdx.x, 0) + g.shfl(threadIdx.x, 2);
    out[64 + threadIdx.x] = g.shfl_up(threadIdx.x, 1);
    out[96 + threadIdx.x] = g.shfl_down(threadIdx.x, 2);
}
