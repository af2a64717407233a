// Bulk copies and their barriers: each launch is one block; what it leaves is printed as a checksum and its first words.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>
#include <cstring>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <vector>
namespace cg = cooperative_groups;
typedef unsigned long long u64;
static const int WORDS = 8192, SHARED = 4096;  // words
__device__ __forceinline__ unsigned place(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void begin(u64 *bar, int count) {
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(place(bar)), "r"(count));
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  __syncthreads();
}
__device__ __forceinline__ void expect(u64 *bar, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(place(bar)), "r"(bytes) : "memory");
}
__device__ __forceinline__ void wait(u64 *bar, int parity) {
  asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra DONE;\nbra AGAIN;\nDONE:\n}" ::"r"(place(bar)), "r"(parity) : "memory");
}
__device__ __forceinline__ void load(void *to, const void *from, int bytes, u64 *bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(place(to)), "l"(from), "r"(bytes), "r"(place(bar)) : "memory");
}
__device__ __forceinline__ void close_group() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
#define FILL for (int k = threadIdx.x; k < SHARED; k += blockDim.x) s[k] = 0xa0000000u + k;
#define OUT __syncthreads(); for (int k = threadIdx.x; k < SHARED; k += blockDim.x) to[k] = s[k];
#define BEGIN extern __shared__ __align__(128) unsigned s[]; __shared__ __align__(8) u64 bar; const int n = how[0], from_at = how[1], to_at = how[2], step = how[3], bytes = how[4]; (void)n; (void)from_at; (void)to_at; (void)step; (void)bytes; (void)bar;
// One thread asks for n copies.
extern "C" __global__ void one(const unsigned *from, unsigned *to, const int *how) {
  BEGIN FILL begin(&bar, 1);
  if (threadIdx.x == 0) {
    expect(&bar, n * bytes);
    for (int k = 0; k < n; ++k) load(s + to_at + k * step, from + from_at + k * step, bytes, &bar);
  }
  wait(&bar, 0); OUT
}
// n lanes of the warp ask for one copy each, by one instruction.
extern "C" __global__ void lanes(const unsigned *from, unsigned *to, const int *how) {
  BEGIN FILL begin(&bar, 1);
  if (threadIdx.x == 0) expect(&bar, n * bytes);
  __syncwarp();
  if (threadIdx.x < n) load(s + to_at + threadIdx.x * step, from + from_at + threadIdx.x * step, bytes, &bar);
  wait(&bar, 0); OUT
}
extern "C" __global__ void phases(const unsigned *from, unsigned *to, const int *how) {
  BEGIN FILL begin(&bar, 33);
  for (int k = 0; k < n; ++k) {
    if (threadIdx.x == 0) { expect(&bar, bytes); load(s + to_at, from + from_at + k * step, bytes, &bar); }
    asm volatile("{.reg .b64 t; mbarrier.arrive.shared::cta.b64 t, [%0];}" ::"r"(place(&bar)) : "memory");
    wait(&bar, k & 1);
    to[SHARED + k * 32 + threadIdx.x] = s[to_at + threadIdx.x];
    __syncwarp();
  }
  OUT
}
extern "C" __global__ void store(const unsigned *from, unsigned *to, const int *how) {
  BEGIN FILL asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); __syncthreads();
  if (threadIdx.x == 0) {
    for (int k = 0; k < n; ++k) asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to + to_at + k * step), "r"(place(s + from_at + k * step)), "r"(bytes) : "memory");
    close_group();
    if (step & 1024) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}
