// The algorithms of blocks and warps of CUB, as a course on parallel primitives has them: a sum, a scan of tiles with a
// running prefix, a sort of tiles, a histogram, a compaction and a merge of pairs.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cub/cub.cuh>
#include <cuda/functional>

#define CHECK(call)                                                                                  \
    do {                                                                                             \
        cudaError_t e = (call);                                                                      \
        if (e != cudaSuccess) { printf("%s: %s\n", #call, cudaGetErrorString(e)); exit(1); }         \
    } while (0)

constexpr int THREADS = 128, ITEMS = 4, TILE = THREADS * ITEMS;

template <cub::BlockReduceAlgorithm ALGORITHM>
__global__ void sums(const float *in, float *totals, float *greatest, int n) {
    using Load = cub::BlockLoad<float, THREADS, ITEMS, cub::BLOCK_LOAD_TRANSPOSE>;
    using Reduce = cub::BlockReduce<float, THREADS, ALGORITHM>;
    __shared__ union { typename Load::TempStorage load; typename Reduce::TempStorage reduce; } temp;
    float items[ITEMS];
    Load(temp.load).Load(in + blockIdx.x * TILE, items, n - blockIdx.x * TILE, 0.0f);
    __syncthreads();
    const float total = Reduce(temp.reduce).Sum(items);
    __syncthreads();
    const float most = Reduce(temp.reduce).Reduce(items, cuda::maximum<float>());
    if (threadIdx.x == 0) totals[blockIdx.x] = total, greatest[blockIdx.x] = most;
}

struct RunningPrefix {
    int total;
    __device__ RunningPrefix(int start) : total(start) {}
    __device__ int operator()(int of_block) { int before = total; total += of_block; return before; }
};

// One block scans everything, tile by tile.
__global__ void long_scan(const int *in, int *out, int n) {
    using Load = cub::BlockLoad<int, THREADS, ITEMS, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using Store = cub::BlockStore<int, THREADS, ITEMS, cub::BLOCK_STORE_WARP_TRANSPOSE>;
    using Scan = cub::BlockScan<int, THREADS, cub::BLOCK_SCAN_WARP_SCANS>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Store::TempStorage store;
        typename Scan::TempStorage scan;
    } temp;
    RunningPrefix prefix(1000);
    for (int tile = 0; tile < n; tile += TILE) {
        int items[ITEMS];
        Load(temp.load).Load(in + tile, items, n - tile, 0);
        __syncthreads();
        Scan(temp.scan).ExclusiveSum(items, items, prefix);
        __syncthreads();
        Store(temp.store).Store(out + tile, items, n - tile);
        __syncthreads();
    }
}

template <typename Key, typename Value> __global__ void sort_tiles(Key *keys, Value *values, bool down) {
    using Sort = cub::BlockRadixSort<Key, THREADS, ITEMS, Value>;
    __shared__ typename Sort::TempStorage temp;
    Key own[ITEMS];
    Value with[ITEMS];
    cub::LoadDirectStriped<THREADS>(threadIdx.x, keys + blockIdx.x * TILE, own);
    cub::LoadDirectStriped<THREADS>(threadIdx.x, values + blockIdx.x * TILE, with);
    if (down) Sort(temp).SortDescendingBlockedToStriped(own, with);
    else Sort(temp).SortBlockedToStriped(own, with);
    cub::StoreDirectStriped<THREADS>(threadIdx.x, keys + blockIdx.x * TILE, own);
    cub::StoreDirectStriped<THREADS>(threadIdx.x, values + blockIdx.x * TILE, with);
}

template <cub::BlockHistogramAlgorithm ALGORITHM> __global__ void histogram(const unsigned char *in, unsigned int *bins) {
    using Histogram = cub::BlockHistogram<unsigned char, THREADS, ITEMS, 64, ALGORITHM>;
    __shared__ typename Histogram::TempStorage temp;
    __shared__ unsigned int own[64];
    unsigned char items[ITEMS];
    cub::LoadDirectBlocked(threadIdx.x, in + blockIdx.x * TILE, items);
    Histogram(temp).Histogram(items, own);
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

// Those above a threshold, packed; and how many they are.
__global__ void compact(const int *in, int *out, int *count, int threshold) {
    using Scan = cub::BlockScan<int, THREADS>;
    __shared__ typename Scan::TempStorage temp;
    __shared__ int first;
    const int x = in[blockIdx.x * THREADS + threadIdx.x];
    int place, all;
    Scan(temp).ExclusiveSum(x > threshold, place, all);
    if (threadIdx.x == 0) first = atomicAdd(count, all);
    __syncthreads();
    if (x > threshold) out[first + place] = x;
}

struct ByLastDigit {
    __device__ bool operator()(int a, int b) const { return a % 10 < b % 10; }
};

__global__ void runs(int *keys, int *heads, int *differences, float *lane_sums) {
    using Sort = cub::BlockMergeSort<int, THREADS, ITEMS>;
    using Heads = cub::BlockDiscontinuity<int, THREADS>;
    using Difference = cub::BlockAdjacentDifference<int, THREADS>;
    __shared__ union { typename Sort::TempStorage sort; typename Heads::TempStorage heads; typename Difference::TempStorage difference; } temp;
    int own[ITEMS], flags[ITEMS], apart[ITEMS];
    for (int k = 0; k < ITEMS; k++) own[k] = keys[threadIdx.x * ITEMS + k];
    Sort(temp.sort).Sort(own, ByLastDigit());
    __syncthreads();
    Heads(temp.heads).FlagHeads(flags, own, [](int a, int b) { return a % 10 != b % 10; });
    __syncthreads();
    Difference(temp.difference).SubtractLeft(own, apart, [](int a, int b) { return a - b; });
    for (int k = 0; k < ITEMS; k++) {
        keys[threadIdx.x * ITEMS + k] = own[k];
        heads[threadIdx.x * ITEMS + k] = flags[k];
        differences[threadIdx.x * ITEMS + k] = apart[k];
    }
    using WarpScan = cub::WarpScan<float, 16>;
    using WarpReduce = cub::WarpReduce<float>;
    __shared__ typename WarpScan::TempStorage scans[THREADS / 16];
    __shared__ typename WarpReduce::TempStorage reduces[THREADS / 32];
    float before, all;
    WarpScan(scans[threadIdx.x / 16]).ExclusiveSum(own[0] * 0.1f, before, all);
    const float segment = WarpReduce(reduces[threadIdx.x / 32]).HeadSegmentedSum(before, threadIdx.x % 5 == 0);
    lane_sums[threadIdx.x] = threadIdx.x % 5 == 0 || threadIdx.x % 32 == 0 ? segment : all;
}

template <typename T> unsigned long long hash_of(const std::vector<T> &values) {
    unsigned long long h = 1469598103934665603ull;
    for (const T &v : values)
        for (size_t k = 0; k < sizeof(T); k++) h = (h ^ ((const unsigned char *)&v)[k]) * 1099511628211ull;
    return h;
}
template <typename T> struct Array {
    T *device;
    std::vector<T> host;
    explicit Array(size_t n) : host(n) { CHECK(cudaMalloc(&device, n * sizeof(T))); }
    ~Array() { cudaFree(device); }
    void up() { CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice)); }
    void down() { CHECK(cudaMemcpy(host.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost)); }
    void show(const char *name) { down(); printf("%-12s %016llx  first %g last %g\n", name, hash_of(host), (double)host.front(), (double)host.back()); }
};

