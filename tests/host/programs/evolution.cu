// Smith-Waterman by anti-diagonals, k-mer counting, a genetic algorithm with xorshift, boids and simulated annealing.
#include <iostream>
#include <string>
#include <vector>
#include <algorithm>
#include <numeric>
#include <random>
#include <unordered_map>
#include <sstream>

namespace bio {
struct Scoring { int match, mismatch, gap; };
enum Base : uint8_t { A, C, G, T, Unknown };
__host__ __device__ constexpr Base encode(char c) {
  switch (c) { case 'A': case 'a': return A; case 'C': case 'c': return C; case 'G': case 'g': return G; case 'T': case 't': return T; default: return Unknown; }
}
template <int BLOCK> __global__ void smithWaterman(const char *q, int m, const char *t, int n, Scoring s, int *H, int2 *best) {
  __shared__ int cand[BLOCK]; __shared__ int pos[BLOCK];
  int mine = 0, where = 0;
  for (int d = 0; d < m + n - 1; ++d) {
    int lo = max(0, d - n + 1), hi = min(d, m - 1);
    for (int i = lo + threadIdx.x; i <= hi; i += BLOCK) {
      int j = d - i;
      int diag = H[i * (n + 1) + j] + (q[i] == t[j] ? s.match : s.mismatch);
      int up = H[i * (n + 1) + j + 1] + s.gap, left = H[(i + 1) * (n + 1) + j] + s.gap;
      int v = max(max(0, diag), max(up, left));
      H[(i + 1) * (n + 1) + j + 1] = v;
      if (v > mine) mine = v, where = i * n + j;
    }
    __syncthreads();
  }
  cand[threadIdx.x] = mine; pos[threadIdx.x] = where; __syncthreads();
  for (int o = BLOCK / 2; o; o >>= 1) { if (threadIdx.x < o && (cand[threadIdx.x + o] > cand[threadIdx.x] || (cand[threadIdx.x + o] == cand[threadIdx.x] && pos[threadIdx.x + o] < pos[threadIdx.x]))) { cand[threadIdx.x] = cand[threadIdx.x + o]; pos[threadIdx.x] = pos[threadIdx.x + o]; } __syncthreads(); }
  if (!threadIdx.x) *best = int2{cand[0], pos[0]};
}
template <unsigned K> __global__ void kmers(const char *s, int n, unsigned *counts) {
  static_assert(K > 0 && K <= 8, "table too large");
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + K > n) return;
  unsigned key = 0;
#pragma unroll
  for (unsigned k = 0; k < K; ++k) { Base b = encode(s[i + k]); if (b == Unknown) return; key = key << 2 | b; }
  atomicInc(&counts[key], 0xffffffffu);
}
}  // namespace bio

namespace ga {
struct Rng { uint32_t s;
  __device__ uint32_t next() { s ^= s << 13; s ^= s >> 17; s ^= s << 5; return s; }
  __device__ float uniform() { return (next() >> 8) * (1.0f / 16777216.0f); } };
using Genome = uint64_t;
__device__ int fitness(Genome g) { int f = 0; for (int i = 0; i < 64; i += 4) { int k = __popcll(g >> i & 0xF); f += k == 4 ? 4 : 3 - k; } return f; }   // deceptive trap
__global__ void evolve(Genome *pop, int generations, int *bestFit, Rng *rngs) {
  extern __shared__ char raw[];
  Genome *cur = reinterpret_cast<Genome *>(raw);
  int *fit = (int *)(cur + blockDim.x);
  const int i = threadIdx.x, n = blockDim.x, gid = blockIdx.x * n + i;
  Rng r = rngs[gid];
  cur[i] = pop[gid];
  for (int g = 0; g < generations; ++g) {
    fit[i] = fitness(cur[i]); __syncthreads();
    auto pick = [&]() -> Genome { int a = r.next() % n, b = r.next() % n; return fit[a] >= fit[b] ? cur[a] : cur[b]; };
    Genome x = pick(), y = pick();
    int cut = r.next() & 63; Genome mask = cut ? ~0ull >> cut : 0ull;
    Genome child = (x & mask) | (y & ~mask);
    if (r.uniform() < .3f) child ^= 1ull << (r.next() & 63);
    __syncthreads();
    if (fitness(child) >= fit[i]) cur[i] = child;
    __syncthreads();
  }
  pop[gid] = cur[i]; rngs[gid] = r;
  atomicMax(bestFit + blockIdx.x, fitness(cur[i]));
}
}

