// Graphs that are captured from streams, or built node by node.
#pragma once

typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal = 0, cudaStreamCaptureModeThreadLocal = 1, cudaStreamCaptureModeRelaxed = 2
};
enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone = 0, cudaStreamCaptureStatusActive = 1, cudaStreamCaptureStatusInvalidated = 2
};

inline cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode, WV_HERE) {
    return wv::call("begin_capture", place, {wv::word(stream)});
}
inline cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph, WV_HERE) {
    return wv::call_for("end_capture", place, {wv::word(stream)}, graph);
}
inline cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status, WV_HERE) {
    return wv::call_for("is_capturing", place, {wv::word(stream)}, status);
}
// Gives the number of nodes; the nodes themselves have nothing to say.
inline cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, std::size_t *count, WV_HERE) {
    if (nodes) return wv::call("refuse", place, {cudaErrorNotSupported});
    return wv::call_for("graph_nodes", place, {wv::word(graph)}, count);
}
// Gives the number of edges of a graph that was built node by node.
inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *, std::size_t *count, WV_HERE) {
    if (from) return wv::call("refuse", place, {cudaErrorNotSupported});
    return wv::call_for("graph_edges", place, {wv::word(graph)}, count);
}
struct cudaGraphEdgeData { unsigned char from_port, to_port, type, reserved[5]; };
inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, cudaGraphEdgeData *,
                                     std::size_t *count, WV_HERE) {
    return cudaGraphGetEdges(graph, from, to, count, place);
}

struct cudaKernelNodeParams {
    void *func;
    dim3 gridDim, blockDim;
    unsigned int sharedMemBytes;
    void **kernelParams, **extra;
};
struct cudaMemsetParams {
    void *dst;
    std::size_t pitch;
    unsigned int value, elementSize;
    std::size_t width, height;
};
struct cudaHostNodeParams {
    cudaHostFn_t fn;
    void *userData;
};

namespace wv {
inline const cudaStream_t node_stream = reinterpret_cast<cudaStream_t>(std::uintptr_t(1) << 40);

// Adds a node: what `give` asks of the node's stream.
template <class F>
cudaError_t add_node(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before, std::size_t count, Here place,
                     F give) {
    std::uint64_t last = 0;
    for (std::size_t k = 0; k < count; ++k) last = std::max<std::uint64_t>(last, word(before[k]));
    if (cudaError_t error = call("graph_add", place, {word(graph), last})) return error;
    const cudaError_t given = give();
    const cudaError_t added = call_for("graph_added", place, {word(graph), count}, node);
    return given != cudaSuccess ? given : added;
}
}  // namespace wv

inline cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned, WV_HERE) {
    return wv::call_for("graph_create", place, {}, graph);
}
inline cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before,
                                          std::size_t count, const cudaKernelNodeParams *p, WV_HERE) {
    return wv::add_node(node, graph, before, count, place, [&] {
        return cudaLaunchKernel(static_cast<const void *>(p->func), p->gridDim, p->blockDim, p->kernelParams,
                                p->sharedMemBytes, wv::node_stream, place);
    });
}
inline cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before,
                                            std::size_t count, void *to, const void *from, std::size_t size,
                                            cudaMemcpyKind kind, WV_HERE) {
    return wv::add_node(node, graph, before, count, place,
                        [&] { return cudaMemcpyAsync(to, from, size, kind, wv::node_stream, place); });
}
inline cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before,
                                          std::size_t count, const cudaMemcpy3DParms *copy, WV_HERE) {
    return wv::add_node(node, graph, before, count, place,
                        [&] { return cudaMemcpy3DAsync(copy, wv::node_stream, place); });
}
// The elements of a fill must consist of equal bytes.
inline cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before,
                                          std::size_t count, const cudaMemsetParams *p, WV_HERE) {
    const unsigned int mask = p->elementSize >= 4 ? ~0u : (1u << 8 * p->elementSize) - 1;
    if ((p->value & mask) != ((p->value & 0xFF) * 0x01010101u & mask)) {
        return wv::call("refuse", place, {cudaErrorNotSupported});
    }
    return wv::add_node(node, graph, before, count, place, [&] {
        const std::size_t width = p->width * p->elementSize;
        return cudaMemset2DAsync(p->dst, p->height > 1 ? p->pitch : width, static_cast<int>(p->value & 0xFF), width, p->height,
                                 wv::node_stream, place);
    });
}
inline cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before,
                                        std::size_t count, const cudaHostNodeParams *p, WV_HERE) {
    return wv::add_node(node, graph, before, count, place,
                        [&] { return cudaLaunchHostFunc(wv::node_stream, p->fn, p->userData, place); });
}
inline cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before,
                                         std::size_t count, WV_HERE) {
    return wv::add_node(node, graph, before, count, place, [] { return cudaSuccess; });
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long = 0, WV_HERE) {
    return wv::call_for("graph_instantiate", place, {wv::word(graph)}, executable);
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, cudaGraphNode_t *, char *,
                                        std::size_t, WV_HERE) {
    return wv::call_for("graph_instantiate", place, {wv::word(graph)}, executable);
}
inline cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long = 0,
                                                 WV_HERE) {
    return wv::call_for("graph_instantiate", place, {wv::word(graph)}, executable);
}
inline cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream, WV_HERE) {
    return wv::call("graph_launch", place, {wv::word(executable), wv::word(stream)});
}
inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable, WV_HERE) {
    return wv::call("graph_destroy", place, {wv::word(executable)});
}
inline cudaError_t cudaGraphDestroy(cudaGraph_t graph, WV_HERE) {
    return wv::call("graph_destroy", place, {wv::word(graph)});
}
