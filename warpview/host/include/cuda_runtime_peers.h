// Copies and access between devices, of which there is one. Included by cuda_runtime_api.h, whose functions it uses.
#pragma once

inline cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, std::size_t size, WV_HERE) {
    if (to_device || from_device) return wv::call("refuse", place, {cudaErrorInvalidDevice});
    return cudaMemcpy(to, from, size, cudaMemcpyDeviceToDevice, place);
}
inline cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, std::size_t size,
                                       cudaStream_t stream = nullptr, WV_HERE) {
    if (to_device || from_device) return wv::call("refuse", place, {cudaErrorInvalidDevice});
    return cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToDevice, stream, place);
}
inline cudaError_t cudaDeviceEnablePeerAccess(int device, unsigned, WV_HERE) {
    return wv::call("refuse", place, {device ? cudaErrorInvalidDevice : cudaErrorPeerAccessUnsupported});
}
inline cudaError_t cudaDeviceDisablePeerAccess(int device, WV_HERE) {
    return wv::call("refuse", place, {device ? cudaErrorInvalidDevice : cudaErrorPeerAccessNotEnabled});
}
inline cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int other, WV_HERE) {
    if (device || other) return wv::call("refuse", place, {cudaErrorInvalidDevice});
    return *can = 0, cudaSuccess;
}
enum cudaDeviceP2PAttr {
    cudaDevP2PAttrPerformanceRank = 1, cudaDevP2PAttrAccessSupported = 2, cudaDevP2PAttrNativeAtomicSupported = 3,
    cudaDevP2PAttrCudaArrayAccessSupported = 4
};
// A pair of devices is two different ones.
inline cudaError_t cudaDeviceGetP2PAttribute(int *, cudaDeviceP2PAttr, int, int, WV_HERE) {
    return wv::call("refuse", place, {cudaErrorInvalidDevice});
}
