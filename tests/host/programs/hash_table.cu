#include <cstdint>
#include <cstdio>
#include <random>
#include <unordered_map>
#include <vector>
#include <algorithm>

struct KeyValue { uint32_t key, value; };
constexpr uint32_t kEmpty = 0xffffffff;
constexpr uint32_t kCapacity = 8 * 1024;

#define CUDA_CHECK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s failed: %s\n", #x, cudaGetErrorString(e_)); std::exit(1); } } while (false)

__host__ __device__ inline uint32_t murmur(uint32_t k) {
    k ^= k >> 16; k *= 0x85ebca6b; k ^= k >> 13; k *= 0xc2b2ae35; k ^= k >> 16;
    return k & (kCapacity - 1);
}

__global__ void insert_all(KeyValue *table, const KeyValue *kvs, unsigned n) {
    for (unsigned t = blockIdx.x * blockDim.x + threadIdx.x; t < n; t += gridDim.x * blockDim.x) {
        uint32_t key = kvs[t].key, value = kvs[t].value, slot = murmur(key);
        while (true) {
            uint32_t prev = atomicCAS(&table[slot].key, kEmpty, key);
            if (prev == kEmpty || prev == key) { atomicMax(&table[slot].value, value); break; }
            slot = (slot + 1) & (kCapacity - 1);
        }
    }
}

__global__ void lookup_all(const KeyValue *__restrict__ table, KeyValue *kvs, unsigned n) {
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    uint32_t key = kvs[t].key, slot = murmur(key);
    for (;;) {
        if (table[slot].key == key) { kvs[t].value = table[slot].value; return; }
        if (table[slot].key == kEmpty) { kvs[t].value = kEmpty; return; }
        slot = (slot + 1) & (kCapacity - 1);
    }
}

__global__ void iterate(KeyValue *table, KeyValue *out, uint32_t *size) {
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < kCapacity && table[t].key != kEmpty && table[t].value != kEmpty) out[atomicAdd(size, 1)] = table[t];
}

struct CountingAlloc { static int live; };
int CountingAlloc::live = 0;

template <typename T>
class DeviceVector {
  public:
    explicit DeviceVector(size_t n) : n_(n) { CUDA_CHECK(cudaMalloc(&p_, n * sizeof(T))); ++CountingAlloc::live; }
    DeviceVector(const std::vector<T> &v) : DeviceVector(v.size()) { CUDA_CHECK(cudaMemcpy(p_, v.data(), n_ * sizeof(T), cudaMemcpyHostToDevice)); }
    DeviceVector(DeviceVector &&o) noexcept : p_(o.p_), n_(o.n_) { o.p_ = nullptr; o.n_ = 0; }
    DeviceVector(const DeviceVector &) = delete;
    ~DeviceVector() { if (p_) { cudaFree(p_); --CountingAlloc::live; } }
    operator T *() { return p_; }
    size_t size() const { return n_; }
    std::vector<T> host() const { std::vector<T> v(n_); CUDA_CHECK(cudaMemcpy(v.data(), p_, n_ * sizeof(T), cudaMemcpyDeviceToHost)); return v; }
  private:
    T *p_ = nullptr;
    size_t n_;
};

int main() {
    std::mt19937 rng(42);
    std::vector<KeyValue> kvs;
    std::unordered_map<uint32_t, uint32_t> expected;
    for (int i = 0; i < 5000; i++) {
        uint32_t k = rng() % 3000, v = rng() % 100000;
        kvs.push_back({k, v});
        auto [it, fresh] = expected.try_emplace(k, v);
        if (!fresh) it->second = std::max(it->second, v);
    }
    {
        DeviceVector<KeyValue> table(kCapacity);
        CUDA_CHECK(cudaMemset(table, 0xff, kCapacity * sizeof(KeyValue)));
        auto input = DeviceVector<KeyValue>(kvs);
        // values start at ~0u: maxima need 0
        std::vector<KeyValue> zeroed(kCapacity, KeyValue{kEmpty, 0});
        cudaMemcpy(table, zeroed.data(), zeroed.size() * sizeof(KeyValue), cudaMemcpyDefault);
        int minGrid = 0, block = 0;
        CUDA_CHECK(cudaOccupancyMaxPotentialBlockSize(&minGrid, &block, insert_all, 0, 256));
        insert_all<<<(unsigned)((kvs.size() + block - 1) / block), block>>>(table, input, (unsigned)kvs.size());
        std::vector<KeyValue> q;
        for (uint32_t k = 0; k < 3100; k++) q.push_back({k, 0});
        DeviceVector<KeyValue> queries(q);
        lookup_all<<<(unsigned)(q.size() / 128 + 1), 128>>>(table, queries, (unsigned)q.size());
        auto found = queries.host();
        int wrong = 0, missing = 0;
        for (auto &kv : found) {
            auto it = expected.find(kv.key);
            if (it == expected.end()) { missing++; wrong += kv.value != kEmpty; } else wrong += it->second != kv.value;
        }
        DeviceVector<KeyValue> all(kCapacity);
        DeviceVector<uint32_t> size(1);
        cudaMemset(size, 0, 4);
        iterate<<<kCapacity / 256, 256>>>(table, all, size);
        auto n = size.host()[0];
        auto list = all.host();
        list.resize(n);
        std::sort(list.begin(), list.end(), [](const KeyValue &a, const KeyValue &b) { return a.key < b.key; });
        unsigned long long sum = 0;
        for (const auto &[k, v] : list) sum = sum * 31 + k * 7ull + v;
        printf("%zu distinct, %u in table, %d missing, %d wrong, %llu, live %d\n", expected.size(), n, missing, wrong, sum, CountingAlloc::live);
    }
    printf("live %d\n", CountingAlloc::live);
}
