// Run-length and variable-length encoding, base64, CRC-32 by slices: byte handling as in data compression courses.
#include <stdio.h>
#include <stdint.h>
#include <string.h>
#include <stdlib.h>
#include <algorithm>
#include <array>
#include <map>
#include <queue>
#include <vector>
#include <memory>

#define N 4096
typedef unsigned char byte_t;
__device__ __constant__ char kAlphabet[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
__constant__ uint32_t crcTable[256];

__global__ void histogram256(const byte_t *in, int n, unsigned *hist) {
  __shared__ unsigned local[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) {
    uchar4 q = reinterpret_cast<const uchar4 *>(in)[i];
    atomicAdd(&local[q.x], 1u); atomicAdd(&local[q.y], 1u);
    atomicAdd(&local[q.z], 1u); atomicAdd(&local[q.w], 1u);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) if (local[i]) atomicAdd(&hist[i], local[i]);
}

struct Code { uint32_t bits; uint8_t length; };
static_assert(sizeof(Code) == 8, "padding");

__global__ void lengths(const byte_t *in, int n, const Code *codes, unsigned *len) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) len[i] = codes[in[i]].length;
}

__global__ void scanBlock(unsigned *data, int n) {   // exclusive, one block, n <= 2 * 1024 * items
  extern __shared__ unsigned s[];
  __shared__ unsigned carry;
  if (threadIdx.x == 0) carry = 0;
  __syncthreads();
  for (int base = 0; base < n; base += blockDim.x) {
    unsigned v = base + threadIdx.x < n ? data[base + threadIdx.x] : 0u;
    s[threadIdx.x] = v;
    __syncthreads();
    for (unsigned d = 1; d < blockDim.x; d <<= 1) {
      unsigned t = threadIdx.x >= d ? s[threadIdx.x - d] : 0;
      __syncthreads();
      s[threadIdx.x] += t;
      __syncthreads();
    }
    if (base + threadIdx.x < n) data[base + threadIdx.x] = carry + s[threadIdx.x] - v;
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1) carry += s[threadIdx.x];
    __syncthreads();
  }
}

__global__ void pack(const byte_t *in, int n, const Code *codes, const unsigned *offset, uint32_t *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Code c = codes[in[i]];
  unsigned o = offset[i], word = o >> 5, shift = o & 31;
  uint64_t v = (uint64_t)c.bits << (64 - c.length - shift);
  atomicOr(out + word, (uint32_t)(v >> 32));
  if (shift + c.length > 32) atomicOr(out + word + 1, (uint32_t)v);
}

__global__ void base64(const uint8_t *in, char *out, int groups) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g >= groups) return;
  uint32_t v = in[3 * g] << 16 | in[3 * g + 1] << 8 | in[3 * g + 2];
  char4 c;
  c.x = kAlphabet[v >> 18]; c.y = kAlphabet[v >> 12 & 63]; c.z = kAlphabet[v >> 6 & 63]; c.w = kAlphabet[v & 63];
  ((char4 *)out)[g] = c;
}

__global__ void crcSlices(const byte_t *in, int slice, uint32_t *out) {
  int i = threadIdx.x;
  uint32_t c = ~0u;
  const byte_t *p = in + i * slice, *end = p + slice;
  while (p != end) c = crcTable[(c ^ *p++) & 0xff] ^ c >> 8;
  out[i] = ~c;
}

__global__ void runs(const byte_t *in, int n, int *starts, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool head = i < n && (i == 0 || in[i] != in[i - 1]);
  unsigned m = __ballot_sync(0xffffffff, head);
  int lane = threadIdx.x & 31, base = 0;
  if (!lane && m) base = atomicAdd(count, __popc(m));
  base = __shfl_sync(~0u, base, 0);
  if (head) starts[base + __popc(m & ((1u << lane) - 1))] = i;
}

struct Node { unsigned w; int sym; std::shared_ptr<Node> l, r; };
struct Heavier { bool operator()(const std::shared_ptr<Node> &a, const std::shared_ptr<Node> &b) const {
  return a->w != b->w ? a->w > b->w : a->sym > b->sym; } };
static void walk(const std::shared_ptr<Node> &n, uint32_t bits, int len, std::array<Code, 256> &codes) {
  if (n->sym < 256) { codes[n->sym] = Code{bits, (uint8_t)len}; return; }
  walk(n->l, bits << 1, len + 1, codes); walk(n->r, bits << 1 | 1, len + 1, codes);
}

