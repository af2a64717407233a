// Graphs that are captured from streams.
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
