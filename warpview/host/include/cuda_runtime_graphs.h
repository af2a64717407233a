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
// Which is active until it is exchanged again; what is unsafe in a capture is refused in every mode.
inline cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode) {
    static thread_local cudaStreamCaptureMode active = cudaStreamCaptureModeGlobal;
    return std::swap(*mode, active), cudaSuccess;
}
enum cudaGraphNodeType {
    cudaGraphNodeTypeKernel = 0, cudaGraphNodeTypeMemcpy = 1, cudaGraphNodeTypeMemset = 2, cudaGraphNodeTypeHost = 3,
    cudaGraphNodeTypeGraph = 4, cudaGraphNodeTypeEmpty = 5
};
enum cudaGraphExecUpdateResult {
    cudaGraphExecUpdateSuccess = 0, cudaGraphExecUpdateError = 1, cudaGraphExecUpdateErrorTopologyChanged = 2,
    cudaGraphExecUpdateErrorNodeTypeChanged = 3
};
struct cudaGraphExecUpdateResultInfo {
    cudaGraphExecUpdateResult result;
    cudaGraphNode_t errorNode, errorFromNode;
};
struct cudaGraphEdgeData { unsigned char from_port, to_port, type, reserved[5]; };
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
    call("node_begin", place);
    const cudaError_t given = give();
    Answer added = ask("node_add", place, {word(graph), given == cudaSuccess}, before, count * sizeof *before);
    if (!added.error) *node = reinterpret_cast<cudaGraphNode_t>(added.values.at(0));
    return given != cudaSuccess ? given : static_cast<cudaError_t>(added.error);
}

// Lets a node do what `give` asks of the node's stream: in an instantiated graph, or in its own (null).
template <class F> cudaError_t set_node(cudaGraphExec_t executable, cudaGraphNode_t node, Here place, F give) {
    call("node_begin", place);
    const cudaError_t given = give();
    const cudaError_t set = call("node_set", place, {word(executable), word(node), given == cudaSuccess});
    return given != cudaSuccess ? given : set;
}

// Stores the nodes of an answer, as far as there is room, and their number; without room the number alone. The answer
// has a node for each of `stores` in turn.
inline cudaError_t nodes_of(const char *what, std::uint64_t of, std::initializer_list<cudaGraphNode_t *> stores,
                            std::size_t *count, Here place) {
    if (count == nullptr) return call("refuse", place, {cudaErrorInvalidValue});
    Answer answer = ask(what, place, {of});
    if (answer.error) return static_cast<cudaError_t>(answer.error);
    const std::size_t found = answer.values.size() / stores.size(), room = *count;
    std::size_t column = 0;
    for (cudaGraphNode_t *store : stores) {
        for (std::size_t k = 0; store != nullptr && k < room; ++k) {
            const std::uint64_t node = k < found ? answer.values[k * stores.size() + column] : 0;
            store[k] = reinterpret_cast<cudaGraphNode_t>(static_cast<std::uintptr_t>(node));
        }
        ++column;
    }
    *count = *stores.begin() != nullptr ? std::min(found, room) : found;
    return cudaSuccess;
}

// Changes the edges of a graph.
inline cudaError_t change_edges(const char *what, cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                std::size_t count, Here place) {
    std::vector<cudaGraphNode_t> both(from, from + count);
    both.insert(both.end(), to, to + count);
    return call(what, place, {word(graph)}, both.data(), both.size() * sizeof(cudaGraphNode_t));
}

// What nodes do, asked of their stream.
inline cudaError_t give_kernel(const cudaKernelNodeParams *p, Here place) {
    return cudaLaunchKernel(static_cast<const void *>(p->func), p->gridDim, p->blockDim, p->kernelParams, p->sharedMemBytes,
                            node_stream, place);
}
inline cudaError_t give_copy(void *to, const void *from, std::size_t size, cudaMemcpyKind kind, Here place) {
    return cudaMemcpyAsync(to, from, size, kind, node_stream, place);
}
inline cudaError_t give_copy(const cudaMemcpy3DParms *copy, Here place) {
    return cudaMemcpy3DAsync(copy, node_stream, place);
}
inline cudaError_t give_fill(const cudaMemsetParams *p, Here place) {
    const std::size_t width = p->width * p->elementSize;
    return call("memset", place,
                {word(p->dst), width, p->height, p->height > 1 ? p->pitch : width, p->value, 1, word(node_stream)}, &p->value,
                p->elementSize);
}
inline cudaError_t give_host_function(const cudaHostNodeParams *p, Here place) {
    return cudaLaunchHostFunc(node_stream, p->fn, p->userData, place);
}
}  // namespace wv