int main() {
  std::vector<byte_t> text(N);
  uint32_t seed = 12345;
  for (int i = 0; i < N; i++) { seed = seed * 1664525u + 1013904223u; int r = seed >> 24; text[i] = "eeeeetttaaooinshrdlu    "[r % 24]; if (i % 7 == 3) text[i] = text[i - 1]; }
  byte_t *d; unsigned *hist, *off; Code *codes; uint32_t *bits; 
  cudaMalloc(&d, N); cudaMalloc((void **)&hist, 1024); cudaMalloc(&off, N * sizeof *off); cudaMalloc(&codes, 256 * sizeof(Code)); cudaMalloc(&bits, N * 4);
  cudaMemcpy(d, text.data(), N, cudaMemcpyHostToDevice); cudaMemset(hist, 0, 1024); cudaMemset(bits, 0, N * 4);
  histogram256<<<4, 128>>>(d, N, hist);
  unsigned h[256]; cudaMemcpy(h, hist, sizeof h, cudaMemcpyDeviceToHost);
  std::priority_queue<std::shared_ptr<Node>, std::vector<std::shared_ptr<Node>>, Heavier> q;
  for (int i = 0; i < 256; i++) if (h[i]) q.push(std::make_shared<Node>(Node{h[i], i, nullptr, nullptr}));
  int next = 256;
  while (q.size() > 1) { auto a = q.top(); q.pop(); auto b = q.top(); q.pop(); q.push(std::make_shared<Node>(Node{a->w + b->w, next++, a, b})); }
  std::array<Code, 256> table{}; walk(q.top(), 0, 0, table);
  cudaMemcpy(codes, table.data(), sizeof table, cudaMemcpyHostToDevice);
  lengths<<<N / 256, 256>>>(d, N, codes, off);
  scanBlock<<<1, 512, 512 * sizeof(unsigned)>>>(off, N);
  pack<<<(N + 127) / 128, 128>>>(d, N, codes, off, bits);
  unsigned last; cudaMemcpy(&last, off + N - 1, 4, cudaMemcpyDeviceToHost);
  unsigned total = last + table[text[N - 1]].length;
  std::vector<uint32_t> packed((total + 31) / 32); cudaMemcpy(packed.data(), bits, packed.size() * 4, cudaMemcpyDeviceToHost);
  // decode on the host
  std::map<std::pair<int, uint32_t>, int> back; for (int i = 0; i < 256; i++) if (h[i]) back[{table[i].length, table[i].bits}] = i;
  std::vector<byte_t> got; uint32_t cur = 0; int len = 0;
  for (unsigned b = 0; b < total; b++) { cur = cur << 1 | (packed[b / 32] >> (31 - b % 32) & 1); ++len; auto it = back.find({len, cur}); if (it != back.end()) { got.push_back((byte_t)it->second); cur = 0; len = 0; } }
  printf("%u bits for %d bytes, %s\n", total, N, got == text ? "decodes" : "DIFFERS");
  char *b64; cudaMalloc(&b64, N / 3 * 4); base64<<<11, 128>>>(d, b64, N / 3);
  std::unique_ptr<char[]> s(new char[N / 3 * 4]); cudaMemcpy(s.get(), b64, N / 3 * 4, cudaMemcpyDeviceToHost);
  printf("%.60s\n", s.get());
  uint32_t t[256]; for (uint32_t i = 0; i < 256; i++) { uint32_t c = i; for (int k = 0; k < 8; k++) c = c & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1; t[i] = c; }
  cudaMemcpyToSymbol(crcTable, t, sizeof t);
  uint32_t *crc; cudaMalloc(&crc, 256); crcSlices<<<1, 64>>>(d, N / 64, crc);
  uint32_t hc[64]; cudaMemcpy(hc, crc, 256, cudaMemcpyDeviceToHost);
  printf("%08x %08x %08x %08x\n", hc[0], hc[1], hc[31], hc[63]);
  int *starts, *count; cudaMalloc(&starts, N * 4); cudaMallocManaged(&count, 4); *count = 0;
  runs<<<N / 256, 256>>>(d, N, starts, count); cudaDeviceSynchronize();
  std::vector<int> st(*count); cudaMemcpy(st.data(), starts, *count * 4, cudaMemcpyDeviceToHost); std::sort(st.begin(), st.end());
  int longest = 0, where = 0; st.push_back(N); for (size_t i = 0; i + 1 < st.size(); i++) if (st[i + 1] - st[i] > longest) { longest = st[i + 1] - st[i]; where = st[i]; }
  printf("%d runs, longest %d at %d ('%c')\n", *count, longest, where, text[where]);
  cudaFree(d); cudaFree(hist); cudaFree(off); cudaFree(codes); cudaFree(bits); cudaFree(b64); cudaFree(crc); cudaFree(starts); cudaFree(count);
  return 0;
}
