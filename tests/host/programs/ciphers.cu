// AES by tables in constant memory, SHA-256 with a nonce search that stops early, CRC-32 by slices, base64.
#include <stdio.h>
#include <stdint.h>
#include <string.h>
#include <stdlib.h>
typedef uint8_t u8; typedef uint32_t u32; typedef uint64_t u64;
__constant__ u8 d_sbox[256]; __constant__ u32 d_key[44]; __constant__ u32 K256[64] = {
0x428a2f98,0x71374491,0xb5c0fbcf,0xe9b5dba5,0x3956c25b,0x59f111f1,0x923f82a4,0xab1c5ed5,0xd807aa98,0x12835b01,0x243185be,0x550c7dc3,0x72be5d74,0x80deb1fe,0x9bdc06a7,0xc19bf174,
0xe49b69c1,0xefbe4786,0x0fc19dc6,0x240ca1cc,0x2de92c6f,0x4a7484aa,0x5cb0a9dc,0x76f988da,0x983e5152,0xa831c66d,0xb00327c8,0xbf597fc7,0xc6e00bf3,0xd5a79147,0x06ca6351,0x14292967,
0x27b70a85,0x2e1b2138,0x4d2c6dfc,0x53380d13,0x650a7354,0x766a0abb,0x81c2c92e,0x92722c85,0xa2bfe8a1,0xa81a664b,0xc24b8b70,0xc76c51a3,0xd192e819,0xd6990624,0xf40e3585,0x106aa070,
0x19a4c116,0x1e376c08,0x2748774c,0x34b0bcb5,0x391c0cb3,0x4ed8aa4a,0x5b9cca4f,0x682e6ff3,0x748f82ee,0x78a5636f,0x84c87814,0x8cc70208,0x90befffa,0xa4506ceb,0xbef9a3f7,0xc67178f2};
__device__ __forceinline__ u8 xtime(u8 x) { return (x << 1) ^ ((x >> 7) * 0x1b); }
__global__ void aes_ctr(const u8 *in, u8 *out, int blocks, u64 nonce) {
    __shared__ u8 sbox[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) sbox[i] = d_sbox[i];
    __syncthreads();
    int id = blockIdx.x * blockDim.x + threadIdx.x; if (id >= blocks) return;
    u8 st[16]; for (int i = 0; i < 8; i++) { st[i] = nonce >> (8 * i); st[8 + i] = (u64)id >> (8 * (7 - i)); }
    for (int i = 0; i < 16; i++) st[i] ^= d_key[i / 4] >> (24 - 8 * (i % 4));
    for (int r = 1; r <= 10; r++) {
        u8 t[16]; for (int c = 0; c < 4; c++) for (int i = 0; i < 4; i++) t[c * 4 + i] = sbox[st[((c + i) % 4) * 4 + i]];
        if (r < 10) for (int c = 0; c < 4; c++) { u8 *a = t + 4 * c, all = a[0] ^ a[1] ^ a[2] ^ a[3], first = a[0]; for (int i = 0; i < 4; i++) { u8 next = i < 3 ? a[i + 1] : first; st[4 * c + i] = a[i] ^ all ^ xtime(a[i] ^ next); } }
        else for (int i = 0; i < 16; i++) st[i] = t[i];
        for (int i = 0; i < 16; i++) st[i] ^= d_key[r * 4 + i / 4] >> (24 - 8 * (i % 4));
    }
    for (int i = 0; i < 16; i++) out[id * 16 + i] = in[id * 16 + i] ^ st[i];
}
#define ROTR(x, n) (((x) >> (n)) | ((x) << (32 - (n))))
__device__ void sha256(const u8 *msg, int len, u32 h[8]) {
    h[0] = 0x6a09e667; h[1] = 0xbb67ae85; h[2] = 0x3c6ef372; h[3] = 0xa54ff53a; h[4] = 0x510e527f; h[5] = 0x9b05688c; h[6] = 0x1f83d9ab; h[7] = 0x5be0cd19;
    u32 w[64]; memset(w, 0, sizeof w);
    for (int i = 0; i < len; i++) w[i >> 2] |= (u32)msg[i] << (24 - 8 * (i & 3));
    w[len >> 2] |= 0x80u << (24 - 8 * (len & 3)); w[15] = len * 8;
    for (int i = 16; i < 64; i++) { u32 a = w[i - 15], b = w[i - 2]; w[i] = w[i - 16] + (ROTR(a, 7) ^ ROTR(a, 18) ^ a >> 3) + w[i - 7] + (ROTR(b, 17) ^ ROTR(b, 19) ^ b >> 10); }
    u32 a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], hh = h[7];