// A node of a kind: added, changed in the graph that it was added to, and in one that was instantiated.
#define WV_NODE(Kind, Suffix, what, ...) \
    inline cudaError_t cudaGraphAdd##Kind##Node##Suffix(cudaGraphNode_t *node, cudaGraph_t graph, \
                                                        const cudaGraphNode_t *before, std::size_t count, __VA_ARGS__, \
                                                        WV_HERE) { \
        return wv::add_node(node, graph, before, count, place, [&] { return wv::what; }); \
    } \
    inline cudaError_t cudaGraph##Kind##NodeSetParams##Suffix(cudaGraphNode_t node, __VA_ARGS__, WV_HERE) { \
        return wv::set_node(nullptr, node, place, [&] { return wv::what; }); \
    } \
    inline cudaError_t cudaGraphExec##Kind##NodeSetParams##Suffix(cudaGraphExec_t executable, cudaGraphNode_t node, \
                                                                  __VA_ARGS__, WV_HERE) { \
        return wv::set_node(executable, node, place, [&] { return wv::what; }); \
    }
WV_NODE(Kernel, , give_kernel(p, place), const cudaKernelNodeParams *p)
WV_NODE(Memcpy, , give_copy(copy, place), const cudaMemcpy3DParms *copy)
WV_NODE(Memcpy, 1D, give_copy(to, from, size, kind, place), void *to, const void *from, std::size_t size, cudaMemcpyKind kind)
WV_NODE(Memset, , give_fill(p, place), const cudaMemsetParams *p)
WV_NODE(Host, , give_host_function(p, place), const cudaHostNodeParams *p)
#undef WV_NODE

inline cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before,
                                         std::size_t count, WV_HERE) {
    return wv::add_node(node, graph, before, count, place, [] { return cudaSuccess; });
}
inline cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before,
                                              std::size_t count, cudaGraph_t child, WV_HERE) {
    wv::Answer added = wv::ask("node_add_child", place, {wv::word(graph), wv::word(child)}, before, count * sizeof *before);
    if (!added.error) *node = reinterpret_cast<cudaGraphNode_t>(added.values.at(0));
    return static_cast<cudaError_t>(added.error);
}
inline cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node, WV_HERE) {
    return wv::call("node_destroy", place, {wv::word(node)});
}
inline cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType *type, WV_HERE) {
    return wv::call_for("node_kind", place, {wv::word(node)}, type);
}

// ------------------------------------------------------------------------------------------------ nodes and edges
inline cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, std::size_t *count, WV_HERE) {
    return wv::nodes_of("graph_nodes", wv::word(graph), {nodes}, count, place);
}
inline cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, std::size_t *count, WV_HERE) {
    return wv::nodes_of("graph_roots", wv::word(graph), {nodes}, count, place);
}
inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, std::size_t *count, WV_HERE) {
    return wv::nodes_of("graph_edges", wv::word(graph), {from, to}, count, place);
}
inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes, std::size_t *count, WV_HERE) {
    return wv::nodes_of("node_before", wv::word(node), {nodes}, count, place);
}
inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes, std::size_t *count, WV_HERE) {
    return wv::nodes_of("node_after", wv::word(node), {nodes}, count, place);
}
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                            std::size_t count, WV_HERE) {
    return wv::change_edges("edges_add", graph, from, to, count, place);
}
inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                               std::size_t count, WV_HERE) {
    return wv::change_edges("edges_remove", graph, from, to, count, place);
}
// The same with data of the edges, as CUDA 13 has them: none of a kernel's ports is known here.
inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, cudaGraphEdgeData *,
                                     std::size_t *count, WV_HERE) {
    return cudaGraphGetEdges(graph, from, to, count, place);
}
inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes, cudaGraphEdgeData *,
                                                std::size_t *count, WV_HERE) {
    return cudaGraphNodeGetDependencies(node, nodes, count, place);
}
inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes, cudaGraphEdgeData *,
                                                  std::size_t *count, WV_HERE) {
    return cudaGraphNodeGetDependentNodes(node, nodes, count, place);
}
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                            const cudaGraphEdgeData *, std::size_t count, WV_HERE) {
    return cudaGraphAddDependencies(graph, from, to, count, place);
}
inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                               const cudaGraphEdgeData *, std::size_t count, WV_HERE) {
    return cudaGraphRemoveDependencies(graph, from, to, count, place);
}

