"""Make graphs, captured from streams or built node by node: keep the requests, and answer them at each launch of the
graph, in the order in which they were made. A node is the request that its call makes of a stream, ``NODE_STREAM``,
which is captured while the node is added."""

from __future__ import annotations

from dataclasses import replace

from warpview.host.api.blas import gives_result
from warpview.host.channel import Request
from warpview.host.context import Capture, CudaFailure, Graph, RuntimeContext, Values, all_answers, answers
from warpview.host.errors import CudaError

# Where the stream stands among the values of a request that a graph can hold.
STREAM_AT = {
    "launch": 8, "memcpy": 5, "memcpy_2d": 8, "memcpy_symbol": 6, "memset": 6, "host_function": 0, "blas": 0, "fft": 0,
}  # fmt: skip
ASYNC_AT = {"memcpy": 4, "memcpy_2d": 7, "memcpy_symbol": 5, "memset": 5}
# Requests that wait for the device, or ask whether a stream is done, with where they name a stream.
WAITING = {"stream_synchronize": 0, "stream_query": 0}
FIRST_GRAPH = 0x10000
NODE_STREAM = 1 << 40  # as in cuda_runtime_graphs.h


def captured(context: RuntimeContext, request: Request) -> bool:
    """Return whether a request became part of a graph instead of being answered. Raises CudaFailure for one that a
    capturing stream cannot be given."""
    if not context.captures:
        return False
    values, what = request.values, request.what
    if what == "device_synchronize" or (what in WAITING and values[WAITING[what]] in context.captures):
        _refuse(context, "the program waits for the device while a stream is being captured: end the capture first")
    if what == "event_record" and values[1] in context.captures:
        context.captured_events[values[0]] = context.captures[values[1]]
        return True
    if what == "stream_wait" and values[1] in context.captured_events:
        context.captures[values[0]] = context.captured_events[values[1]]  # the stream joins the capture
        return True
    if what not in STREAM_AT:
        return False
    if what in ASYNC_AT and not values[ASYNC_AT[what]]:
        _refuse(context, "a copy that the host waits for cannot be captured: use the Async function and the stream")
    capture = context.captures.get(values[STREAM_AT[what]])
    if capture is not None and what == "blas" and gives_result(request):
        _refuse(context, "a result that goes to the host cannot be captured: use CUBLAS_POINTER_MODE_DEVICE")
    if capture is not None:
        capture.requests.append(request)
    return capture is not None


def _refuse(context: RuntimeContext, message: str) -> None:
    context.find("stream capture", message)
    raise CudaFailure(CudaError.STREAM_CAPTURE_UNSUPPORTED)


@answers("begin_capture")
def begin_capture(context: RuntimeContext, request: Request) -> None:
    stream = context.stream(request.values[0])
    if stream.number == 0 or request.values[0] in context.captures:
        _refuse(context, "the default stream, and one that is being captured already, cannot be captured")
    context.captures[request.values[0]] = Capture(request.values[0])


@answers("end_capture")
def end_capture(context: RuntimeContext, request: Request) -> Values:
    capture = context.captures.get(request.values[0])
    if capture is None or capture.origin != request.values[0]:
        raise CudaFailure(CudaError.STREAM_CAPTURE_UNMATCHED)
    context.captures = {stream: other for stream, other in context.captures.items() if other is not capture}
    context.captured_events = {e: other for e, other in context.captured_events.items() if other is not capture}
    return [_kept(context, Graph(tuple(capture.requests), len(capture.requests)))]


@answers("is_capturing")
def is_capturing(context: RuntimeContext, request: Request) -> Values:
    return [int(request.values[0] in context.captures)]


def _kept(context: RuntimeContext, graph: Graph) -> int:
    """Keep a graph and return its handle."""
    handle = FIRST_GRAPH + len(context.graphs)
    context.graphs[handle] = graph
    return handle


def _graph(context: RuntimeContext, handle: int) -> Graph:
    graph = context.graphs.get(handle)
    if graph is None:
        raise CudaFailure(CudaError.INVALID_VALUE)
    return graph


@answers("graph_create")
def graph_create(context: RuntimeContext, request: Request) -> Values:
    return [_kept(context, Graph((), 0, 0))]


@answers("graph_add")
def graph_add(context: RuntimeContext, request: Request) -> None:
    """Begin a node of a graph; the values are the graph and the last of the nodes that it comes after, 0 for none."""
    handle, last = request.values
    if last > _graph(context, handle).nodes:
        raise CudaFailure(CudaError.INVALID_VALUE)
    context.captures[NODE_STREAM] = Capture(NODE_STREAM)


@answers("graph_added")
def graph_added(context: RuntimeContext, request: Request) -> Values:
    """Keep the node that was begun, which comes after so many others, and return its number from 1."""
    handle, before = request.values
    graph, capture = _graph(context, handle), context.captures.pop(NODE_STREAM)
    edges = None if graph.edges is None else graph.edges + before
    context.graphs[handle] = Graph(graph.requests + tuple(capture.requests), graph.nodes + 1, edges)
    return [graph.nodes + 1]


@answers("graph_nodes")
def graph_nodes(context: RuntimeContext, request: Request) -> Values:
    return [_graph(context, request.values[0]).nodes]


@answers("graph_edges")
def graph_edges(context: RuntimeContext, request: Request) -> Values:
    """Return the number of edges; that of a captured graph is not known."""
    edges = _graph(context, request.values[0]).edges
    if edges is None:
        raise CudaFailure(CudaError.NOT_SUPPORTED)
    return [edges]


@answers("graph_instantiate")
def graph_instantiate(context: RuntimeContext, request: Request) -> Values:
    return [_kept(context, _graph(context, request.values[0]))]


@answers("graph_destroy")
def graph_destroy(context: RuntimeContext, request: Request) -> None:
    _graph(context, request.values[0])
    context.graphs[request.values[0]] = None


@answers("graph_launch")
def graph_launch(context: RuntimeContext, request: Request) -> None:
    """Give a stream all that a graph holds; each operation keeps the place at which it was captured."""
    handle, stream = request.values
    context.stream(stream)
    place = context.place
    try:
        for kept in _graph(context, handle).requests:
            at = STREAM_AT[kept.what]
            values = (*kept.values[:at], stream, *kept.values[at + 1 :])
            context.place = kept.place
            all_answers()[kept.what](context, replace(kept, values=values))
    finally:
        context.place = place
