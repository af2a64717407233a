// Types and constants of the CUDA runtime.
#pragma once

#include <cstddef>
#include "vector_types.h"

enum cudaError {
#define WV_ERROR(name, code, text) name = code,
#include "warpview/error_codes.def"
#undef WV_ERROR
};
typedef cudaError cudaError_t;

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)

enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4
};

enum { cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2, cudaHostAllocWriteCombined = 4 };
enum { cudaHostRegisterDefault = 0, cudaHostRegisterPortable = 1, cudaHostRegisterMapped = 2 };
enum { cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2, cudaEventInterprocess = 4 };
enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1 };
enum { cudaMemAttachGlobal = 1, cudaMemAttachHost = 2, cudaMemAttachSingle = 4 };
enum { cudaEventWaitDefault = 0, cudaEventRecordDefault = 0 };
enum {
    cudaDeviceScheduleAuto = 0, cudaDeviceScheduleSpin = 1, cudaDeviceScheduleYield = 2,
    cudaDeviceScheduleBlockingSync = 4, cudaDeviceMapHost = 8
};
#define cudaCpuDeviceId ((int)-1)
#define cudaInvalidDeviceId ((int)-2)

enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte, cudaSharedMemBankSizeEightByte
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8, cudaFuncAttributePreferredSharedMemoryCarveout = 9,
    cudaFuncAttributeClusterDimMustBeSet = 10, cudaFuncAttributeNonPortableClusterSizeAllowed = 14
};
enum cudaSharedCarveout {
    cudaSharedmemCarveoutDefault = -1, cudaSharedmemCarveoutMaxShared = 100, cudaSharedmemCarveoutMaxL1 = 0
};
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1, cudaMemAdviseUnsetReadMostly, cudaMemAdviseSetPreferredLocation,
    cudaMemAdviseUnsetPreferredLocation, cudaMemAdviseSetAccessedBy, cudaMemAdviseUnsetAccessedBy
};
enum cudaLimit {
    cudaLimitStackSize = 0, cudaLimitPrintfFifoSize = 1, cudaLimitMallocHeapSize = 2,
    cudaLimitDevRuntimeSyncDepth = 3, cudaLimitDevRuntimePendingLaunchCount = 4
};
enum cudaComputeMode { cudaComputeModeDefault, cudaComputeModeExclusive, cudaComputeModeProhibited };
enum cudaMemoryType {
    cudaMemoryTypeUnregistered = 0, cudaMemoryTypeHost = 1, cudaMemoryTypeDevice = 2, cudaMemoryTypeManaged = 3
};
enum cudaMemoryLocationType { cudaMemLocationTypeInvalid, cudaMemLocationTypeDevice, cudaMemLocationTypeHost };

struct cudaMemLocation {
    cudaMemoryLocationType type;
    int id;
};
struct cudaPointerAttributes {
    cudaMemoryType type;
    int device;
    void *devicePointer;
    void *hostPointer;
};
struct cudaFuncAttributes {
    std::size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes,
        preferredShmemCarveout;
};
struct cudaExtent { std::size_t width, height, depth; };
struct cudaPos { std::size_t x, y, z; };
struct cudaPitchedPtr {
    void *ptr;
    std::size_t pitch, xsize, ysize;
};