#define REDUCE(NAME, HOW) extern "C" __global__ void NAME(const unsigned *from, unsigned *to, const int *how) { \
  BEGIN for (int k = threadIdx.x; k < SHARED; k += blockDim.x) s[k] = from[k]; \
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); __syncthreads(); \
  if (threadIdx.x == 0) { \
    for (int k = 0; k < n; ++k) asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." HOW " [%0], [%1], %2;" ::"l"(to + to_at + k * step), "r"(place(s + from_at + k * step)), "r"(bytes) : "memory"); \
    close_group(); asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); } }
REDUCE(add_u32, "add.u32") REDUCE(add_s32, "add.s32") REDUCE(add_u64, "add.u64") REDUCE(min_u32, "min.u32") REDUCE(max_s32, "max.s32") REDUCE(min_s64, "min.s64") REDUCE(max_u64, "max.u64")
REDUCE(inc_u32, "inc.u32") REDUCE(dec_u32, "dec.u32") REDUCE(and_b32, "and.b32") REDUCE(or_b64, "or.b64") REDUCE(xor_b32, "xor.b32")
REDUCE(add_f32, "add.f32") REDUCE(add_f64, "add.f64") REDUCE(add_f16, "add.noftz.f16") REDUCE(add_bf16, "add.noftz.bf16") REDUCE(min_f16, "min.f16") REDUCE(max_bf16, "max.bf16")
extern "C" __global__ void prefetch(const unsigned *from, unsigned *to, const int *how) {
  BEGIN if (threadIdx.x == 0) for (int k = 0; k < n; ++k) asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from + from_at + k * step), "r"(bytes) : "memory");
  to[threadIdx.x] = from[threadIdx.x];
}
// Every block copies to the next block of its cluster.
extern "C" __global__ void __cluster_dims__(2, 1, 1) over(const unsigned *from, unsigned *to, const int *how) {
  BEGIN cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank();
  for (int k = threadIdx.x; k < SHARED; k += blockDim.x) s[k] = rank * 0x1000000 + k;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  begin(&bar, 1);
  if (threadIdx.x == 0) expect(&bar, bytes);
  cluster.sync();
  if (threadIdx.x == 0) {
    unsigned there, bar_there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(place(s + to_at)), "r"(rank ^ 1));
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(bar_there) : "r"(place(&bar)), "r"(rank ^ 1));
    asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(there), "r"(place(s + from_at)), "r"(bytes), "r"(bar_there) : "memory");
  }
  wait(&bar, 0); cluster.sync();
  for (int k = threadIdx.x; k < SHARED; k += blockDim.x) to[rank * SHARED + k] = s[k];
}
extern "C" __global__ void __cluster_dims__(2, 1, 1) multicast(const unsigned *from, unsigned *to, const int *how) {
  BEGIN cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank();
  FILL begin(&bar, 1);
  if (threadIdx.x == 0) expect(&bar, bytes);
  cluster.sync();
  if (threadIdx.x == 0 && rank == 0) {
    unsigned short mask = 3;
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(place(s + to_at)), "l"(from + from_at), "r"(bytes), "r"(place(&bar)), "h"(mask) : "memory");
  }
  wait(&bar, 0); cluster.sync();
  for (int k = threadIdx.x; k < SHARED; k += blockDim.x) to[rank * SHARED + k] = s[k];
}
extern "C" __global__ void with_barrier(const unsigned *from, unsigned *to, const int *how) {
  BEGIN __shared__ cuda::barrier<cuda::thread_scope_block> b;
  FILL if (threadIdx.x == 0) init(&b, blockDim.x);
  __syncthreads();
  auto group = cg::this_thread_block();
  cuda::memcpy_async(group, s + to_at, from + from_at, cuda::aligned_size_t<16>(bytes), b);
  b.arrive_and_wait(); OUT
}
extern "C" __global__ void with_barrier_plain(const unsigned *from, unsigned *to, const int *how) {
  BEGIN __shared__ cuda::barrier<cuda::thread_scope_block> b;
  FILL if (threadIdx.x == 0) init(&b, blockDim.x);
  __syncthreads();
  auto group = cg::this_thread_block();
  cuda::memcpy_async(group, s + to_at, from + from_at, bytes, b);
  b.arrive_and_wait(); OUT
}
extern "C" __global__ void with_tx(const unsigned *from, unsigned *to, const int *how) {
  BEGIN __shared__ cuda::barrier<cuda::thread_scope_block> b;
  FILL if (threadIdx.x == 0) { init(&b, blockDim.x); cuda::device::experimental::fence_proxy_async_shared_cta(); }
  __syncthreads();
  cuda::barrier<cuda::thread_scope_block>::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::device::experimental::cp_async_bulk_global_to_shared(s + to_at, from + from_at, bytes, b);
    token = cuda::device::barrier_arrive_tx(b, 1, bytes);
  } else token = b.arrive();
  b.wait(std::move(token));
  for (int k = threadIdx.x; k < SHARED; k += blockDim.x) s[k] += 1;
  cuda::device::experimental::fence_proxy_async_shared_cta(); __syncthreads();
  if (threadIdx.x == 0) {
    cuda::device::experimental::cp_async_bulk_shared_to_global(to + to_at, s + to_at, bytes);
    cuda::device::experimental::cp_async_bulk_commit_group();
    cuda::device::experimental::cp_async_bulk_wait_group_read<0>();
  }
}
extern "C" __global__ void staged(const unsigned *from, unsigned *to, const int *how) {  // a pipeline of two stages
  BEGIN __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  FILL auto group = cg::this_thread_block(); auto pipe = cuda::make_pipeline(group, &state);
  __syncthreads();
  for (int k = 0, asked = 0; k < n; ++k) {
    for (; asked < n && asked < k + 2; ++asked) {
      pipe.producer_acquire();
      cuda::memcpy_async(group, s + (asked & 1) * 1024, from + from_at + asked * step, cuda::aligned_size_t<16>(bytes), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    to[SHARED + k * blockDim.x + threadIdx.x] = s[(k & 1) * 1024 + threadIdx.x];
    pipe.consumer_release();
  }
  OUT
}
typedef void (*Kernel)(const unsigned *, unsigned *, const int *);
static std::vector<unsigned> source(WORDS), start(WORDS), found(WORDS);
static unsigned *from, *to;
static void run(const char *name, Kernel kernel, int blocks, int threads, int n, int from_at, int to_at, int step, int bytes) {
  int how[5] = {n, from_at, to_at, step, bytes}, *device;
  cudaMalloc(&device, sizeof how); cudaMemcpy(device, how, sizeof how, cudaMemcpyHostToDevice);
  cudaMemcpy(to, start.data(), WORDS * 4, cudaMemcpyHostToDevice);
  kernel<<<blocks, threads, SHARED * 4>>>(from, to, device);
  cudaError_t e = cudaDeviceSynchronize();
  cudaMemcpy(found.data(), to, WORDS * 4, cudaMemcpyDeviceToHost);
  u64 sum = 0; for (int k = 0; k < WORDS; ++k) sum = sum * 6364136223846793005ull + found[k] + 1442695040888963407ull;
  printf("%s n %d from %d to %d step %d bytes %d threads %d: %016llx %08x %08x %08x %s\n", name, n, from_at, to_at, step, bytes, threads, sum, found[0], found[to_at], found[to_at + 1], e ? cudaGetErrorName(e) : "");
  fflush(stdout); cudaFree(device);
}
#define RUN(K, ...) run(#K, K, 1, __VA_ARGS__)
int main() {
  unsigned state = 7; auto next = [&] { state = state * 1664525u + 1013904223u; return state >> 4; };
  for (auto &x : source) x = next() * 2654435761u; for (auto &x : start) x = next() * 2654435761u;
  for (int k = 0; k < WORDS; ++k)  // numbers that are finite as floats, doubles and halves
    source[k] = source[k] & 0x87ff87ff | 0x38003800, start[k] = start[k] & 0x87ff87ff | 0x38003800;
  cudaMalloc(&from, WORDS * 4); cudaMalloc(&to, WORDS * 4); cudaMemcpy(from, source.data(), WORDS * 4, cudaMemcpyHostToDevice);
  const int sizes[] = {16, 32, 48, 64, 112, 128, 144, 256, 1024, 4096, 16384};
  for (int bytes : sizes) RUN(one, 32, 1, 0, 0, 0, bytes);
  RUN(one, 32, 1, 4, 0, 0, 128); RUN(one, 32, 1, 28, 0, 0, 16); RUN(one, 32, 1, 28, 0, 0, 32); RUN(one, 32, 1, 0, 4, 0, 128); RUN(one, 32, 1, 4, 4, 0, 1024); RUN(one, 32, 4, 0, 0, 64, 256); RUN(one, 32, 3, 0, 0, 36, 80);
  RUN(lanes, 32, 2, 0, 0, 4, 16); RUN(lanes, 32, 32, 0, 0, 4, 16); RUN(lanes, 32, 32, 0, 0, 32, 128); RUN(lanes, 32, 8, 0, 0, 64, 64);
  RUN(phases, 32, 3, 0, 0, 256, 512); RUN(phases, 32, 7, 0, 64, 128, 256);
  for (int bytes : sizes) RUN(store, 32, 1, 0, 0, 0, bytes);
  RUN(store, 32, 1, 0, 4, 0, 128); RUN(store, 32, 1, 4, 0, 0, 128); RUN(store, 32, 3, 0, 4, 36, 80); RUN(store, 32, 2, 0, 0, 1024, 2048);
#define R(K) RUN(K, 32, 1, 0, 0, 0, 512); RUN(K, 32, 2, 4, 8, 100, 144);
  R(add_u32) R(add_s32) R(add_u64) R(min_u32) R(max_s32) R(min_s64) R(max_u64) R(inc_u32) R(dec_u32) R(and_b32) R(or_b64) R(xor_b32) R(add_f32) R(add_f64) R(add_f16) R(add_bf16) R(min_f16) R(max_bf16)
  RUN(prefetch, 32, 1, 0, 0, 0, 1024);
  run("over", over, 2, 32, 1, 0, 2048, 0, 16); run("over", over, 2, 32, 1, 0, 2048, 0, 1024); run("multicast", multicast, 2, 32, 1, 0, 0, 0, 1024);
  for (int threads : {32, 128}) { RUN(with_barrier, threads, 1, 0, 0, 0, 512); RUN(with_barrier, threads, 1, 4, 8, 0, 4096); RUN(with_barrier_plain, threads, 1, 4, 8, 0, 1024); RUN(with_barrier_plain, threads, 1, 1, 1, 0, 1024); RUN(with_tx, threads, 1, 0, 64, 0, 2048); RUN(staged, threads, 5, 0, 0, 256, 1024); }
  return 0;
}
