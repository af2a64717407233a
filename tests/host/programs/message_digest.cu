// SHA-256 of several messages, one a thread; checked against the digests that everybody has.
#include <cstdio>
#include <cstring>
#include <cstdint>
#include <string>
#include <vector>
#define ROTR(x, n) (((x) >> (n)) | ((x) << (32 - (n))))
#define CH(x, y, z) (((x) & (y)) ^ (~(x) & (z)))
#define MAJ(x, y, z) (((x) & (y)) ^ ((x) & (z)) ^ ((y) & (z)))
__constant__ uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01,
    0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
    0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08,
    0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
struct Digest { uint32_t h[8]; };
__device__ void transform(uint32_t (&h)[8], const uint8_t *block) {
    uint32_t w[64];
    for (int i = 0; i < 16; ++i)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    #pragma unroll
    for (int i = 16; i < 64; ++i) {
        uint32_t s0 = ROTR(w[i - 15], 7) ^ ROTR(w[i - 15], 18) ^ (w[i - 15] >> 3);
        uint32_t s1 = ROTR(w[i - 2], 17) ^ ROTR(w[i - 2], 19) ^ (w[i - 2] >> 10);
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], hh = h[7];
    for (int i = 0; i < 64; ++i) {
        uint32_t t1 = hh + (ROTR(e, 6) ^ ROTR(e, 11) ^ ROTR(e, 25)) + CH(e, f, g) + K[i] + w[i];
        uint32_t t2 = (ROTR(a, 2) ^ ROTR(a, 13) ^ ROTR(a, 22)) + MAJ(a, b, c);
        hh = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e, h[5] += f, h[6] += g, h[7] += hh;
}
__global__ void sha256(const uint8_t *messages, const int *lengths, int stride, Digest *out, int n) {
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= n) return;
    const uint8_t *m = messages + (size_t)id * stride;
    Digest d = {{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
    uint8_t block[64];
    int len = lengths[id], pos = 0;
    for (; pos + 64 <= len; pos += 64) { memcpy(block, m + pos, 64); transform(d.h, block); }
    int rest = len - pos;
    memset(block, 0, sizeof(block));
    memcpy(block, m + pos, rest);
    block[rest] = 0x80;
    if (rest >= 56) { transform(d.h, block); memset(block, 0, 64); }
    uint64_t bits = (uint64_t)len * 8;
    for (int i = 0; i < 8; ++i) block[63 - i] = bits >> (8 * i) & 0xff;
    transform(d.h, block);
    out[id] = d;
}
int main() {
    std::vector<std::string> words = {"", "abc", "The quick brown fox jumps over the lazy dog", std::string(64, 'a'), std::string(119, 'z'), std::string(56, 'q')};
    const int n = words.size(), stride = 128;
    std::vector<uint8_t> flat(n * stride);
    std::vector<int> len;
    for (int i = 0; i < n; ++i) {
        std::copy(words[i].begin(), words[i].end(), flat.begin() + i * stride);
        len.push_back(words[i].size());
    }
    uint8_t *dm; int *dl; Digest *dd;
    cudaMalloc(&dm, flat.size()); cudaMalloc(&dl, n * sizeof(int)); cudaMalloc(&dd, n * sizeof(Digest));
    cudaMemcpy(dm, flat.data(), flat.size(), cudaMemcpyHostToDevice);
    cudaMemcpy(dl, len.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    sha256<<<1, 32>>>(dm, dl, stride, dd, n);
    std::vector<Digest> out(n);
    cudaMemcpy(out.data(), dd, n * sizeof(Digest), cudaMemcpyDeviceToHost);
    for (auto &d : out) { for (uint32_t h : d.h) printf("%08x", h); printf("\n"); }
    cudaFree(dm); cudaFree(dl); cudaFree(dd);
}
