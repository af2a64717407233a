// AES-128 by tables in constant memory, ChaCha20, SipHash, Montgomery multiplication and a Bloom filter.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>
#include <string_view>
#include <bitset>
typedef uint32_t u32; typedef uint64_t u64; typedef uint8_t u8;
__constant__ u8 dSbox[256];
static u8 sbox[256];
static void makeSbox() { u8 p = 1, q = 1; do { p = p ^ (p << 1) ^ (p & 0x80 ? 0x1B : 0); q ^= q << 1; q ^= q << 2; q ^= q << 4; q ^= q & 0x80 ? 0x09 : 0; u8 x = q ^ (u8)(q << 1 | q >> 7) ^ (u8)(q << 2 | q >> 6) ^ (u8)(q << 3 | q >> 5) ^ (u8)(q << 4 | q >> 4); sbox[p] = x ^ 0x63; } while (p != 1); sbox[0] = 0x63; }
struct RoundKeys { u8 k[11][16]; };
static RoundKeys expand(const u8 key[16]) { RoundKeys r; memcpy(r.k[0], key, 16); u8 rc = 1; for (int i = 1; i <= 10; i++) { u8 t[4] = {(u8)(sbox[r.k[i - 1][13]] ^ rc), sbox[r.k[i - 1][14]], sbox[r.k[i - 1][15]], sbox[r.k[i - 1][12]]}; for (int j = 0; j < 16; j++) r.k[i][j] = r.k[i - 1][j] ^ (j < 4 ? t[j] : r.k[i][j - 4]); rc = rc << 1 ^ (rc & 0x80 ? 0x1b : 0); } return r; }
__device__ __forceinline__ u8 xtime(u8 x) { return (u8)((x << 1) ^ ((x >> 7) * 0x1b)); }
__global__ void aesEcb(const uint4 *in, uint4 *out, __grid_constant__ const RoundKeys rk, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
  union { uint4 v; u8 b[16]; } s, t; s.v = in[i];
  for (int j = 0; j < 16; j++) s.b[j] ^= rk.k[0][j];
  for (int r = 1; r <= 10; r++) {
#pragma unroll
    for (int c = 0; c < 4; c++)
#pragma unroll
      for (int w = 0; w < 4; w++) t.b[4 * c + w] = dSbox[s.b[4 * ((c + w) & 3) + w]];
    if (r < 10) for (int c = 0; c < 4; c++) { u8 *a = t.b + 4 * c, e = a[0] ^ a[1] ^ a[2] ^ a[3], f = a[0];
      a[0] ^= e ^ xtime(a[0] ^ a[1]); a[1] ^= e ^ xtime(a[1] ^ a[2]); a[2] ^= e ^ xtime(a[2] ^ a[3]); a[3] ^= e ^ xtime(a[3] ^ f); }
    for (int j = 0; j < 16; j++) s.b[j] = t.b[j] ^ rk.k[r][j];
  }
  out[i] = s.v;
}
#define ROTL(x, n) __funnelshift_l((x), (x), (n))
#define QR(a, b, c, d) (a += b, d = ROTL(d ^ a, 16), c += d, b = ROTL(b ^ c, 12), a += b, d = ROTL(d ^ a, 8), c += d, b = ROTL(b ^ c, 7))
__global__ void chacha(const u32 *key, u32 *out) {
  u32 x[16], o[16]; const char *c = "expand 32-byte k";
  for (int i = 0; i < 4; i++) x[i] = (u32)c[4 * i] | (u32)c[4 * i + 1] << 8 | (u32)c[4 * i + 2] << 16 | (u32)c[4 * i + 3] << 24;
  for (int i = 0; i < 8; i++) x[4 + i] = key[i];
  x[12] = blockIdx.x * blockDim.x + threadIdx.x; x[13] = 0x09000000; x[14] = 0x4a000000; x[15] = 0;
  memcpy(o, x, sizeof x);
  for (int r = 0; r < 10; r++) { QR(x[0], x[4], x[8], x[12]); QR(x[1], x[5], x[9], x[13]); QR(x[2], x[6], x[10], x[14]); QR(x[3], x[7], x[11], x[15]); QR(x[0], x[5], x[10], x[15]); QR(x[1], x[6], x[11], x[12]); QR(x[2], x[7], x[8], x[13]); QR(x[3], x[4], x[9], x[14]); }
  for (int i = 0; i < 16; i++) out[o[12] * 16 + i] = x[i] + o[i];
}
struct Sip { u64 v0, v1, v2, v3;
  __host__ __device__ static u64 rot(u64 x, int b) { return x << b | x >> (64 - b); }
  __host__ __device__ void round() { v0 += v1; v1 = rot(v1, 13); v1 ^= v0; v0 = rot(v0, 32); v2 += v3; v3 = rot(v3, 16); v3 ^= v2; v0 += v3; v3 = rot(v3, 21); v3 ^= v0; v2 += v1; v1 = rot(v1, 17); v1 ^= v2; v2 = rot(v2, 32); } };
