// Breadth-first search with a queue in shared memory for each block.
#include <iostream>
#include <fstream>
#include <sstream>
#include <queue>
#include <vector>
#include <string>
#include <algorithm>
#include <iomanip>
#define BLOCK_QUEUE 64
struct Graph { int n; std::vector<int> offsets, edges; };
static Graph make_grid(int w, int h) {
  Graph g; g.n = w * h; g.offsets.push_back(0);
  for (int y = 0; y < h; ++y) for (int x = 0; x < w; ++x) {
    const int dx[] = {1, -1, 0, 0}, dy[] = {0, 0, 1, -1};
    for (int k = 0; k < 4; ++k) { int a = x + dx[k], b = y + dy[k]; if (a >= 0 && a < w && b >= 0 && b < h && (a * b) % 5 != 3) g.edges.push_back(b * w + a); }
    g.offsets.push_back((int)g.edges.size());
  }
  return g;
}
__global__ void bfs_kernel(int level, int num_frontier, const int *__restrict__ frontier, int *next, int *num_next,
                           const int *__restrict__ offsets, const int *__restrict__ edges, int *levels) {
  __shared__ int local[BLOCK_QUEUE];
  __shared__ int local_count, start;
  if (threadIdx.x == 0) local_count = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < num_frontier; i += gridDim.x * blockDim.x) {
    const int u = frontier[i];
    for (int e = offsets[u]; e < offsets[u + 1]; ++e) {
      const int v = edges[e];
      if (atomicCAS(&levels[v], -1, level) == -1) {
        const int slot = atomicAdd(&local_count, 1);
        if (slot < BLOCK_QUEUE) local[slot] = v;
        else { local_count = BLOCK_QUEUE; next[atomicAdd(num_next, 1)] = v; }
      }
    }
  }
  __syncthreads();
  const int count = min(local_count, BLOCK_QUEUE);
  if (threadIdx.x == 0) start = atomicAdd(num_next, count);
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += blockDim.x) next[start + i] = local[i];
}
std::vector<int> cpu_bfs(const Graph &g, int s) {
  std::vector<int> l(g.n, -1); std::queue<int> q; l[s] = 0; q.push(s);
  while (!q.empty()) { int u = q.front(); q.pop(); for (int e = g.offsets[u]; e < g.offsets[u + 1]; ++e) if (l[g.edges[e]] < 0) { l[g.edges[e]] = l[u] + 1; q.push(g.edges[e]); } }
  return l;
}
template <class T> T *to_device(const std::vector<T> &v) { T *p; cudaMalloc(&p, v.size() * sizeof(T)); cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice); return p; }
int main() {
  Graph g = make_grid(24, 16);
  int *offsets = to_device(g.offsets), *edges = to_device(g.edges);
  std::vector<int> init(g.n, -1); init[0] = 0;
  int *levels = to_device(init), *frontier[2], *count;
  for (auto &f : frontier) cudaMalloc(&f, g.n * sizeof(int));
  cudaMallocManaged(&count, sizeof(int));
  cudaMemset(frontier[0], 0, sizeof(int));
  int size = 1, level = 1; std::ostringstream sizes;
  while (size > 0) {
    sizes << size << (level % 10 ? ' ' : '\n');
    *count = 0;
    bfs_kernel<<<(size + 31) / 32, 32>>>(level++, size, frontier[0], frontier[1], count, offsets, edges, levels);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    size = *count; std::swap(frontier[0], frontier[1]);
  }
  std::vector<int> out(g.n); cudaMemcpy(out.data(), levels, g.n * sizeof(int), cudaMemcpyDeviceToHost);
  std::cout << sizes.str() << "\nlevels " << level << std::setw(8) << std::right << *std::max_element(out.begin(), out.end())
            << (out == cpu_bfs(g, 0) ? " same" : " different") << std::endl;
  cudaFree(offsets); cudaFree(edges); cudaFree(levels); cudaFree(frontier[0]); cudaFree(frontier[1]); cudaFree(count);
}
