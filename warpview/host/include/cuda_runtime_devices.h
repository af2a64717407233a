// Devices: their properties, flags and limits. Included by cuda_runtime_api.h, whose functions it uses.
#pragma once

#include <cstdio>
#include "driver_types.h"

inline cudaError_t cudaGetDeviceCount(int *count, WV_HERE) { return wv::call_for("device_count", place, {}, count); }
inline cudaError_t cudaGetDevice(int *device, WV_HERE) { return wv::call_for("get_device", place, {}, device); }
inline cudaError_t cudaSetDevice(int device, WV_HERE) { return wv::call("set_device", place, {wv::word(device)}); }
inline cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *, WV_HERE) {
    return wv::call_for("get_device", place, {}, device);
}
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device, WV_HERE) {
    cudaError_t error = wv::call("check_device", place, {wv::word(device)});
    if (error == cudaSuccess) *properties = wv::properties(place);
    return error;
}
inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device, WV_HERE) {
    cudaError_t error = wv::call("check_device", place, {wv::word(device)});
    if (error != cudaSuccess) return error;
    cudaDeviceProp properties = wv::properties(place);
    switch (attribute) {
#define WV_ATTRIBUTE(name, number, property) \
    case cudaDevAttr##name: *value = static_cast<int>(properties.property); return cudaSuccess;
#include "warpview/device_attributes.def"
#undef WV_ATTRIBUTE
    }
    return wv::call("refuse", place, {cudaErrorInvalidValue});
}
inline cudaError_t cudaDeviceSynchronize(WV_HERE) { return wv::call("device_synchronize", place); }
inline cudaError_t cudaThreadSynchronize(WV_HERE) { return wv::call("device_synchronize", place); }
inline cudaError_t cudaDeviceReset(WV_HERE) { return wv::call("device_reset", place); }
inline cudaError_t cudaThreadExit(WV_HERE) { return wv::call("device_reset", place); }
inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
// No preference is kept: on these devices the driver divides the L1 as a kernel needs it.
inline cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *found) { return *found = cudaFuncCachePreferNone, cudaSuccess; }
inline cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *found) {
    return *found = cudaSharedMemBankSizeFourByte, cudaSuccess;
}
namespace wv {
inline unsigned device_flags = cudaDeviceScheduleAuto;
inline cudaError_t check_device(int device, Here place) { return call("check_device", place, {word(device)}); }
}  // namespace wv
inline cudaError_t cudaSetDeviceFlags(unsigned flags, WV_HERE) {
    const unsigned schedule = flags & cudaDeviceScheduleMask;
    if (flags & ~cudaDeviceMask || (schedule & (schedule - 1))) return wv::call("refuse", place, {cudaErrorInvalidValue});
    return wv::device_flags = flags, cudaSuccess;
}
inline cudaError_t cudaGetDeviceFlags(unsigned *flags) { return *flags = wv::device_flags | cudaDeviceMapHost, cudaSuccess; }
inline cudaError_t cudaInitDevice(int device, unsigned, unsigned, WV_HERE) { return wv::check_device(device, place); }
inline cudaError_t cudaSetValidDevices(int *devices, int count, WV_HERE) {
    for (int k = 0; k < count; ++k)
        if (cudaError_t error = wv::check_device(devices[k], place)) return error;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value, WV_HERE) {
    return wv::call("set_limit", place, {wv::word(limit), value});
}
inline cudaError_t cudaDeviceGetLimit(std::size_t *value, cudaLimit limit, WV_HERE) {
    return wv::call_for("get_limit", place, {wv::word(limit)}, value);
}
inline cudaError_t cudaRuntimeGetVersion(int *version) { return *version = CUDART_VERSION, cudaSuccess; }
inline cudaError_t cudaDriverGetVersion(int *version) { return *version = CUDART_VERSION, cudaSuccess; }
inline cudaError_t cudaMemGetInfo(std::size_t *free, std::size_t *total, WV_HERE) {
    return wv::call_for("mem_info", place, {}, free, total);
}
inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
inline cudaError_t cudaProfilerStop() { return cudaSuccess; }

// The place of the device on the bus: "domain:bus:device.function", in hexadecimal digits.
inline cudaError_t cudaDeviceGetPCIBusId(char *text, int size, int device, WV_HERE) {
    if (cudaError_t error = wv::check_device(device, place)) return error;
    const cudaDeviceProp p = wv::properties(place);
    char found[32];
    const int length = std::snprintf(found, sizeof found, "%04x:%02x:%02x.0", p.pciDomainID, p.pciBusID, p.pciDeviceID);
    if (text == nullptr || size <= length) return wv::call("refuse", place, {cudaErrorInvalidValue});
    return std::memcpy(text, found, static_cast<std::size_t>(length) + 1), cudaSuccess;
}
inline cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text, WV_HERE) {
    unsigned domain = 0, bus = 0, slot = 0, function = 0;
    if (text == nullptr || (std::sscanf(text, "%x:%x:%x.%x", &domain, &bus, &slot, &function) < 3
                            && std::sscanf(text, "%x:%x.%x", &bus, &slot, &function) < 2))
        return wv::call("refuse", place, {cudaErrorInvalidValue});
    const cudaDeviceProp p = wv::properties(place);
    const bool is_here = static_cast<int>(domain) == p.pciDomainID && static_cast<int>(bus) == p.pciBusID
                         && static_cast<int>(slot) == p.pciDeviceID;
    if (!is_here) return wv::call("refuse", place, {cudaErrorInvalidDevice});
    return *device = 0, cudaSuccess;
}