// The numbers of a device's properties: type, name, and how many of them.
#define WV_DEVICE_PROPERTIES(P) \
    P(std::size_t, totalGlobalMem) P(std::size_t, sharedMemPerBlock) P(int, regsPerBlock) P(int, warpSize) \
    P(std::size_t, memPitch) P(int, maxThreadsPerBlock) P(int, clockRate) P(std::size_t, totalConstMem) P(int, major) \
    P(int, minor) P(std::size_t, textureAlignment) P(int, deviceOverlap) P(int, multiProcessorCount) \
    P(int, kernelExecTimeoutEnabled) P(int, integrated) P(int, canMapHostMemory) P(int, computeMode) \
    P(int, concurrentKernels) P(int, ECCEnabled) P(int, pciBusID) P(int, pciDeviceID) P(int, pciDomainID) \
    P(int, asyncEngineCount) P(int, unifiedAddressing) P(int, memoryClockRate) P(int, memoryBusWidth) \
    P(int, l2CacheSize) P(int, persistingL2CacheMaxSize) P(int, maxThreadsPerMultiProcessor) \
    P(int, streamPrioritiesSupported) P(int, globalL1CacheSupported) P(int, localL1CacheSupported) \
    P(std::size_t, sharedMemPerMultiprocessor) P(int, regsPerMultiprocessor) P(int, managedMemory) \
    P(int, isMultiGpuBoard) P(int, pageableMemoryAccess) P(int, concurrentManagedAccess) P(int, cooperativeLaunch) \
    P(std::size_t, sharedMemPerBlockOptin) P(int, maxBlocksPerMultiProcessor) P(std::size_t, reservedSharedMemPerBlock) \
    P(int, memoryPoolsSupported) P(int, clusterLaunch)

struct cudaDeviceProp {
    char name[256] = {};
#define WV_PROPERTY(type, name) type name = 0;
    WV_DEVICE_PROPERTIES(WV_PROPERTY)
#undef WV_PROPERTY
    int maxThreadsDim[3] = {};
    int maxGridSize[3] = {};
};

// The attributes of a device that cudaDeviceGetAttribute gives, with their numbers and the property that holds each.
#define WV_DEVICE_ATTRIBUTES(A) \
    A(MaxThreadsPerBlock, 1, maxThreadsPerBlock) A(MaxBlockDimX, 2, maxThreadsDim[0]) \
    A(MaxBlockDimY, 3, maxThreadsDim[1]) A(MaxBlockDimZ, 4, maxThreadsDim[2]) A(MaxGridDimX, 5, maxGridSize[0]) \
    A(MaxGridDimY, 6, maxGridSize[1]) A(MaxGridDimZ, 7, maxGridSize[2]) \
    A(MaxSharedMemoryPerBlock, 8, sharedMemPerBlock) A(TotalConstantMemory, 9, totalConstMem) A(WarpSize, 10, warpSize) \
    A(MaxRegistersPerBlock, 12, regsPerBlock) A(ClockRate, 13, clockRate) \
    A(MultiProcessorCount, 16, multiProcessorCount) A(Integrated, 18, integrated) \
    A(CanMapHostMemory, 19, canMapHostMemory) A(ComputeMode, 20, computeMode) \
    A(ConcurrentKernels, 31, concurrentKernels) A(MemoryClockRate, 36, memoryClockRate) \
    A(GlobalMemoryBusWidth, 37, memoryBusWidth) A(L2CacheSize, 38, l2CacheSize) \
    A(MaxThreadsPerMultiProcessor, 39, maxThreadsPerMultiProcessor) A(AsyncEngineCount, 40, asyncEngineCount) \
    A(UnifiedAddressing, 41, unifiedAddressing) A(ComputeCapabilityMajor, 75, major) \
    A(ComputeCapabilityMinor, 76, minor) A(StreamPrioritiesSupported, 78, streamPrioritiesSupported) \
    A(MaxSharedMemoryPerMultiprocessor, 81, sharedMemPerMultiprocessor) \
    A(MaxRegistersPerMultiprocessor, 82, regsPerMultiprocessor) A(ManagedMemory, 83, managedMemory) \
    A(ConcurrentManagedAccess, 89, concurrentManagedAccess) A(CooperativeLaunch, 95, cooperativeLaunch) \
    A(MaxSharedMemoryPerBlockOptin, 97, sharedMemPerBlockOptin) A(MaxBlocksPerMultiprocessor, 106, maxBlocksPerMultiProcessor) \
    A(MemoryPoolsSupported, 115, memoryPoolsSupported) A(ClusterLaunch, 120, clusterLaunch)

enum cudaDeviceAttr {
#define WV_ATTRIBUTE(name, number, property) cudaDevAttr##name = number,
    WV_DEVICE_ATTRIBUTES(WV_ATTRIBUTE)
#undef WV_ATTRIBUTE
};

typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *data);
typedef void (*cudaHostFn_t)(void *data);
