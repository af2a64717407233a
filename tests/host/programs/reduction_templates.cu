#include <cstdio>
#include <cstdlib>

template <unsigned int blockSize> __device__ void warpReduce(volatile int *s, unsigned int tid) {
    if (blockSize >= 64) { s[tid] += s[tid + 32]; __syncwarp(); }
    if (blockSize >= 32) { s[tid] += tid < 16 ? s[tid + 16] : 0; __syncwarp(); }
    if (blockSize >= 16) { s[tid] += tid < 8 ? s[tid + 8] : 0; __syncwarp(); }
    if (blockSize >= 8) { s[tid] += tid < 4 ? s[tid + 4] : 0; __syncwarp(); }
    if (blockSize >= 4) { s[tid] += tid < 2 ? s[tid + 2] : 0; __syncwarp(); }
    if (blockSize >= 2) { s[tid] += tid < 1 ? s[tid + 1] : 0; __syncwarp(); }
}

template <unsigned int blockSize> __global__ void reduce6(const int *in, int *out, unsigned int n) {
    extern __shared__ int sdata[];
    unsigned int tid = threadIdx.x, i = blockIdx.x * (blockSize * 2) + tid, gridSize = blockSize * 2 * gridDim.x;
    int sum = 0;
    while (i < n) {
        sum += in[i];
        if (i + blockSize < n) sum += in[i + blockSize];
        i += gridSize;
    }
    sdata[tid] = sum;
    __syncthreads();
    if (blockSize >= 512) { if (tid < 256) sdata[tid] += sdata[tid + 256]; __syncthreads(); }
    if (blockSize >= 256) { if (tid < 128) sdata[tid] += sdata[tid + 128]; __syncthreads(); }
    if (blockSize >= 128) { if (tid < 64) sdata[tid] += sdata[tid + 64]; __syncthreads(); }
    if (tid < 32) warpReduce<blockSize>(sdata, tid);
    if (tid == 0) out[blockIdx.x] = sdata[0];
}

int run(int threads, int blocks, const int *in, int *out, unsigned n) {
    size_t smem = threads * sizeof(int);
    switch (threads) {
    case 512: reduce6<512><<<blocks, threads, smem>>>(in, out, n); break;
    case 256: reduce6<256><<<blocks, threads, smem>>>(in, out, n); break;
    case 128: reduce6<128><<<blocks, threads, smem>>>(in, out, n); break;
    case 64: reduce6<64><<<blocks, threads, smem>>>(in, out, n); break;
    }
    int *partial = (int *)malloc(blocks * sizeof(int)), sum = 0;
    cudaMemcpy(partial, out, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < blocks; ++i) sum += partial[i];
    free(partial);
    return sum;
}

int main() {
    const unsigned n = 1 << 20;
    int *h = new int[n], *d_in, *d_out, expected = 0;
    for (unsigned i = 0; i < n; ++i) h[i] = (int)(i % 17) - 5, expected += h[i];
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, 256 * sizeof(int));
    cudaMemcpy(d_in, h, n * sizeof(int), cudaMemcpyHostToDevice);
    int wrong = 0;
    for (int threads = 64; threads <= 512; threads *= 2) {
        int sum = run(threads, 64, d_in, d_out, n);
        printf("block size %3d: sum = %d (%s)\n", threads, sum, sum == expected ? "correct" : "WRONG");
        wrong += sum != expected;
    }
    cudaFree(d_in);
    cudaFree(d_out);
    delete[] h;
    return wrong;
}
