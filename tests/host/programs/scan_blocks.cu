// Inclusive scan of any length: blocks, the sums of blocks, and their addition, recursively.
#include <cstdio>
#include <vector>

constexpr int B = 256;

__global__ void scanBlock(const int *in, int *out, int *sums, int n) {
    __shared__ int buf[2][B];
    int i = blockIdx.x * B + threadIdx.x, src = 0;
    buf[0][threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < B; d *= 2) {
        int v = buf[src][threadIdx.x];
        if (threadIdx.x >= d) v += buf[src][threadIdx.x - d];
        buf[1 - src][threadIdx.x] = v;
        src = 1 - src;
        __syncthreads();
    }
    if (i < n) out[i] = buf[src][threadIdx.x];
    if (sums && threadIdx.x == B - 1) sums[blockIdx.x] = buf[src][B - 1];
}

__global__ void addSums(int *data, const int *sums, int n) {
    int i = (blockIdx.x + 1) * B + threadIdx.x;
    if (i < n) data[i] += sums[blockIdx.x];
}

void scan(const int *in, int *out, int n) {
    int blocks = (n + B - 1) / B;
    if (blocks == 1) {
        scanBlock<<<1, B>>>(in, out, nullptr, n);
        return;
    }
    int *sums;
    cudaMalloc(&sums, blocks * sizeof(int));
    scanBlock<<<blocks, B>>>(in, out, sums, n);
    scan(sums, sums, blocks);
    addSums<<<blocks - 1, B>>>(out, sums, n);
    cudaFree(sums);
}

int main() {
    for (int n : {1, 255, 256, 257, 100000}) {
        std::vector<int> h(n), r(n);
        for (int i = 0; i < n; ++i) h[i] = i % 11 - 3;
        int *d, *s;
        cudaMalloc(&d, n * sizeof(int));
        cudaMalloc(&s, n * sizeof(int));
        cudaMemcpy(d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
        scan(d, s, n);
        cudaMemcpy(r.data(), s, n * sizeof(int), cudaMemcpyDeviceToHost);
        int sum = 0, wrong = 0;
        for (int i = 0; i < n; ++i) wrong += (sum += h[i]) != r[i];
        printf("n = %6d: last = %d, %d wrong\n", n, r[n - 1], wrong);
        cudaFree(d);
        cudaFree(s);
        if (wrong) return 1;
    }
    return 0;
}
