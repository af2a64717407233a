#include <cstdio>
#include <string>
#include <vector>

#define BINS 26

__global__ void histogram(const char *text, unsigned int length, unsigned int *bins) {
    __shared__ unsigned int local[BINS];
    for (unsigned b = threadIdx.x; b < BINS; b += blockDim.x) local[b] = 0u;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
        int letter = text[i] - 'a';
        if (letter >= 0 && letter < BINS) atomicAdd(&local[letter], 1);
    }
    __syncthreads();
    for (unsigned b = threadIdx.x; b < BINS; b += blockDim.x) atomicAdd(&bins[b], local[b]);
}

int main() {
    std::string text;
    for (int i = 0; i < 3000; ++i) text += "the quick brown fox jumps over the lazy dog. ";
    char *d_text;
    unsigned *d_bins;
    cudaMalloc(&d_text, text.size());
    cudaMalloc(&d_bins, BINS * sizeof(unsigned));
    cudaMemcpy(d_text, text.c_str(), text.size(), cudaMemcpyHostToDevice);
    cudaMemset(d_bins, 0, BINS * sizeof(unsigned));
    histogram<<<20, 128>>>(d_text, (unsigned)text.size(), d_bins);
    std::vector<unsigned> bins(BINS), expected(BINS);
    cudaMemcpy(bins.data(), d_bins, BINS * sizeof(unsigned), cudaMemcpyDeviceToHost);
    for (char c : text)
        if (c >= 'a' && c <= 'z') ++expected[c - 'a'];
    for (int b = 0; b < BINS; ++b) printf("%c: %u\n", 'a' + b, bins[b]);
    cudaFree(d_text);
    cudaFree(d_bins);
    puts(bins == expected ? "correct" : "WRONG");
    return bins != expected;
}
