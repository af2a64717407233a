"""Kernels whose blocks form clusters."""

HEAD = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"

# CUDA C++ Programming Guide, "Distributed shared memory".
HISTOGRAM = (
    HEAD
    + """
__global__ void __cluster_dims__(2) histogram(int *bins, int nbins, int bins_per_block, const int *input, int n) {
    extern __shared__ int smem[];
    int tid = cg::this_grid().thread_rank();
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x) smem[i] = 0;
    cluster.sync();
    for (int i = tid; i < n; i += blockDim.x * gridDim.x) {
        int binid = input[i];
        if (binid < 0) binid = 0;
        else if (binid >= nbins) binid = nbins - 1;
        int dst_block_rank = binid / bins_per_block, dst_offset = binid % bins_per_block;
        int *dst_smem = cluster.map_shared_rank(smem, dst_block_rank);
        atomicAdd(dst_smem + dst_offset, 1);
    }
    cluster.sync();
    int *lbins = bins + cluster.block_rank() * bins_per_block;
    for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x) atomicAdd(&lbins[i], smem[i]);
}
"""
)

# Each block writes to its right neighbour, waits late, and sums what all blocks have, in clusters of 2 x 2 blocks.
NEIGHBOURS = (
    HEAD
    + """
__global__ void __cluster_dims__(2, 2) neighbours(float *out, unsigned *places) {
    __shared__ float own[64], received[64];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank(), blocks = cluster.num_blocks(), t = threadIdx.x;
    own[t] = t + 100 * rank + 1000 * (blockIdx.y * gridDim.x + blockIdx.x);
    float *right = cluster.map_shared_rank(received, (rank + 1) % blocks);
    cluster.sync();
    right[t] = own[t] + 0.5f;
    auto token = cluster.barrier_arrive();
    float sum = 0;
    cluster.barrier_wait(static_cast<cg::cluster_group::arrival_token &&>(token));
    for (int k = 0; k < blocks; ++k) sum += cluster.map_shared_rank(own, k)[63 - t];
    unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
    out[block * 64 + t] = received[t] + sum;
    if (t == 1) {
        unsigned *p = places + block * 12;
        p[0] = rank; p[1] = cluster.block_index().x; p[2] = cluster.block_index().y; p[3] = cluster.dim_blocks().x;
        p[4] = cluster.dim_blocks().y; p[5] = blocks; p[6] = cluster.thread_rank(); p[7] = cluster.num_threads();
        p[8] = cluster.query_shared_rank(right); p[9] = cluster.query_shared_rank(own);
        p[10] = cluster.thread_index().y; p[11] = cluster.dim_threads().x;
    }
    cluster.sync();
}
"""
)

ATOMICS = (
    HEAD
    + """
struct Sums { int i; unsigned u; unsigned long long l; float f; int swapped; double d; int least, most; };
__global__ void atomics(int *ints, unsigned long long *longs, double *reals) {
    __shared__ Sums sums;
    auto cluster = cg::this_cluster();
    if (threadIdx.x == 0) {
        sums.i = sums.u = 0; sums.l = 0; sums.f = 0; sums.d = 0; sums.least = 1000; sums.most = -1000; sums.swapped = 7;
    }
    cluster.sync();
    int v = threadIdx.x + 10 * cluster.block_rank();
    for (int k = 0; k < cluster.num_blocks(); ++k) {
        Sums *s = cluster.map_shared_rank(&sums, k);
        atomicAdd(&s->i, v); atomicOr(&s->u, 1u << (v & 31)); atomicAdd(&s->l, 1ull << 33); atomicAdd(&s->f, 0.5f);
        atomicAdd(&s->d, 0.25); atomicMin(&s->least, v - k); atomicMax(&s->most, v + k);
        if (v == 12) ints[64 + blockIdx.x * 8 + k] = atomicCAS(&s->swapped, 7, 40 + k);
    }
    cluster.sync();
    if (threadIdx.x == 0) {
        int *p = ints + blockIdx.x * 5;
        p[0] = sums.i; p[1] = sums.u; p[2] = sums.least; p[3] = sums.most; p[4] = sums.swapped;
        longs[blockIdx.x] = sums.l; reals[2 * blockIdx.x] = sums.f; reals[2 * blockIdx.x + 1] = sums.d;
    }
}
"""
)

# Blocks pass values on through global memory, in order only if they wait for one another.
PASS_ON = (
    HEAD
    + """
__global__ void pass_on(int *data, int *out, int rounds) {
    auto cluster = cg::this_cluster();
    int n = cluster.num_blocks(), base = blockIdx.x / n * n, rank = cluster.block_rank();
    for (int k = 0; k < rounds; ++k) {
        data[(base + rank) * 32 + threadIdx.x] = k + rank;
        BETWEEN
        out[(base + rank) * 32 + threadIdx.x] += data[(base + (rank + 1) % n) * 32 + threadIdx.x];
        BETWEEN
    }
}
"""
)

