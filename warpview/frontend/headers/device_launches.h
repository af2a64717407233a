// Launches of kernels by kernels (dynamic parallelism), and what else of the CUDA runtime kernels may call beside them.
//
// A launch takes a record, fills in its arguments, and completes it, as nvcc's code does by the functions of NVIDIA's
// device runtime, whose names and parameters these have. The records are a variable of the device: when all blocks of
// the launching kernel are done, the host carries the launches out in the order in which they took their records.
#pragma once

#define WARPVIEW_LAUNCHES 8192
#define WARPVIEW_FAILURES 1024
#define WARPVIEW_HEAD_BYTES 48  // of a record, before its arguments
#define WARPVIEW_ARGUMENT_BYTES 256

#ifdef __CUDACC_RTC__  // which declares the functions under these names, some of them as macros
#undef __cudaCDP2GetParameterBufferV2
#undef __cudaCDP2LaunchDeviceV2
#undef __cudaCDP2GetLastError
#undef __cudaCDP2PeekAtLastError
#undef __cudaCDP2GetDevice
#undef __cudaCDP2GetDeviceCount
#undef __cudaCDP2StreamCreateWithFlags
#undef __cudaCDP2StreamDestroy
#undef __cudaCDP2EventCreateWithFlags
#undef __cudaCDP2EventRecord
#undef __cudaCDP2EventDestroy
#undef __cudaCDP2StreamWaitEvent
#define WARPVIEW_RUNTIME(name) __cudaCDP2##name
#else
struct CUstream_st;
struct CUevent_st;
typedef CUstream_st *cudaStream_t;
typedef CUevent_st *cudaEvent_t;
enum cudaError_t {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorLaunchPendingCountExceeded = 69,
};
enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1, cudaEventDefault = 0, cudaEventDisableTiming = 2 };
#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)
#define WARPVIEW_RUNTIME(name) cuda##name
#endif

struct WarpviewLaunch {
    unsigned long long kernel, stream;
    unsigned int grid[3], block[3], shared, is_complete;
    unsigned char arguments[WARPVIEW_ARGUMENT_BYTES];
};

struct __align__(16) WarpviewLaunches {
    unsigned int taken, streams, unused[2];
    // The last launch that failed of each thread, by the thread's number modulo the entries: the number << 8, and the
    // error. Threads that share an entry lose the older error.
    unsigned long long failures[WARPVIEW_FAILURES];
    WarpviewLaunch launches[WARPVIEW_LAUNCHES + 1];  // the last one takes the arguments of those that fail
};

static __device__ WarpviewLaunches warpview_launches;

// Returns the number of the calling thread among those of the grid, from 1 on.
static __device__ unsigned long long warpview_thread_number() {
    const unsigned long long block = blockIdx.x + gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
    const unsigned int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    return 1 + block * (blockDim.x * blockDim.y * blockDim.z) + thread;
}

static __device__ unsigned long long *warpview_failure() {
    return &warpview_launches.failures[warpview_thread_number() % WARPVIEW_FAILURES];
}

extern "C" __device__ void *WARPVIEW_RUNTIME(GetParameterBufferV2)(
    void *kernel, dim3 grid, dim3 block, unsigned int shared) {
    const unsigned int most = WARPVIEW_LAUNCHES;
    WarpviewLaunch *launch = &warpview_launches.launches[min(most, atomicAdd(&warpview_launches.taken, 1u))];
    launch->kernel = (unsigned long long)kernel;
    launch->grid[0] = grid.x;
    launch->grid[1] = grid.y;
    launch->grid[2] = grid.z;
    launch->block[0] = block.x;
    launch->block[1] = block.y;
    launch->block[2] = block.z;
    launch->shared = shared;
    return (unsigned char *)launch + WARPVIEW_HEAD_BYTES;
}

extern "C" __device__ cudaError_t WARPVIEW_RUNTIME(LaunchDeviceV2)(void *arguments, cudaStream_t stream) {
    WarpviewLaunch *launch = (WarpviewLaunch *)((unsigned char *)arguments - WARPVIEW_HEAD_BYTES);
    const unsigned int *grid = launch->grid, *block = launch->block;
    const unsigned long long threads = (unsigned long long)block[0] * block[1] * block[2];
    cudaError_t error = cudaSuccess;
    if (launch == &warpview_launches.launches[WARPVIEW_LAUNCHES]) error = cudaErrorLaunchPendingCountExceeded;
    if (threads - 1 >= 1024 || block[2] > 64 || grid[0] == 0 || grid[1] - 1 >= 65535 || grid[2] - 1 >= 65535 ||
        launch->shared > 232448)
        error = cudaErrorInvalidConfiguration;
    if (error != cudaSuccess) {
        *warpview_failure() = warpview_thread_number() << 8 | (unsigned int)error;
        return error;
    }
    launch->stream = (unsigned long long)stream;
    launch->is_complete = 1;
    return cudaSuccess;
}

extern "C" __device__ cudaError_t WARPVIEW_RUNTIME(PeekAtLastError)() {
    const unsigned long long failure = *warpview_failure();
    return failure >> 8 == warpview_thread_number() ? (cudaError_t)(failure & 255) : cudaSuccess;
}

extern "C" __device__ cudaError_t WARPVIEW_RUNTIME(GetLastError)() {
    const cudaError_t error = WARPVIEW_RUNTIME(PeekAtLastError)();
    if (error != cudaSuccess) *warpview_failure() = 0;
    return error;
}

extern "C" __device__ cudaError_t WARPVIEW_RUNTIME(GetDevice)(int *device) {
    *device = 0;
    return cudaSuccess;
}

extern "C" __device__ cudaError_t WARPVIEW_RUNTIME(GetDeviceCount)(int *count) {
    *count = 1;
    return cudaSuccess;
}

extern "C" __device__ cudaError_t WARPVIEW_RUNTIME(StreamCreateWithFlags)(cudaStream_t *stream, unsigned int flags) {
    *stream = (cudaStream_t)(256ull + atomicAdd(&warpview_launches.streams, 1u));
    return flags == cudaStreamNonBlocking ? cudaSuccess : cudaErrorInvalidValue;
}

extern "C" __device__ cudaError_t WARPVIEW_RUNTIME(StreamDestroy)(cudaStream_t) {
    return cudaSuccess;
}

// Launches are carried out in their order whatever their streams: an event has nothing to add.
extern "C" __device__ cudaError_t WARPVIEW_RUNTIME(EventCreateWithFlags)(cudaEvent_t *event, unsigned int flags) {
    *event = (cudaEvent_t)256ull;
    return flags == cudaEventDisableTiming ? cudaSuccess : cudaErrorInvalidValue;
}

extern "C" __device__ cudaError_t WARPVIEW_RUNTIME(EventRecord)(cudaEvent_t, cudaStream_t) {
    return cudaSuccess;
}

extern "C" __device__ cudaError_t WARPVIEW_RUNTIME(StreamWaitEvent)(cudaStream_t, cudaEvent_t, unsigned int) {
    return cudaSuccess;
}

extern "C" __device__ cudaError_t WARPVIEW_RUNTIME(EventDestroy)(cudaEvent_t) {
    return cudaSuccess;
}
