#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("line %d: %s\n", __LINE__, cudaGetErrorString(e)); return 1; } } while (0)
__global__ void scale(float *p, float k, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] *= k; }
__global__ void add(const float *a, const float *b, float *c, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) c[i] = a[i] + b[i]; }
void CUDART_CB note(void *user) { ++*(int *)user; }
int main() {
    int n = 512;
    std::vector<float> h(n), r(n);
    for (int i = 0; i < n; ++i) h[i] = i;
    float *a, *b, *c, ka = 2, kb = 3;
    int noted = 0;
    CHECK(cudaMalloc(&a, n * 4)); CHECK(cudaMalloc(&b, n * 4)); CHECK(cudaMalloc(&c, n * 4));
    cudaGraph_t graph;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t upA, upB, kA, kB, kC, down, host, zero;
    CHECK(cudaGraphAddMemcpyNode1D(&upA, graph, NULL, 0, a, h.data(), n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaGraphAddMemcpyNode1D(&upB, graph, NULL, 0, b, h.data(), n * 4, cudaMemcpyHostToDevice));
    cudaMemsetParams set = {0};
    set.dst = c; set.value = 0; set.elementSize = 4; set.width = n; set.height = 1;
    CHECK(cudaGraphAddMemsetNode(&zero, graph, NULL, 0, &set));
    cudaKernelNodeParams p = {0};
    void *argsA[] = {&a, &ka, &n};
    p.func = (void *)scale; p.gridDim = dim3(2); p.blockDim = dim3(256); p.kernelParams = argsA;
    CHECK(cudaGraphAddKernelNode(&kA, graph, &upA, 1, &p));
    void *argsB[] = {&b, &kb, &n};
    p.kernelParams = argsB;
    CHECK(cudaGraphAddKernelNode(&kB, graph, &upB, 1, &p));
    void *argsC[] = {&a, &b, &c, &n};
    p.func = (void *)add; p.kernelParams = argsC;
    cudaGraphNode_t before[] = {kA, kB, zero};
    CHECK(cudaGraphAddKernelNode(&kC, graph, before, 3, &p));
    CHECK(cudaGraphAddMemcpyNode1D(&down, graph, &kC, 1, r.data(), c, n * 4, cudaMemcpyDeviceToHost));
    cudaHostNodeParams hp = {note, &noted};
    CHECK(cudaGraphAddHostNode(&host, graph, &down, 1, &hp));
    size_t nodes = 0, edges = 0;
    CHECK(cudaGraphGetNodes(graph, NULL, &nodes));
#if CUDART_VERSION >= 13000
    CHECK(cudaGraphGetEdges(graph, NULL, NULL, NULL, &edges));
#else
    CHECK(cudaGraphGetEdges(graph, NULL, NULL, &edges));
#endif
    cudaGraphExec_t exec;
#if CUDART_VERSION >= 12000
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
#else
    CHECK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
#endif
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    for (int k = 0; k < 3; ++k) CHECK(cudaGraphLaunch(exec, s));
    CHECK(cudaStreamSynchronize(s));
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += r[i] != 5.0f * i;
    printf("%zu nodes, %zu edges, %d wrong, noted %d\n", nodes, edges, wrong, noted);
    CHECK(cudaGraphExecDestroy(exec)); CHECK(cudaGraphDestroy(graph)); CHECK(cudaStreamDestroy(s));
    CHECK(cudaFree(a)); CHECK(cudaFree(b)); CHECK(cudaFree(c));
    return wrong;
}