__host__ __device__ u64 siphash(u64 k0, u64 k1, u64 m) { Sip s{k0 ^ 0x736f6d6570736575ull, k1 ^ 0x646f72616e646f6dull, k0 ^ 0x6c7967656e657261ull, k1 ^ 0x7465646279746573ull};
  s.v3 ^= m; s.round(); s.round(); s.v0 ^= m; u64 b = 8ull << 56; s.v3 ^= b; s.round(); s.round(); s.v0 ^= b; s.v2 ^= 0xff; for (int i = 0; i < 4; i++) s.round(); return s.v0 ^ s.v1 ^ s.v2 ^ s.v3; }
__global__ void bloomAdd(u32 *bits, unsigned mask, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) { u64 h = siphash(1, 2, i * 7); for (int k = 0; k < 3; k++) { u32 b = (u32)(h >> (k * 20)) & mask; atomicOr(&bits[b >> 5], 1u << (b & 31)); } } }
__global__ void bloomTest(const u32 *bits, unsigned mask, int n, int *hits) { int i = threadIdx.x + blockIdx.x * blockDim.x; bool in = i < n; if (in) { u64 h = siphash(1, 2, i); for (int k = 0; k < 3 && in; k++) { u32 b = (u32)(h >> (k * 20)) & mask; in = bits[b >> 5] >> (b & 31) & 1; } } int c = __syncthreads_count(in); if (!threadIdx.x) atomicAdd(hits, c); }
__device__ u64 montmul(u64 a, u64 b, u64 n, u64 ninv) { u64 lo = a * b, hi = __umul64hi(a, b), q = lo * ninv, h = __umul64hi(q, n); return hi >= h ? hi - h : hi - h + n; }
__global__ void modpow(const u64 *base, u64 e, u64 n, u64 ninv, u64 r2, u64 *out) { int i = threadIdx.x; u64 x = montmul(base[i], r2, n, ninv), y = montmul(1, r2, n, ninv); for (u64 k = e; k; k >>= 1) { if (k & 1) y = montmul(y, x, n, ninv); x = montmul(x, x, n, ninv); } out[i] = montmul(y, 1, n, ninv); }
int main() {
  makeSbox(); cudaMemcpyToSymbol(dSbox, sbox, 256);
  u8 key[16]; for (int i = 0; i < 16; i++) key[i] = i; u8 plain[16 * 64]; for (int i = 0; i < 16 * 64; i++) plain[i] = i < 16 ? i * 0x11 : (u8)(i * 7);
  uint4 *a, *b; cudaMalloc(&a, sizeof plain); cudaMalloc(&b, sizeof plain); cudaMemcpy(a, plain, sizeof plain, cudaMemcpyHostToDevice);
  aesEcb<<<2, 32>>>(a, b, expand(key), 64); u8 out[16 * 64]; cudaMemcpy(out, b, sizeof out, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 16; i++) printf("%02x", out[i]); printf(" %02x%02x\n", out[1022], out[1023]);
  u32 hk[8]; memcpy(hk, "\0\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20\21\22\23\24\25\26\27\30\31\32\33\34\35\36\37", 32); u32 *dk, *ks; cudaMalloc(&dk, 32); cudaMalloc(&ks, 64 * 32); cudaMemcpy(dk, hk, 32, cudaMemcpyHostToDevice); chacha<<<1, 32>>>(dk, ks);
  std::vector<u32> s(16 * 32); cudaMemcpy(s.data(), ks, s.size() * 4, cudaMemcpyDeviceToHost); printf("%08x %08x %08x\n", s[16], s[17], s[31]);
  u32 *bits; int *hits; cudaMalloc(&bits, 1024); cudaMemset(bits, 0, 1024); cudaMallocManaged(&hits, 4); *hits = 0; bloomAdd<<<2, 128>>>(bits, 8191, 250); bloomTest<<<16, 128>>>(bits, 8191, 2000, hits); cudaDeviceSynchronize();
  u32 hb[256]; cudaMemcpy(hb, bits, 1024, cudaMemcpyDeviceToHost); size_t set = 0; for (u32 w : hb) set += std::bitset<32>(w).count(); printf("%d hits, %zu bits, %016llx\n", *hits, set, (unsigned long long)siphash(1, 2, 3));
  u64 n = 0xffffffffffffffc5ull, ninv = 1; for (int i = 0; i < 6; i++) ninv *= 2 - n * ninv; u64 r = (~0ull % n + 1) % n, r2 = 0; { unsigned __int128 x = (unsigned __int128)r * r % n; r2 = (u64)x; }
  u64 base[8], *db, *dr; for (int i = 0; i < 8; i++) base[i] = 3 + i * 1234567891011ull; cudaMalloc(&db, 64); cudaMalloc(&dr, 64); cudaMemcpy(db, base, 64, cudaMemcpyHostToDevice); modpow<<<1, 8>>>(db, n - 1, n, ninv, r2, dr); u64 res[8]; cudaMemcpy(res, dr, 64, cudaMemcpyDeviceToHost); printf("%llu %llu\n", (unsigned long long)res[0], (unsigned long long)res[7]);
  for (void *p : {(void *)a, (void *)b, (void *)dk, (void *)ks, (void *)bits, (void *)hits, (void *)db, (void *)dr}) cudaFree(p);
}
