// Views, missing values, function objects and bits, by the names of libcu++ and of C++.
#include <cuda/std/span>
#include <cuda/std/bit>
#include <cuda/std/functional>
#include <cuda/std/optional>
#include <cstdio>
#include <functional>
#include <numeric>
#include <optional>
#include <vector>
template <class T> using View = cuda::std::span<T>;
template <class T, class Op> __device__ T folded(View<const T> values, T first, Op op) {
    for (const T &value : values) first = op(first, value);
    return first;
}
__device__ cuda::std::optional<int> position(View<const int> values, int wanted) {
    for (int k = 0; k < int(values.size()); k++)
        if (values[k] == wanted) return k;
    return cuda::std::nullopt;
}
template <class Op> __global__ void fold(View<const int> in, View<int> out, int width, Op op, int first) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k * width < int(in.size())) out[k] = folded(in.subspan(k * width, min(width, int(in.size()) - k * width)), first, op);
}
__global__ void find(View<const int> in, View<int> out) {
    int k = threadIdx.x;
    auto found = position(in, k * 3);
    out[k] = found ? *found : -found.value_or(1);
    if (found.has_value() && k % 2) { found = cuda::std::nullopt; out[k] += 1000 * found.value_or(7); }
}
__global__ void bits(View<unsigned long long> out) {
    unsigned x = 0x9e3779b9u * (threadIdx.x + 1);
    namespace s = cuda::std;
    out[threadIdx.x] = s::popcount(x) + 100ull * s::countl_zero(x >> threadIdx.x % 20) + 10000ull * s::countr_zero(x & ~7u) +
        1000000ull * s::bit_width(x & 0xffffu) + s::bit_ceil(x & 0xfffu) * 100000000ull + s::rotl(x, 5) % 977 + s::has_single_bit(x & -x) +
        s::bit_cast<unsigned>(float(x)) % 13 + s::bit_floor((unsigned char)(x)) + s::rotr((unsigned short)x, 3);
}
int main() {
    std::vector<int> h(1000); std::iota(h.begin(), h.end(), -300);
    for (auto &v : h) v = v * 7919 % 263;
    int *in, *out; cudaMalloc(&in, h.size() * sizeof(int)); cudaMalloc(&out, 64 * sizeof(int));
    cudaMemcpy(in, h.data(), h.size() * sizeof(int), cudaMemcpyHostToDevice);
    View<const int> values(in, h.size()); View<int> results(out, 64);
    int r[64];
    auto show = [&](const char *name, int n) {
        cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
        long long sum = 0; for (int k = 0; k < n; k++) sum += r[k] * (k + 1ll);
        std::printf("%s: %d %d %d, %lld\n", name, r[0], r[1], r[n - 1], sum);
    };
    fold<<<1, 64>>>(values, results, 16, cuda::std::plus<int>(), 0); show("sums", 63);
    fold<<<1, 64>>>(values, results, 16, cuda::std::bit_xor<>(), 5); show("xor", 63);
    fold<<<1, 64>>>(values, results, 16, cuda::std::minus<>{}, 1); show("differences", 63);
    fold<<<1, 64>>>(values.first(100), results, 16, [] __device__(int a, int b) { return cuda::std::less<>()(a, b) ? b : a; }, -1000); show("largest", 7);
    find<<<1, 64>>>(values.last(500), results); show("found", 64);
    unsigned long long *b; cudaMallocManaged(&b, 32 * 8);
    bits<<<1, 32>>>({b, 32});
    std::optional<cudaError_t> failed; if (auto e = cudaDeviceSynchronize(); e != cudaSuccess) failed = e;
    unsigned long long sum = std::accumulate(b, b + 32, 0ull);
    std::printf("bits: %llu %llu %llu, %s\n", b[0], b[31], sum, failed ? cudaGetErrorName(*failed) : "well");
    return std::bit_and<>()(4, 3) + int(values.size_bytes() != 4000);
}
