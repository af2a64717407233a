// Graphs that are changed after they were made: parameters of nodes, edges, clones, child graphs, updates.
#include <cstdio>
#include <vector>
__global__ void add(int *a, int v) { a[threadIdx.x] += v; }
__global__ void times(int *a, int v) { a[threadIdx.x] *= v; }
void CUDART_CB note(void *user) { ++*static_cast<int *>(user); }

static const char *kind(cudaGraphNode_t node) {
    cudaGraphNodeType type;
    if (cudaGraphNodeGetType(node, &type) != cudaSuccess) return "none";
    const char *names[] = {"kernel", "memcpy", "memset", "host", "graph", "empty"};
    return names[type];
}

static int launched(cudaGraphExec_t executable, cudaStream_t s, int *d, int at) {
    int host[32];
    cudaGraphLaunch(executable, s);
    cudaMemcpyAsync(host, d, sizeof host, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s);
    return host[at];
}

int main() {
    int *d, noted = 0, two = 2, three = 3, ten = 10;
    cudaMalloc(&d, 128);
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaGraph_t graph, child, clone, captured;
    cudaGraphCreate(&graph, 0);

    cudaGraphNode_t fill, sum, product, host, nested, join;
    cudaMemsetParams set = {};
    set.dst = d; set.value = 1000; set.elementSize = 4; set.width = 32; set.height = 1;
    cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &set);
    void *sumArguments[] = {&d, &two}, *productArguments[] = {&d, &three};
    cudaKernelNodeParams k = {};
    k.func = (void *)add; k.gridDim = dim3(1); k.blockDim = dim3(32); k.kernelParams = sumArguments;
    cudaGraphAddKernelNode(&sum, graph, &fill, 1, &k);
    k.func = (void *)times; k.kernelParams = productArguments;
    cudaGraphAddKernelNode(&product, graph, nullptr, 0, &k);
    cudaGraphNode_t from[] = {sum}, to[] = {product};
#if CUDART_VERSION >= 13000
    cudaGraphAddDependencies(graph, from, to, nullptr, 1);
#else
    cudaGraphAddDependencies(graph, from, to, 1);
#endif
    cudaHostNodeParams h = {note, &noted};
    cudaGraphAddHostNode(&host, graph, &product, 1, &h);

    cudaGraphCreate(&child, 0);
    cudaGraphNode_t inner;
    k.func = (void *)add; k.kernelParams = sumArguments;
    cudaGraphAddKernelNode(&inner, child, nullptr, 0, &k);
    cudaGraphAddChildGraphNode(&nested, graph, &host, 1, child);
    cudaGraphNode_t both[] = {host, nested};
    cudaGraphAddEmptyNode(&join, graph, both, 2);

    size_t nodes = 0, roots = 8, edges = 0, before = 8;
    cudaGraphNode_t some[8];
    cudaGraphGetNodes(graph, nullptr, &nodes);
    cudaGraphGetRootNodes(graph, some, &roots);
#if CUDART_VERSION >= 13000
    cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges);
    cudaGraphNodeGetDependencies(join, some, nullptr, &before);
#else
    cudaGraphGetEdges(graph, nullptr, nullptr, &edges);
    cudaGraphNodeGetDependencies(join, some, &before);
#endif
    printf("%zu nodes, %zu roots, %zu edges, %zu before the last\n", nodes, roots, edges, before);
    for (cudaGraphNode_t node : {fill, sum, product, host, nested, join}) printf("%s ", kind(node));
    printf("\n");

    cudaGraphExec_t executable, other;
    cudaGraphInstantiate(&executable, graph, 0);
    printf("%d", launched(executable, s, d, 7));
    cudaGraphClone(&clone, graph);

    void *changed[] = {&d, &ten};
    k.func = (void *)times; k.kernelParams = changed;
    printf(" %s", cudaGetErrorName(cudaGraphExecKernelNodeSetParams(executable, product, &k)));
    printf(" %d", launched(executable, s, d, 7));
    set.value = 5;
    cudaGraphExecMemsetNodeSetParams(executable, fill, &set);
    printf(" %d", launched(executable, s, d, 31));
    ten = 50;  // no node looks at it any more
    printf(" %d noted %d\n", launched(executable, s, d, 0), noted);

    cudaGraphInstantiate(&other, clone, 0);
    printf("clone %d\n", launched(other, s, d, 7));
    k.func = (void *)add; k.kernelParams = changed;
    cudaGraphKernelNodeSetParams(sum, &k);
    cudaGraphExecUpdateResultInfo info;
    cudaError_t updated = cudaGraphExecUpdate(executable, graph, &info);
    printf("%s %d: %d\n", cudaGetErrorName(updated), (int)info.result, launched(executable, s, d, 3));
    cudaGraphDestroyNode(join);
    updated = cudaGraphExecUpdate(executable, graph, &info);
    printf("%s %d\n", cudaGetErrorName(updated), info.result != cudaGraphExecUpdateSuccess);
    cudaGetLastError();

    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    add<<<1, 32, 0, s>>>(d, 1);
    cudaMemsetAsync(d, 0, 128, s);
    add<<<1, 32, 0, s>>>(d, 4);
    cudaStreamEndCapture(s, &captured);
    size_t room = 8;
    cudaGraphGetNodes(captured, some, &room);
    printf("%zu: %s %s %s\n", room, kind(some[0]), kind(some[1]), kind(some[2]));
    cudaGraphExec_t replayed;
    cudaGraphInstantiate(&replayed, captured, 0);
    int seven = 7;
    void *again[] = {&d, &seven};
    k.kernelParams = again;
    cudaGraphExecKernelNodeSetParams(replayed, some[2], &k);
    printf("%d\n", launched(replayed, s, d, 9));
    for (cudaGraphExec_t each : {executable, other, replayed}) cudaGraphExecDestroy(each);
    for (cudaGraph_t each : {graph, child, clone, captured}) cudaGraphDestroy(each);
    cudaStreamDestroy(s);
    cudaFree(d);
}
