"""Make graphs, captured from streams or built node by node: keep the requests, and answer them at each launch of the
graph. A node is the requests that its call makes of a stream, ``NODE_STREAM``, which is captured meanwhile."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter

from warpview.host.api.blas import gives_result
from warpview.host.channel import Request
from warpview.host.context import Capture, CudaFailure, Graph, GraphNode, RuntimeContext, Values, all_answers, answers
from warpview.host.errors import CudaError

# Where the stream stands among the values of a request that a graph can hold.
STREAM_AT = {
    "launch": 8, "memcpy": 5, "memcpy_2d": 8, "memcpy_symbol": 6, "memset": 6, "host_function": 0, "blas": 0, "fft": 0,
}  # fmt: skip
ASYNC_AT = {"memcpy": 4, "memcpy_2d": 7, "memcpy_symbol": 5, "memset": 5}
# Requests that wait for the device, or ask whether a stream is done, with where they name a stream.
WAITING = {"stream_synchronize": 0, "stream_query": 0}
NODE_STREAM = 1 << 40  # as in cuda_runtime_graphs.h
KERNEL, COPY, FILL, HOST, CHILD, EMPTY = range(6)  # as in cudaGraphNodeType
KINDS = {"memcpy": COPY, "memcpy_2d": COPY, "memcpy_symbol": COPY, "memset": FILL, "host_function": HOST}


# ------------------------------------------------------------------------------------------------ capturing streams
def captured(context: RuntimeContext, request: Request) -> bool:
    """Return whether a request became part of a graph instead of being answered. Raises CudaFailure for one that a
    capturing stream cannot be given."""
    if not context.captures:
        return False
    values, what = request.values, request.what
    if what == "device_synchronize" or (what in WAITING and values[WAITING[what]] in context.captures):
        _refuse(context, "the program waits for the device while a stream is being captured: end the capture first")
    if what == "event_record" and values[1] in context.captures:
        capture = context.captures[values[1]]
        context.captured_events[values[0]] = capture, capture.last.get(values[1], frozenset())
        return True
    if what == "stream_wait" and values[1] in context.captured_events:
        capture, before = context.captured_events[values[1]]
        context.captures[values[0]] = capture  # the stream joins the capture
        capture.last[values[0]] = capture.last.get(values[0], frozenset()) | before
        return True
    return what in STREAM_AT and _is_kept(context, request)


def _is_kept(context: RuntimeContext, request: Request) -> bool:
    """Return whether a request of a stream became a node because the stream is being captured."""
    what, values = request.what, request.values
    if what in ASYNC_AT and not values[ASYNC_AT[what]]:
        _refuse(context, "a copy that the host waits for cannot be captured: use the Async function and the stream")
    stream = values[STREAM_AT[what]]
    capture = context.captures.get(stream)
    if capture is None:
        return False
    if what == "blas" and gives_result(request):
        _refuse(context, "a result that goes to the host cannot be captured: use CUBLAS_POINTER_MODE_DEVICE")
    handle = next(context.graph_handles)
    capture.nodes[handle] = GraphNode((request,), _kind((request,)), capture.last.get(stream, frozenset()))
    capture.last[stream] = frozenset({handle})
    return True


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
    context.captured_events = {e: other for e, other in context.captured_events.items() if other[0] is not capture}
    return [_kept(context, capture.nodes)]


@answers("is_capturing")
def is_capturing(context: RuntimeContext, request: Request) -> Values:
    return [int(request.values[0] in context.captures)]


# ------------------------------------------------------------------------------------------------ graphs
def _kept(context: RuntimeContext, graph: Graph) -> int:
    """Keep a graph and return its handle."""
    handle = next(context.graph_handles)
    context.graphs[handle] = graph
    return handle


def _graph(context: RuntimeContext, handle: int) -> Graph:
    graph = context.graphs.get(handle)
    if graph is None:
        raise CudaFailure(CudaError.INVALID_VALUE)
    return graph


def _holder(context: RuntimeContext, node: int) -> int:
    """Return the handle of the graph that a node was added to, which comes before those that were instantiated."""
    holder = next((handle for handle, graph in context.graphs.items() if node in graph), None)
    if holder is None:
        raise CudaFailure(CudaError.INVALID_VALUE)
    return holder


@answers("graph_create")
def graph_create(context: RuntimeContext, request: Request) -> Values:
    return [_kept(context, {})]


@answers("graph_instantiate")
def graph_instantiate(context: RuntimeContext, request: Request) -> Values:
    return [_kept(context, _graph(context, request.values[0]))]


@answers("graph_clone")
def graph_clone(context: RuntimeContext, request: Request) -> Values:
    """Return the handle of a copy, whose nodes have handles of their own, in the same order."""
    graph = _graph(context, request.values[0])
    copies = {handle: next(context.graph_handles) for handle in graph}
    clone = {copies[k]: replace(n, before=frozenset(copies[b] for b in n.before)) for k, n in graph.items()}
    return [_kept(context, clone)]


@answers("graph_update")
def graph_update(context: RuntimeContext, request: Request) -> Values:
    """Let an instantiated graph carry out what another graph holds, whose nodes are of the same kinds and in the same
    order. Return 0, or what keeps it: 2 other edges or numbers of nodes, 3 another kind of node."""
    executable, handle = request.values
    old, new = _graph(context, executable), _graph(context, handle)
    if _shape(old) != _shape(new):
        return [2]
    if [node.kind for node in old.values()] != [node.kind for node in new.values()]:
        return [3]
    nodes = zip(old.items(), new.values(), strict=True)
    context.graphs[executable] = {k: replace(node, requests=other.requests) for (k, node), other in nodes}
    return [0]


def _shape(graph: Graph) -> list[set[int]]:
    """Return for each node the places in the order of those before it."""
    places = {handle: place for place, handle in enumerate(graph)}
    return [{places[before] for before in node.before} for node in graph.values()]


@answers("graph_destroy")
def graph_destroy(context: RuntimeContext, request: Request) -> None:
    _graph(context, request.values[0])
    del context.graphs[request.values[0]]


@answers("graph_launch")
def graph_launch(context: RuntimeContext, request: Request) -> None:
    """Give a stream all that a graph holds; each operation keeps the place at which it was captured."""
    handle, stream = request.values
    context.stream(stream)
    place = context.place
    try:
        for kept in _requests(_graph(context, handle)):
            at = STREAM_AT[kept.what]
            values = (*kept.values[:at], stream, *kept.values[at + 1 :])
            context.place = kept.place
            all_answers()[kept.what](context, replace(kept, values=values))
    finally:
        context.place = place


def _requests(graph: Graph) -> tuple[Request, ...]:
    return tuple(request for node in graph.values() for request in node.requests)


# ------------------------------------------------------------------------------------------------ nodes
def _kind(requests: Sequence[Request]) -> int:
    """Return the cudaGraphNodeType of a node that is no child graph."""
    return KINDS.get(requests[0].what, KERNEL) if requests else EMPTY


def _handles(data: bytes) -> tuple[int, ...]:
    return struct.unpack(f"{len(data) // 8}Q", data)


@answers("node_begin")
def node_begin(context: RuntimeContext, request: Request) -> None:
    """Begin what a node is to do: what ``NODE_STREAM`` is given from now on."""
    context.captures[NODE_STREAM] = Capture(NODE_STREAM)


def _begun(context: RuntimeContext) -> tuple[Request, ...]:
    return _requests(context.captures.pop(NODE_STREAM).nodes)


@answers("node_add")
def node_add(context: RuntimeContext, request: Request) -> Values:
    """Keep what was begun as a node of a graph, which comes after those of ``data``, and return its handle."""
    graph, is_whole = request.values
    requests = _begun(context)
    return [_added(context, graph, requests, _kind(requests), _handles(request.data)) if is_whole else 0]


@answers("node_add_child")
def node_add_child(context: RuntimeContext, request: Request) -> Values:
    """Keep all that another graph holds as a node of a graph, and return its handle."""
    graph, child = request.values
    return [_added(context, graph, _requests(_graph(context, child)), CHILD, _handles(request.data))]


def _added(
    context: RuntimeContext, handle: int, requests: tuple[Request, ...], kind: int, before: Sequence[int]
) -> int:
    graph = _graph(context, handle)
    if not graph.keys() >= set(before):
        raise CudaFailure(CudaError.INVALID_VALUE)
    node = next(context.graph_handles)
    context.graphs[handle] = {**graph, node: GraphNode(requests, kind, frozenset(before))}
    return node


@answers("node_set")
def node_set(context: RuntimeContext, request: Request) -> None:
    """Let a node do what was begun, in an instantiated graph, or in the one that it was added to (0)."""
    executable, node, is_whole = request.values
    requests = _begun(context)
    handle = executable or _holder(context, node)
    graph = _graph(context, handle)
    if node not in graph or graph[node].kind != _kind(requests):
        raise CudaFailure(CudaError.INVALID_VALUE)
    if is_whole:
        context.graphs[handle] = {**graph, node: replace(graph[node], requests=requests)}


@answers("node_destroy")
def node_destroy(context: RuntimeContext, request: Request) -> None:
    (node,) = request.values
    handle = _holder(context, node)
    others = {k: replace(n, before=n.before - {node}) for k, n in context.graphs[handle].items() if k != node}
    context.graphs[handle] = others


@answers("node_kind")
def node_kind(context: RuntimeContext, request: Request) -> Values:
    (node,) = request.values
    return [context.graphs[_holder(context, node)][node].kind]


def _edges(graph: Graph) -> list[tuple[int, int]]:
    return [(before, handle) for handle, node in graph.items() for before in sorted(node.before)]


@answers("edges_add")
def edges_add(context: RuntimeContext, request: Request) -> None:
    """Let nodes come after others: ``data`` has the first of each pair, then the second of each."""
    _with_edges(context, request, lambda before, others: before | others)


@answers("edges_remove")
def edges_remove(context: RuntimeContext, request: Request) -> None:
    _with_edges(context, request, lambda before, others: before - others)


def _with_edges(
    context: RuntimeContext, request: Request, change: Callable[[frozenset[int], frozenset[int]], frozenset[int]]
) -> None:
    """Change what comes before the nodes of a graph; the nodes are put into an order that keeps to it."""
    graph, handles = _graph(context, request.values[0]), _handles(request.data)
    edges = list(zip(handles[: len(handles) // 2], handles[len(handles) // 2 :], strict=True))
    if not set(handles) <= graph.keys():
        raise CudaFailure(CudaError.INVALID_VALUE)
    changed = {
        handle: replace(node, before=change(node.before, frozenset(first for first, then in edges if then == handle)))
        for handle, node in graph.items()
    }
    try:
        order = list(TopologicalSorter({handle: node.before for handle, node in changed.items()}).static_order())
    except CycleError:
        raise CudaFailure(CudaError.INVALID_VALUE) from None
    context.graphs[request.values[0]] = {handle: changed[handle] for handle in order}


# What is asked of a graph, or of a node and the graph that it was added to.
@answers("graph_nodes")
def graph_nodes(context: RuntimeContext, request: Request) -> Values:
    return list(_graph(context, request.values[0]))


@answers("graph_roots")
def graph_roots(context: RuntimeContext, request: Request) -> Values:
    return [handle for handle, node in _graph(context, request.values[0]).items() if not node.before]


@answers("graph_edges")
def graph_edges(context: RuntimeContext, request: Request) -> Values:
    """Return the node before and the node after of each edge."""
    return [handle for edge in _edges(_graph(context, request.values[0])) for handle in edge]


@answers("node_before")
def node_before(context: RuntimeContext, request: Request) -> Values:
    (node,) = request.values
    return sorted(context.graphs[_holder(context, node)][node].before)


@answers("node_after")
def node_after(context: RuntimeContext, request: Request) -> Values:
    (node,) = request.values
    return [then for before, then in _edges(context.graphs[_holder(context, node)]) if before == node]
