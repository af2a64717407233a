// Attributes of launches and streams. Included by cuda_runtime_api.h, whose functions it uses.
#pragma once

#include "driver_types.h"

enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore = 0, cudaLaunchAttributeAccessPolicyWindow = 1, cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeSynchronizationPolicy = 3, cudaLaunchAttributeClusterDimension = 4,
    cudaLaunchAttributeClusterSchedulingPolicyPreference = 5, cudaLaunchAttributeProgrammaticStreamSerialization = 6,
    cudaLaunchAttributePriority = 8, cudaLaunchAttributePreferredSharedMemoryCarveout = 14
};
// The part of memory whose lines the L2 should keep, and which part of them.
enum cudaAccessProperty { cudaAccessPropertyNormal = 0, cudaAccessPropertyStreaming = 1, cudaAccessPropertyPersisting = 2 };
struct cudaAccessPolicyWindow {
    void *base_ptr;
    std::size_t num_bytes;
    float hitRatio;
    cudaAccessProperty hitProp, missProp;
};
enum cudaSynchronizationPolicy {
    cudaSyncPolicyAuto = 1, cudaSyncPolicySpin = 2, cudaSyncPolicyYield = 3, cudaSyncPolicyBlockingSync = 4
};
enum cudaClusterSchedulingPolicy {
    cudaClusterSchedulingPolicyDefault = 0, cudaClusterSchedulingPolicySpread = 1,
    cudaClusterSchedulingPolicyLoadBalancing = 2
};
union cudaLaunchAttributeValue {
    char pad[64];
    cudaAccessPolicyWindow accessPolicyWindow;
    int cooperative, programmaticStreamSerializationAllowed, priority;
    cudaSynchronizationPolicy syncPolicy;
    cudaClusterSchedulingPolicy clusterSchedulingPolicyPreference;
    unsigned int sharedMemCarveout;
    struct { unsigned int x, y, z; } clusterDim;
};
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    char pad[8 - sizeof(cudaLaunchAttributeID)];
    cudaLaunchAttributeValue val;
};
#define cudaStreamAttrID cudaLaunchAttributeID
#define cudaStreamAttrValue cudaLaunchAttributeValue
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy
#define cudaStreamAttributePriority cudaLaunchAttributePriority

namespace wv {
constexpr int most_urgent = -5;  // priority of a stream
inline int priority(int wanted) { return std::min(0, std::max(most_urgent, wanted)); }

struct StreamSettings {
    unsigned flags = cudaStreamDefault;
    int priority = 0;
    cudaAccessPolicyWindow window = {};
    cudaSynchronizationPolicy synchronization = cudaSyncPolicyAuto;
};
inline std::map<cudaStream_t, StreamSettings> stream_settings;
inline cudaError_t create_stream(cudaStream_t *stream, StreamSettings settings, Here place) {
    const cudaError_t error = call_for("stream_create", place, {settings.flags}, stream);
    if (error == cudaSuccess) stream_settings[*stream] = settings;
    return error;
}
}  // namespace wv

inline cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID which, const cudaStreamAttrValue *value,
                                          WV_HERE) {
    if (cudaError_t error = wv::call("stream_check", place, {wv::word(stream)})) return error;
    wv::StreamSettings &settings = wv::stream_settings[stream];
    const cudaAccessPolicyWindow &window = value->accessPolicyWindow;
    const std::size_t most = static_cast<std::size_t>(wv::properties(place).accessPolicyMaxWindowSize);
    if (which == cudaStreamAttributeAccessPolicyWindow && window.num_bytes <= most && window.hitRatio >= 0
        && window.hitRatio <= 1 && window.missProp != cudaAccessPropertyPersisting)
        return settings.window = window, cudaSuccess;
    if (which == cudaStreamAttributeSynchronizationPolicy)
        return settings.synchronization = value->syncPolicy, cudaSuccess;
    if (which == cudaStreamAttributePriority) return settings.priority = wv::priority(value->priority), cudaSuccess;
    return wv::call("refuse", place, {cudaErrorInvalidValue});
}
inline cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID which, cudaStreamAttrValue *value, WV_HERE) {
    if (cudaError_t error = wv::call("stream_check", place, {wv::word(stream)})) return error;
    const wv::StreamSettings &settings = wv::stream_settings[stream];
    if (which == cudaStreamAttributeAccessPolicyWindow) return value->accessPolicyWindow = settings.window, cudaSuccess;
    if (which == cudaStreamAttributeSynchronizationPolicy) return value->syncPolicy = settings.synchronization, cudaSuccess;
    if (which == cudaStreamAttributePriority) return value->priority = settings.priority, cudaSuccess;
    return wv::call("refuse", place, {cudaErrorInvalidValue});
}
inline cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from, WV_HERE) {
    for (cudaStream_t stream : {to, from})
        if (cudaError_t error = wv::call("stream_check", place, {wv::word(stream)})) return error;
    const unsigned flags = wv::stream_settings[to].flags;
    wv::stream_settings[to] = wv::stream_settings[from];
    return wv::stream_settings[to].flags = flags, cudaSuccess;
}
// Lines that were kept are as all others again.
inline cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
