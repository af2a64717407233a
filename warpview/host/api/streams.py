"""Implement streams and events."""

from __future__ import annotations

from warpview.host.channel import HostOrder, Request
from warpview.host.context import CudaEvent, CudaFailure, RuntimeContext, Values, answers
from warpview.host.errors import CudaError
from warpview.host.streams import StreamOperation

NON_BLOCKING, NO_TIMING = 1, 2


@answers("device_synchronize")
def device_synchronize(context: RuntimeContext, request: Request) -> None:
    context.wait_for(context.scheduler.pending.values())


@answers("stream_create")
def stream_create(context: RuntimeContext, request: Request) -> Values:
    return [context.scheduler.create(blocking=not request.values[0] & NON_BLOCKING)]


@answers("stream_check")
def stream_check(context: RuntimeContext, request: Request) -> None:
    """Refuse a handle that is no stream's."""
    context.stream(request.values[0])


@answers("stream_destroy")
def stream_destroy(context: RuntimeContext, request: Request) -> None:
    """Destroy a stream after completing the work that it was given."""
    stream = context.stream(request.values[0])
    if stream.number == 0:
        raise CudaFailure(CudaError.INVALID_RESOURCE_HANDLE)
    context.scheduler.complete(context.scheduler.given(stream))
    del context.scheduler.streams[stream.number]
    context.lock_memory()


@answers("stream_synchronize")
def stream_synchronize(context: RuntimeContext, request: Request) -> None:
    context.wait_for(context.scheduler.given(context.stream(request.values[0])))


@answers("stream_query")
def stream_query(context: RuntimeContext, request: Request) -> None:
    """Complete the stream's work, so that a program that asks in a loop goes on."""
    stream = context.stream(request.values[0])
    if stream.last is not None and not stream.last.done:
        context.scheduler.complete(context.scheduler.given(stream))
        context.lock_memory()
        raise CudaFailure(CudaError.NOT_READY)


@answers("stream_wait")
def stream_wait(context: RuntimeContext, request: Request) -> None:
    stream, event = context.stream(request.values[0]), _event(context, request.values[1])
    if isinstance(event.operation, StreamOperation):
        stream.waits.append(event.operation)


@answers("host_function")
def host_function(context: RuntimeContext, request: Request) -> None:
    handle, function, data, is_callback = request.values
    stream = context.stream(handle)

    def call() -> None:
        context.lock_memory()  # what is done by now is the function's to use
        context.execute(HostOrder.CALL, (function, data, handle, is_callback))

    context.scheduler.enqueue(
        stream, "host function", "host function", context.place, call, issued_us=context.host_us, takes_host=True
    )


# ------------------------------------------------------------------------------------------------ events
def _event(context: RuntimeContext, handle: int) -> CudaEvent:
    known = context.events.get(handle)
    if known is None:
        raise CudaFailure(CudaError.INVALID_RESOURCE_HANDLE)
    return known


@answers("event_create")
def event_create(context: RuntimeContext, request: Request) -> Values:
    handle = 0x1000 + len(context.events)
    context.events[handle] = CudaEvent(timing=not request.values[0] & NO_TIMING)
    return [handle]


@answers("event_destroy")
def event_destroy(context: RuntimeContext, request: Request) -> None:
    _event(context, request.values[0])


@answers("event_record")
def event_record(context: RuntimeContext, request: Request) -> None:
    event, stream = _event(context, request.values[0]), context.stream(request.values[1])
    event.operation = context.scheduler.enqueue(
        stream, "event", "cudaEventRecord", context.place, lambda: None, issued_us=context.host_us
    )


@answers("event_synchronize")
def event_synchronize(context: RuntimeContext, request: Request) -> None:
    event = _event(context, request.values[0])
    if isinstance(event.operation, StreamOperation):
        context.wait_for([event.operation])


@answers("event_query")
def event_query(context: RuntimeContext, request: Request) -> None:
    event = _event(context, request.values[0])
    if isinstance(event.operation, StreamOperation) and not event.operation.done:
        context.scheduler.complete([event.operation])
        context.lock_memory()
        raise CudaFailure(CudaError.NOT_READY)


@answers("event_elapsed")
def event_elapsed(context: RuntimeContext, request: Request) -> Values:
    """Return nanoseconds of the model between two events."""
    first, last = (_event(context, handle) for handle in request.values)
    records = (first.operation, last.operation)
    if not (first.timing and last.timing) or not all(isinstance(record, StreamOperation) for record in records):
        raise CudaFailure(CudaError.INVALID_RESOURCE_HANDLE)
    begin, end = (record for record in records if isinstance(record, StreamOperation))
    if not (begin.done and end.done):
        context.find(
            "event not awaited", "cudaEventElapsedTime asks before the events have happened: synchronise first"
        )
        raise CudaFailure(CudaError.NOT_READY)
    context.timeline.update()
    assert begin.end_us is not None
    assert end.end_us is not None
    return [round(1000 * (end.end_us - begin.end_us))]
