// Streams, their attributes, and events. Included by cuda_runtime_api.h, whose functions it uses.
#pragma once

#include "driver_types.h"

#include "cuda_runtime_attributes.h"

inline cudaError_t cudaStreamCreate(cudaStream_t *stream, WV_HERE) { return wv::create_stream(stream, {}, place); }
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags, WV_HERE) {
    return wv::create_stream(stream, {flags}, place);
}
inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority, WV_HERE) {
    return wv::create_stream(stream, {flags, wv::priority(priority)}, place);
}
inline cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
    return *priority = wv::stream_settings[stream].priority, cudaSuccess;
}
inline cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
    return *flags = wv::stream_settings[stream].flags, cudaSuccess;
}
inline cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id, WV_HERE) {
    if (cudaError_t error = wv::call("stream_check", place, {wv::word(stream)})) return error;
    return *id = wv::word(stream), cudaSuccess;
}
inline cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device, WV_HERE) {
    if (cudaError_t error = wv::call("stream_check", place, {wv::word(stream)})) return error;
    return *device = 0, cudaSuccess;
}
inline cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    return *least = 0, *greatest = wv::most_urgent, cudaSuccess;
}
inline cudaError_t cudaStreamDestroy(cudaStream_t stream, WV_HERE) {
    return wv::call("stream_destroy", place, {wv::word(stream)});
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t stream, WV_HERE) {
    return wv::call("stream_synchronize", place, {wv::word(stream)});
}
inline cudaError_t cudaStreamQuery(cudaStream_t stream, WV_HERE) {
    return wv::call("stream_query", place, {wv::word(stream)});
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned = 0, WV_HERE) {
    return wv::call("stream_wait", place, {wv::word(stream), wv::word(event)});
}
inline cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data, WV_HERE) {
    return wv::call("host_function", place, {wv::word(stream), wv::word(function), wv::word(data), 0});
}
inline cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void *data, unsigned, WV_HERE) {
    return wv::call("host_function", place, {wv::word(stream), wv::word(function), wv::word(data), 1});
}
inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags = 0, WV_HERE) {
    return wv::call_for("event_create", place, {flags}, event);
}
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags, WV_HERE) {
    return wv::call_for("event_create", place, {flags}, event);
}
inline cudaError_t cudaEventDestroy(cudaEvent_t event, WV_HERE) {
    return wv::call("event_destroy", place, {wv::word(event)});
}
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr, WV_HERE) {
    return wv::call("event_record", place, {wv::word(event), wv::word(stream)});
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t event, WV_HERE) {
    return wv::call("event_synchronize", place, {wv::word(event)});
}
inline cudaError_t cudaEventQuery(cudaEvent_t event, WV_HERE) {
    return wv::call("event_query", place, {wv::word(event)});
}
inline cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end, WV_HERE) {
    std::uint64_t nanoseconds = 0;
    cudaError_t error = wv::call_for("event_elapsed", place, {wv::word(start), wv::word(end)}, &nanoseconds);
    if (error == cudaSuccess) *milliseconds = static_cast<float>(static_cast<std::int64_t>(nanoseconds) / 1e6);
    return error;
}
inline cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = nullptr, unsigned = 0, WV_HERE) {
    return cudaEventRecord(event, stream, place);
}
