// A quadtree of points, built by kernels that launch themselves for the four children of a node.
#include <cstdio>
#include <cstdlib>
#include <vector>
struct Node { int first, count, depth, child; float x0, y0, x1, y1; };
__device__ int node_count;
class Splitter {
    float cx, cy;
  public:
    __device__ Splitter(const Node &n) : cx(0.5f * (n.x0 + n.x1)), cy(0.5f * (n.y0 + n.y1)) {}
    __device__ int quadrant(float2 p) const { return (p.x >= cx) + 2 * (p.y >= cy); }
    __device__ Node child(const Node &n, int q, int first, int count) const {
        Node c = {first, count, n.depth + 1, -1, q & 1 ? cx : n.x0, q & 2 ? cy : n.y0, q & 1 ? n.x1 : cx, q & 2 ? n.y1 : cy};
        return c;
    }
};
template <int THREADS>
__global__ void build(Node *nodes, int index, float2 *points, float2 *scratch, int max_depth, int min_points) {
    __shared__ int counts[4], starts[4], fill[4], base;
    Node node = nodes[index + blockIdx.x];
    if (node.depth >= max_depth || node.count <= min_points) return;
    const Splitter split(node);
    if (threadIdx.x < 4) counts[threadIdx.x] = fill[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < node.count; i += THREADS) atomicAdd(&counts[split.quadrant(points[node.first + i])], 1);
    __syncthreads();
    if (threadIdx.x == 0) { int s = node.first; for (int q = 0; q < 4; q++) { starts[q] = s; s += counts[q]; } base = atomicAdd(&node_count, 4); }
    __syncthreads();
    for (int i = threadIdx.x; i < node.count; i += THREADS) { float2 p = points[node.first + i]; int q = split.quadrant(p); scratch[starts[q] + atomicAdd(&fill[q], 1)] = p; }
    __syncthreads();
    for (int i = threadIdx.x; i < node.count; i += THREADS) points[node.first + i] = scratch[node.first + i];
    if (threadIdx.x < 4) nodes[base + threadIdx.x] = split.child(node, threadIdx.x, starts[threadIdx.x], counts[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) { nodes[index + blockIdx.x].child = base; build<THREADS><<<4, THREADS>>>(nodes, base, points, scratch, max_depth, min_points); }
}
int main() {
    const int n = 1500;
    std::vector<float2> h(n);
    unsigned s = 7; auto rnd = [&s] { s = s * 1664525u + 1013904223u; return (s >> 8) / 16777216.0f; };
    for (auto &p : h) { p.x = rnd() * rnd(); p.y = rnd(); }
    float2 *points, *scratch; Node *nodes; const int most = 4096;
    cudaMalloc(&points, n * sizeof(float2)); cudaMalloc(&scratch, n * sizeof(float2)); cudaMalloc(&nodes, most * sizeof(Node));
    cudaMemcpy(points, h.data(), n * sizeof(float2), cudaMemcpyHostToDevice);
    Node root = {0, n, 0, -1, 0, 0, 1, 1}; int one = 1;
    cudaMemcpy(nodes, &root, sizeof root, cudaMemcpyHostToDevice); cudaMemcpyToSymbol(node_count, &one, sizeof one);
    build<64><<<1, 64>>>(nodes, 0, points, scratch, 8, 16);
    cudaError_t e = cudaDeviceSynchronize();
    int count; cudaMemcpyFromSymbol(&count, node_count, sizeof count);
    std::vector<Node> t(count); cudaMemcpy(t.data(), nodes, count * sizeof(Node), cudaMemcpyDeviceToHost);
    std::vector<float2> sorted(n); cudaMemcpy(sorted.data(), points, n * sizeof(float2), cudaMemcpyDeviceToHost);
    int leaves = 0, deepest = 0, inside = 0, total = 0;
    for (const Node &x : t) if (x.child < 0) { leaves++; total += x.count; if (x.depth > deepest) deepest = x.depth; for (int i = 0; i < x.count; i++) { float2 p = sorted[x.first + i]; inside += p.x >= x.x0 && p.x < x.x1 && p.y >= x.y0 && p.y < x.y1; } }
    printf("%s: %d nodes, %d leaves, depth %d, %d points, %d inside\n", cudaGetErrorString(e), count, leaves, deepest, total, inside);
}