int main() {
    const int n = 5 * TILE - 77, blocks = (n + TILE - 1) / TILE;
    Array<float> values(n), totals(blocks), greatest(blocks);
    Array<int> numbers(n), scanned(n);
    unsigned int state = 12345;
    auto next = [&] { return state = state * 1664525u + 1013904223u, state >> 8; };
    for (int i = 0; i < n; i++) values.host[i] = (int)(next() % 2001 - 1000) * 0.37f, numbers.host[i] = next() % 100;
    values.up(), numbers.up();
    sums<cub::BLOCK_REDUCE_WARP_REDUCTIONS><<<blocks, THREADS>>>(values.device, totals.device, greatest.device, n);
    totals.show("warps"), greatest.show("greatest");
    sums<cub::BLOCK_REDUCE_RAKING><<<blocks, THREADS>>>(values.device, totals.device, greatest.device, n);
    totals.show("raking"), greatest.show("greatest");
    sums<cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY><<<blocks, THREADS>>>(values.device, totals.device, greatest.device, n);
    totals.show("commutative");
    long_scan<<<1, THREADS>>>(numbers.device, scanned.device, n);
    scanned.show("scan");

    Array<double> keys(4 * TILE);
    Array<short> with(4 * TILE);
    for (int i = 0; i < 4 * TILE; i++) keys.host[i] = (int)(next() % 1000) - 500 + 0.25, with.host[i] = i;
    keys.up(), with.up();
    sort_tiles<<<4, THREADS>>>(keys.device, with.device, false);
    keys.show("sorted"), with.show("with");
    sort_tiles<<<4, THREADS>>>(keys.device, with.device, true);
    keys.show("down"), with.show("with");

    Array<unsigned char> bytes(4 * TILE);
    Array<unsigned int> bins(64);
    for (auto &b : bytes.host) b = next() % 64;
    bytes.up(), bins.up();
    histogram<cub::BLOCK_HISTO_SORT><<<4, THREADS>>>(bytes.device, bins.device);
    bins.show("by sorting");
    histogram<cub::BLOCK_HISTO_ATOMIC><<<4, THREADS>>>(bytes.device, bins.device);
    bins.show("by atomics");

    Array<int> kept(THREADS * 4), count(1);
    count.up();
    compact<<<1, THREADS>>>(numbers.device, kept.device, count.device, 60);
    CHECK(cudaDeviceSynchronize());
    count.down();
    printf("kept %d\n", count.host[0]);

    Array<int> run_keys(TILE), heads(TILE), differences(TILE);
    Array<float> lane_sums(THREADS);
    for (auto &k : run_keys.host) k = next() % 1000;
    run_keys.up();
    runs<<<1, THREADS>>>(run_keys.device, heads.device, differences.device, lane_sums.device);
    CHECK(cudaDeviceSynchronize());
    run_keys.show("merged"), heads.show("heads"), differences.show("differences"), lane_sums.show("lanes");
}