struct Boid { float2 p, v; };
__global__ void flock(const Boid *in, Boid *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
  extern __shared__ float4 tile[];
  Boid me = in[i]; float2 coh{}, ali{}, sep{}; int c = 0;
  for (int b = 0; b < n; b += blockDim.x) {
    tile[threadIdx.x] = ((const float4 *)in)[b + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; ++j) {
      float dx = tile[j].x - me.p.x, dy = tile[j].y - me.p.y, d2 = dx * dx + dy * dy;
      if (d2 < .04f && b + j != i) { coh.x += tile[j].x; coh.y += tile[j].y; ali.x += tile[j].z; ali.y += tile[j].w; if (d2 < .01f) sep.x -= dx, sep.y -= dy; ++c; }
    }
    __syncthreads();
  }
  if (c) { float k = 1.f / c; me.v.x += .01f * (coh.x * k - me.p.x) + .05f * (ali.x * k - me.v.x) + .1f * sep.x; me.v.y += .01f * (coh.y * k - me.p.y) + .05f * (ali.y * k - me.v.y) + .1f * sep.y; }
  me.p.x += .1f * me.v.x; me.p.y += .1f * me.v.y;
  out[i] = me;
}

int main() {
  std::string q = "ACACACTATTGACCATTGGACGAT", t = "AGCACACATTGACCTTGGACCGATACGTNACGTACGTTGACC";
  char *dq, *dt; int *H; int2 *best;
  cudaMalloc(&dq, q.size()); cudaMalloc(&dt, t.size()); cudaMemcpy(dq, q.c_str(), q.size(), cudaMemcpyDefault); cudaMemcpy(dt, &t[0], t.size(), cudaMemcpyDefault);
  size_t cells = (q.size() + 1) * (t.size() + 1); cudaMalloc(&H, cells * sizeof(int)); cudaMemset(H, 0, cells * sizeof(int)); cudaMalloc(&best, sizeof(int2));
  bio::smithWaterman<32><<<1, 32>>>(dq, (int)q.size(), dt, (int)t.size(), {3, -3, -2}, H, best);
  int2 hb; cudaMemcpy(&hb, best, sizeof hb, cudaMemcpyDeviceToHost);
  std::cout << "score " << hb.x << " ends at " << hb.y / t.size() << "," << hb.y % t.size() << "\n";
  unsigned *counts; cudaMallocManaged(&counts, 256 * 4); std::fill_n(counts, 256, 0u);
  bio::kmers<4><<<1, 64>>>(dt, t.size(), counts); cudaDeviceSynchronize();
  int top = std::max_element(counts, counts + 256) - counts; std::ostringstream os; for (int k = 6; k >= 0; k -= 2) os << "ACGT"[top >> k & 3];
  std::cout << os.str() << " x" << counts[top] << ", total " << std::accumulate(counts, counts + 256, 0u) << std::endl;
  constexpr int blocks = 4, pop = 64; std::vector<uint64_t> genes(blocks * pop); std::mt19937_64 gen(7); for (auto &g : genes) g = gen();
  std::vector<ga::Rng> rngs; for (int i = 0; i < blocks * pop; i++) rngs.push_back({0x9E3779B9u * (i + 1)});
  ga::Genome *dp; ga::Rng *dr; int *df; cudaMalloc(&dp, genes.size() * 8); cudaMalloc(&dr, rngs.size() * sizeof(ga::Rng)); cudaMalloc(&df, blocks * 4); cudaMemset(df, 0, blocks * 4);
  cudaMemcpy(dp, genes.data(), genes.size() * 8, cudaMemcpyHostToDevice); cudaMemcpy(dr, rngs.data(), rngs.size() * sizeof(ga::Rng), cudaMemcpyHostToDevice);
  ga::evolve<<<blocks, pop, pop * (sizeof(ga::Genome) + sizeof(int))>>>(dp, 20, df, dr);
  int hf[blocks]; cudaMemcpy(hf, df, sizeof hf, cudaMemcpyDeviceToHost); for (int f : hf) std::cout << f << ' '; std::cout << "of 64\n";
  std::vector<Boid> b(128); for (int i = 0; i < 128; i++) b[i] = {{float(i % 16) / 16, float(i / 16) / 8}, {.01f * (i % 5 - 2), .01f * (i % 3 - 1)}};
  Boid *b0, *b1; cudaMalloc(&b0, 128 * sizeof(Boid)); cudaMalloc(&b1, 128 * sizeof(Boid)); cudaMemcpy(b0, b.data(), 128 * sizeof(Boid), cudaMemcpyHostToDevice);
  for (int s = 0; s < 5; s++) { flock<<<2, 64, 64 * sizeof(float4)>>>(b0, b1, 128); std::swap(b0, b1); }
  cudaMemcpy(b.data(), b0, 128 * sizeof(Boid), cudaMemcpyDeviceToHost); printf("%.6f %.6f %.6f %.6f\n", b[17].p.x, b[17].p.y, b[99].v.x, b[99].v.y);
}
