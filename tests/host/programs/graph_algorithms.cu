// Graph algorithms: Bellman-Ford with a worklist, connected components by pointer jumping, triangles, PageRank, Boruvka.
#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <map>
#include <set>
#include <vector>
struct CSR { int n, m; int *row, *col, *w; };
__global__ void relax(CSR g, const int *in, int count, int *out, int *out_count, unsigned *dist, int *queued) {
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < count; k += gridDim.x * blockDim.x) {
        int u = in[k]; queued[u] = 0; unsigned du = *(volatile unsigned *)&dist[u];
        for (int e = g.row[u]; e < g.row[u + 1]; ++e) {
            int v = g.col[e]; unsigned nd = du + g.w[e];
            if (atomicMin(&dist[v], nd) > nd && atomicExch(&queued[v], 1) == 0) out[atomicAdd(out_count, 1)] = v;
        }
    }
}
__global__ void hook(CSR g, int *label, bool *changed) {
    int u = blockIdx.x * blockDim.x + threadIdx.x; if (u >= g.n) return;
    for (int e = g.row[u]; e < g.row[u + 1]; ++e) { int a = label[u], b = label[g.col[e]]; if (a < b) { atomicMin(&label[b], a); *changed = true; } else if (b < a) { atomicMin(&label[a], b); *changed = true; } }
}
__global__ void jump(int *label, int n) { int u = blockIdx.x * blockDim.x + threadIdx.x; if (u < n) { int l = label[u]; while (l != label[l]) l = label[l]; label[u] = l; } }
__global__ void triangles(CSR g, unsigned long long *total) {
    int lane = threadIdx.x & 31, u = (blockIdx.x * blockDim.x + threadIdx.x) >> 5; unsigned c = 0;
    if (u < g.n) for (int e = g.row[u]; e < g.row[u + 1]; ++e) {
        int v = g.col[e]; if (v <= u) continue;
        for (int f = g.row[v] + lane; f < g.row[v + 1]; f += 32) { int w = g.col[f]; if (w <= v) continue; const int *lo = g.col + g.row[u], *hi = g.col + g.row[u + 1]; while (lo < hi) { const int *mid = lo + (hi - lo) / 2; if (*mid < w) lo = mid + 1; else hi = mid; } c += lo < g.col + g.row[u + 1] && *lo == w; }
    }
    c = __reduce_add_sync(0xffffffffu, c);
    if (lane == 0 && c) atomicAdd(total, (unsigned long long)c);
}
__global__ void rank(CSR g, const float *pr, float *next, float d) {
    int v = blockIdx.x * blockDim.x + threadIdx.x; if (v >= g.n) return; float s = 0;
    for (int e = g.row[v]; e < g.row[v + 1]; ++e) { int u = g.col[e]; s += pr[u] / (g.row[u + 1] - g.row[u]); }
    next[v] = (1 - d) / g.n + d * s;
}
__global__ void cheapest(CSR g, const int *comp, unsigned long long *best) {
    int u = blockIdx.x * blockDim.x + threadIdx.x; if (u >= g.n) return;
    for (int e = g.row[u]; e < g.row[u + 1]; ++e) { int v = g.col[e]; if (comp[u] != comp[v]) { int a = min(u, v), b = max(u, v); unsigned long long key = (unsigned long long)g.w[e] << 40 | (unsigned long long)a << 20 | b; atomicMin(&best[comp[u]], key); } }
}
int main() {
    const int n = 300; std::set<std::pair<int, int>> edges; uint32_t s = 7; auto rnd = [&](int k) { s = s * 1664525 + 1013904223; return (int)((s >> 10) % k); };
    for (int i = 0; i < 700; ++i) { int a = rnd(n - 20), b = rnd(n - 20); if (a != b && (a < 140) == (b < 140)) edges.insert(std::minmax(a, b)); }
    std::vector<std::vector<std::pair<int, int>>> adj(n); for (auto [a, b] : edges) { int w = 1 + (a * 31 + b * 17) % 97; adj[a].emplace_back(b, w); adj[b].emplace_back(a, w); }
    CSR g; g.n = n; g.m = 2 * edges.size(); cudaMallocManaged(&g.row, (n + 1) * 4); cudaMallocManaged(&g.col, g.m * 4); cudaMallocManaged(&g.w, g.m * 4);
    int k = 0; for (int u = 0; u < n; ++u) { g.row[u] = k; std::sort(adj[u].begin(), adj[u].end()); for (auto &[v, w] : adj[u]) { g.col[k] = v; g.w[k++] = w; } } g.row[n] = k;
    unsigned *dist; int *q[2], *qc, *queued; cudaMallocManaged(&dist, n * 4); for (auto &p : q) cudaMallocManaged(&p, n * 4); cudaMallocManaged(&qc, 8); cudaMallocManaged(&queued, n * 4);
    std::fill_n(dist, n, 1u << 30); std::fill_n(queued, n, 0); dist[0] = 0; q[0][0] = 0; int count = 1;
    for (int r = 0; count; ++r) { qc[0] = 0; relax<<<2, 128>>>(g, q[r & 1], count, q[(r & 1) ^ 1], qc, dist, queued); cudaDeviceSynchronize(); count = qc[0]; }
    unsigned long long ds = 0; int reach = 0; for (int i = 0; i < n; ++i) if (dist[i] < 1u << 30) { ds += dist[i]; ++reach; } printf("paths: %d reached, sum %llu, to 77: %u\n", reach, ds, dist[77]);
    int *label; bool *changed; cudaMallocManaged(&label, n * 4); cudaMallocManaged(&changed, 1); for (int i = 0; i < n; ++i) label[i] = i;
    do { *changed = false; hook<<<3, 128>>>(g, label, changed); jump<<<3, 128>>>(label, n); cudaDeviceSynchronize(); } while (*changed);
    std::map<int, int> sizes; for (int i = 0; i < n; ++i) ++sizes[label[i]]; int big = 0; for (auto &p : sizes) big = std::max(big, p.second); printf("components: %zu, largest %d\n", sizes.size(), big);
    unsigned long long *t; cudaMallocManaged(&t, 8); *t = 0; triangles<<<(n * 32 + 127) / 128, 128>>>(g, t); cudaDeviceSynchronize(); printf("triangles: %llu\n", *t);
    float *pr[2]; for (auto &p : pr) { cudaMallocManaged(&p, n * 4); std::fill_n(p, n, 1.0f / n); } for (int i = 0; i < 20; ++i) rank<<<3, 128>>>(g, pr[i & 1], pr[(i & 1) ^ 1], 0.85f);
    cudaDeviceSynchronize(); printf("ranks: %.6f %.6f, first %d\n", pr[0][0], pr[0][77], (int)std::distance(pr[0], std::max_element(pr[0], pr[0] + n)));
    unsigned long long *best; cudaMallocManaged(&best, n * 8); int *comp; cudaMallocManaged(&comp, n * 4); for (int i = 0; i < n; ++i) comp[i] = i; long weight = 0; int taken = 0;
    for (bool more = true; more;) {
        std::fill_n(best, n, ~0ull); cheapest<<<3, 128>>>(g, comp, best); cudaDeviceSynchronize(); more = false; std::set<unsigned long long> chosen;
        for (int i = 0; i < n; ++i) if (best[i] != ~0ull) chosen.insert(best[i]);
        for (auto key : chosen) { int a = comp[(key >> 20) & 0xfffff], b = comp[key & 0xfffff]; if (a == b) continue; more = true; weight += key >> 40; ++taken; for (int i = 0; i < n; ++i) if (comp[i] == b) comp[i] = a; }
    }
    printf("forest: %d edges, weight %ld\n", taken, weight); printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
