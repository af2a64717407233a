"""Graphs capture the work of streams: it runs at each launch, and only then."""

import warpview as wv

PROGRAM = r"""
#include <cstdio>
__global__ void add(int *p, int by) { p[threadIdx.x] += by; }
__global__ void total(const int *a, const int *b, int *out) { *out = a[5] + b[5]; }
int main() {
    int *a, *b, *out, result = -1;
    cudaMalloc(&a, 128);
    cudaMalloc(&b, 128);
    cudaMalloc(&out, 4);
    cudaMemset(a, 0, 128);
    cudaMemset(b, 0, 128);
    cudaStream_t s, t;
    cudaEvent_t fork, join;
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaEventCreate(&fork);
    cudaEventCreate(&join);
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaStreamCaptureStatus status;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaStreamIsCapturing(s, &status);
    BODY
    cudaError_t ended = cudaStreamEndCapture(s, &graph);
    size_t nodes = 0;
    cudaGraphGetNodes(graph, nullptr, &nodes);
    cudaError_t made = cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphDestroy(graph);
    for (int k = 0; k < 3; ++k) cudaGraphLaunch(executable, t);
    cudaStreamSynchronize(t);
    cudaGraphExecDestroy(executable);
    cudaError_t gone = cudaGraphLaunch(executable, t);
    cudaMemcpy(&result, out, 4, cudaMemcpyDeviceToHost);
    printf("%d %s %zu nodes %s %s: %d\n", (int)status, cudaGetErrorName(ended), nodes, cudaGetErrorName(made),
           cudaGetErrorName(gone), result);
    cudaGetLastError();
    cudaFree(a); cudaFree(b); cudaFree(out);
    cudaStreamDestroy(s); cudaStreamDestroy(t);
}
"""
FORK = """
    add<<<1, 32, 0, s>>>(a, 1);
    cudaEventRecord(fork, s);
    cudaStreamWaitEvent(t, fork, 0);
    add<<<1, 32, 0, t>>>(b, 10);
    cudaEventRecord(join, t);
    add<<<1, 32, 0, s>>>(a, 100);
    cudaStreamWaitEvent(s, join, 0);
    total<<<1, 1, 0, s>>>(a, b, out);
"""


def test_streams_that_wait_for_one_another_are_one_graph(program):
    result = wv.run_program(program(PROGRAM.replace("BODY", FORK)), timed=False)
    assert result.output == "1 cudaSuccess 4 nodes cudaSuccess cudaErrorInvalidValue: 333\n"
    assert [record.kernel for record in result.launches] == 3 * ["add", "add", "add", "total"]
    assert len({record.place.line for record in result.launches}) == 4
    assert not [run.findings for run in result.runs if run.findings]
    assert not result.host_findings


def test_nothing_runs_while_it_is_captured(program):
    text = PROGRAM.replace("BODY", FORK).replace("k < 3", "k < 0")
    result = wv.run_program(program(text), timed=False)
    assert result.launches == ()


def test_the_host_cannot_wait_for_a_captured_stream(program):
    text = PROGRAM.replace("BODY", FORK + "    cudaError_t e = cudaStreamSynchronize(s); puts(cudaGetErrorName(e));")
    result = wv.run_program(program(text), timed=False)
    assert result.output.splitlines()[0] == "cudaErrorStreamCaptureUnsupported"
    (found,) = result.host_findings
    assert found.kind == "stream capture"
    assert "cudaStreamSynchronize(s)" in found.span.source.line(found.span.line)


def test_a_node_that_is_not_of_the_graph_a_circle_and_another_kind_are_refused(program):
    text = r"""
#include <cstdio>
__global__ void k(int *p) { *p = 3; }
int main() {
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaGraphNode_t node, second, none, other = (cudaGraphNode_t)5;
    cudaGraphCreate(&graph, 0);
    cudaError_t unknown = cudaGraphAddEmptyNode(&none, graph, &other, 1);
    int *p, seen;
    cudaMalloc(&p, 4);
    cudaMemsetParams fill = {p, 0, 0x01020304, 4, 1, 1};
    cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill);
    cudaGraphAddEmptyNode(&second, graph, &node, 1);
    cudaError_t circle = cudaGraphAddDependencies(graph, &second, &node, 1);
    void *arguments[] = {&p};
    cudaKernelNodeParams parameters = {(void *)k, 1, 1, 0, arguments, nullptr};
    cudaError_t kind = cudaGraphKernelNodeSetParams(node, &parameters);
    cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphLaunch(executable, 0);
    cudaDeviceSynchronize();
    cudaMemcpy(&seen, p, 4, cudaMemcpyDeviceToHost);
    size_t nodes = 9;
    cudaGraphGetNodes(graph, nullptr, &nodes);
    for (cudaError_t e : {unknown, circle, kind}) printf("%s ", cudaGetErrorName(e));
    printf("%zu %x\n", nodes, seen);
    cudaGetLastError();
    cudaFree(p);
}
"""
    result = wv.run_program(program(text), timed=False)
    assert result.output == 3 * "cudaErrorInvalidValue " + "2 1020304\n"
