#include <algorithm>
#include <cstdio>
#include <cstdint>
#include <vector>

// One block sorts by one bit after the other, with a scan in shared memory.
template <int N> __global__ void radixSort(uint32_t *keys, int bits) {
    __shared__ uint32_t key[N], other[N];
    __shared__ int ones[N];
    const int t = threadIdx.x;
    key[t] = keys[t];
    __syncthreads();
    for (int bit = 0; bit < bits; ++bit) {
        int one = key[t] >> bit & 1;
        ones[t] = one;
        __syncthreads();
        for (int d = 1; d < N; d <<= 1) {
            int v = t >= d ? ones[t - d] : 0;
            __syncthreads();
            ones[t] += v;
            __syncthreads();
        }
        int zeros = N - ones[N - 1];
        int place = one ? zeros + ones[t] - 1 : t - ones[t];
        other[place] = key[t];
        __syncthreads();
        key[t] = other[t];
        __syncthreads();
    }
    keys[t] = key[t];
}

int main() {
    constexpr int n = 512;
    std::vector<uint32_t> keys(n), expected;
    for (int i = 0; i < n; ++i) keys[i] = uint32_t(i * 40503u + 77u) & 0xffff;
    expected = keys;
    std::sort(expected.begin(), expected.end());
    uint32_t *d;
    cudaMalloc(&d, n * sizeof *d);
    cudaMemcpy(d, keys.data(), n * sizeof *d, cudaMemcpyHostToDevice);
    radixSort<n><<<1, n>>>(d, 16);
    cudaMemcpy(keys.data(), d, n * sizeof *d, cudaMemcpyDeviceToHost);
    cudaFree(d);
    for (int i = 0; i < n; i += 73) printf("%u ", keys[i]);
    printf("\n%s\n", keys == expected ? "sorted" : "WRONG");
    return keys != expected;
}