#pragma unroll 8
    for (int i = 0; i < 64; i++) { u32 t1 = hh + (ROTR(e, 6) ^ ROTR(e, 11) ^ ROTR(e, 25)) + ((e & f) ^ (~e & g)) + K256[i] + w[i], t2 = (ROTR(a, 2) ^ ROTR(a, 13) ^ ROTR(a, 22)) + ((a & b) ^ (a & c) ^ (b & c)); hh = g; g = f; f = e; e = d + t1; d = c; c = b; b = a; a = t1 + t2; }
    h[0] += a; h[1] += b; h[2] += c; h[3] += d; h[4] += e; h[5] += f; h[6] += g; h[7] += hh;
}
__device__ u32 found = 0xffffffff;
__global__ void mine(const char *prefix, int len, u32 from, int zeros) {
    u32 n = from + blockIdx.x * blockDim.x + threadIdx.x; u8 msg[55]; int l = 0;
    while (l < len) { msg[l] = prefix[l]; l++; }
    char digits[10]; int k = 0; u32 v = n; do { digits[k++] = '0' + v % 10; v /= 10; } while (v);
    while (k > 0) msg[l++] = digits[--k];
    u32 h[8]; sha256(msg, l, h);
    if (__clz(h[0]) >= zeros) atomicMin(&found, n);
}
__global__ void crc(const u8 *data, int len, u32 *parts, int per) {
    int t = blockIdx.x * blockDim.x + threadIdx.x, from = t * per; if (from >= len) return; u32 c = 0xffffffff;
    for (int i = from; i < min(len, from + per); i++) { c ^= data[i]; for (int b = 0; b < 8; b++) c = c >> 1 ^ (0xedb88320 & -(c & 1)); }
    parts[t] = ~c;
}
__global__ void base64(const uchar3 *in, uchar4 *out, int n) {
    const char *abc = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"; int i = threadIdx.x;
    if (i < n) { uchar3 t = in[i]; u32 v = t.x << 16 | t.y << 8 | t.z; out[i] = make_uchar4(abc[v >> 18], abc[v >> 12 & 63], abc[v >> 6 & 63], abc[v & 63]); }
}
int main() {
    u8 sbox[256]; u8 p = 1, q = 1; do { p = p ^ (p << 1) ^ (p & 0x80 ? 0x1b : 0); q ^= q << 1; q ^= q << 2; q ^= q << 4; if (q & 0x80) q ^= 9; u8 x = q ^ (q << 1 | q >> 7) ^ (q << 2 | q >> 6) ^ (q << 3 | q >> 5) ^ (q << 4 | q >> 4); sbox[p] = x ^ 0x63; } while (p != 1); sbox[0] = 0x63;
    u32 key[44] = {0x2b7e1516, 0x28aed2a6, 0xabf71588, 0x09cf4f3c}; u8 rc = 1;
    for (int i = 4; i < 44; i++) { u32 t = key[i - 1]; if (i % 4 == 0) { t = t << 8 | t >> 24; t = (u32)sbox[t >> 24] << 24 | sbox[t >> 16 & 255] << 16 | sbox[t >> 8 & 255] << 8 | sbox[t & 255]; t ^= (u32)rc << 24; rc = rc << 1 ^ (rc & 0x80 ? 0x1b : 0); } key[i] = key[i - 4] ^ t; }
    printf("last round key %08x\n", key[43]);
    cudaMemcpyToSymbol(d_sbox, sbox, 256); cudaMemcpyToSymbol(d_key, key, sizeof key);
    const int n = 100; u8 text[n * 16], back[n * 16]; for (int i = 0; i < n * 16; i++) text[i] = "the quick brown fox jumps over the lazy dog. "[i % 45];
    u8 *d, *e; cudaMalloc(&d, n * 16); cudaMalloc(&e, n * 16); cudaMemcpy(d, text, n * 16, cudaMemcpyHostToDevice);
    aes_ctr<<<2, 64>>>(d, e, n, 0x1122334455667788ull); cudaMemcpy(back, e, n * 16, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 16; i++) printf("%02x", back[16 * 37 + i]); puts("");
    aes_ctr<<<2, 64>>>(e, d, n, 0x1122334455667788ull); cudaMemcpy(back, d, n * 16, cudaMemcpyDeviceToHost); printf("decrypted: %d\n", memcmp(text, back, n * 16) == 0);
    char *prefix; cudaMalloc(&prefix, 16); cudaMemcpy(prefix, "warp-", 5, cudaMemcpyHostToDevice); u32 nonce = 0xffffffff;
    for (u32 from = 0; nonce == 0xffffffff && from < 1u << 16; from += 1024) { mine<<<8, 128>>>(prefix, 5, from, 9); cudaMemcpyFromSymbol(&nonce, found, 4); } printf("nonce %u\n", nonce);
    u32 *parts, hp[7]; cudaMalloc(&parts, 28); crc<<<1, 32>>>(d, n * 16, parts, 256); cudaMemcpy(hp, parts, 28, cudaMemcpyDeviceToHost); for (u32 c : hp) printf("%08x ", c); puts("");
    u8 *b; cudaMalloc(&b, 64); base64<<<1, 32>>>((uchar3 *)d, (uchar4 *)b, 15); char s[61] = {}; cudaMemcpy(s, b, 60, cudaMemcpyDeviceToHost); puts(s);
    cudaFree(d); cudaFree(e); cudaFree(prefix); cudaFree(parts); cudaFree(b); return 0;
}