# The same with inline PTX, as kernels of CUTLASS and others have it.
PTX = """
__global__ void __cluster_dims__(4) turned(int *out) {
    __shared__ int own[32], taken[32];
    unsigned rank, blocks, remote, here = __cvta_generic_to_shared(own + threadIdx.x);
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm volatile("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(blocks));
    asm volatile("st.shared.u32 [%0], %1;" :: "r"(here), "r"(threadIdx.x + 100 * rank) : "memory");
    taken[threadIdx.x] = 0;
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(here), "r"((rank + 1) % blocks));
    int found;
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(found) : "r"(remote) : "memory");
    unsigned there = __cvta_generic_to_shared(taken + threadIdx.x), old;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(there), "r"((rank + 2) % blocks));
    asm volatile("atom.shared::cluster.add.u32 %0, [%1], %2;" : "=r"(old) : "r"(there), "r"(found) : "memory");
    unsigned long long wide;
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(wide) : "l"(&own[31 - threadIdx.x]), "r"((rank + 3) % blocks));
    asm volatile("barrier.cluster.arrive;\\nbarrier.cluster.wait;" ::: "memory");
    out[blockIdx.x * 32 + threadIdx.x] = taken[threadIdx.x] + 10000 * *(int *)wide + old;
    asm volatile("barrier.cluster.arrive.relaxed;\\nbarrier.cluster.wait;" ::: "memory");
}
"""

# One access of each warp: loads (kinds 0 and 1), stores (2, 3) and atomics (4, 5) in the memory of the own block or of
# the other one; loads of which the odd lanes go to the second block (6, 7).
ACCESSES = (
    HEAD
    + """
__global__ void __cluster_dims__(2) accesses(int *out, int stride, int kind) {
    __shared__ int s[2048];
    auto c = cg::this_cluster();
    for (int i = threadIdx.x; i < 2048; i += 32) s[i] = i;
    c.sync();
    int *p = c.map_shared_rank(s, kind & 1 ? c.block_rank() ^ 1 : c.block_rank());
    int v = 0;
    if (kind < 2) v = p[threadIdx.x * stride];
    else if (kind < 4) p[threadIdx.x * stride] = 5;
    else if (kind < 6) atomicAdd(p + threadIdx.x * stride, 1);
    else if (kind < 8) v = c.map_shared_rank(s, threadIdx.x & 1)[threadIdx.x * stride];
    c.sync();
    out[blockIdx.x * 32 + threadIdx.x] = v;
}
"""
)

# An access of each warp: lane l to element l / share * stride of block (rank + 1 + l % blocks) % 4, in words of 4 to 16
# bytes. Kind 0 loads, 1 stores; of sums 0 is an atomic whose result is used, 1 one whose is not.
MANY_BLOCKS = (
    HEAD
    + """
template <typename T>
__global__ void __cluster_dims__(4) wide(int *out, int stride, int share, int blocks, int kind, int lanes) {
    __shared__ __align__(128) T s[2048];
    auto c = cg::this_cluster();
    for (int i = threadIdx.x; i < 2048; i += 32) s[i] = T();
    c.sync();
    int l = threadIdx.x, rank = (c.block_rank() + 1 + l % blocks) % 4;
    T *p = c.map_shared_rank(s, rank) + l / share * stride;
    T v = T();
    if (l < lanes) {
        if (kind == 0) v = *p;
        else *p = v;
    }
    c.sync();
    *(T *)(out + 4 * (blockIdx.x * 32 + l)) = v;
}
template <typename T>
__global__ void __cluster_dims__(4) sums(T *out, int stride, int share, int blocks, int kind, int lanes) {
    __shared__ __align__(128) T s[1024];
    auto c = cg::this_cluster();
    for (int i = threadIdx.x; i < 1024; i += 32) s[i] = T();
    c.sync();
    int l = threadIdx.x, rank = (c.block_rank() + 1 + l % blocks) % 4;
    T *p = c.map_shared_rank(s, rank) + l / share * stride;
    T v = T();
    if (l < lanes) {
        if (kind == 0) v = atomicAdd(p, T(1));
        else atomicAdd(p, T(1));
    }
    c.sync();
    out[blockIdx.x * 32 + l] = v;
}
template __global__ void wide<int>(int *, int, int, int, int, int);
template __global__ void wide<int2>(int *, int, int, int, int, int);
template __global__ void wide<int4>(int *, int, int, int, int, int);
template __global__ void sums<int>(int *, int, int, int, int, int);
template __global__ void sums<unsigned long long>(unsigned long long *, int, int, int, int, int);
"""
)