// ------------------------------------------------------------------------------------------------ objects of the user
struct CUuserObject_st {
    void *object;
    cudaHostFn_t destroy;
    unsigned references;
};
typedef CUuserObject_st *cudaUserObject_t;
enum { cudaUserObjectNoDestructorSync = 1, cudaGraphUserObjectMove = 1 };

inline cudaError_t cudaUserObjectCreate(cudaUserObject_t *made, void *object, cudaHostFn_t destroy, unsigned references,
                                        unsigned flags, WV_HERE) {
    if (!destroy || !references || flags != cudaUserObjectNoDestructorSync)
        return wv::call("refuse", place, {cudaErrorInvalidValue});
    return *made = new CUuserObject_st{object, destroy, references}, cudaSuccess;
}
inline cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count = 1) {
    return object->references += count, cudaSuccess;
}
inline cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count = 1, WV_HERE) {
    if (count > object->references) return wv::call("refuse", place, {cudaErrorInvalidValue});
    object->references -= count;
    if (object->references == 0) object->destroy(object->object), delete object;
    return cudaSuccess;
}
namespace wv {
inline std::map<cudaGraph_t, std::map<cudaUserObject_t, unsigned>> retained;  // how often, by graph and object

inline void release_all(cudaGraph_t graph) {
    const auto held = std::move(retained[graph]);
    retained.erase(graph);
    for (const auto &[object, count] : held) cudaUserObjectRelease(object, count);
}
}  // namespace wv
inline cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count = 1,
                                             unsigned flags = 0) {
    if (!(flags & cudaGraphUserObjectMove)) object->references += count;
    return wv::retained[graph][object] += count, cudaSuccess;
}
inline cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count = 1, WV_HERE) {
    unsigned &held = wv::retained[graph][object];
    if (count > held) return wv::call("refuse", place, {cudaErrorInvalidValue});
    held -= count;
    return cudaUserObjectRelease(object, count, place);
}

// ------------------------------------------------------------------------------------------------ whole graphs
inline cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned, WV_HERE) {
    return wv::call_for("graph_create", place, {}, graph);
}
inline cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph, WV_HERE) {
    return wv::call_for("graph_clone", place, {wv::word(graph)}, clone);
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
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info,
                                       WV_HERE) {
    *info = {cudaGraphExecUpdateError, nullptr, nullptr};
    const cudaError_t error = wv::call_for("graph_update", place, {wv::word(executable), wv::word(graph)}, &info->result);
    if (error != cudaSuccess || info->result == cudaGraphExecUpdateSuccess) return error;
    return wv::call("refuse", place, {cudaErrorGraphExecUpdateFailure});
}
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphNode_t *node,
                                       cudaGraphExecUpdateResult *result, WV_HERE) {
    cudaGraphExecUpdateResultInfo info;
    const cudaError_t error = cudaGraphExecUpdate(executable, graph, &info, place);
    *node = info.errorNode;
    *result = info.result;
    return error;
}
inline cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream, WV_HERE) {
    return wv::call("graph_launch", place, {wv::word(executable), wv::word(stream)});
}
inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable, WV_HERE) {
    return wv::call("graph_destroy", place, {wv::word(executable)});
}
inline cudaError_t cudaGraphDestroy(cudaGraph_t graph, WV_HERE) {
    const cudaError_t error = wv::call("graph_destroy", place, {wv::word(graph)});
    if (error == cudaSuccess) wv::release_all(graph);
    return error;
}
