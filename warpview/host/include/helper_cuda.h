// The macros that course code takes from the header of this name in NVIDIA's samples.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include "helper_string.h"

template <class T> void check(T result, const char *function, const char *file, int line) {
    if (!result) return;
    std::fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line, static_cast<int>(result),
                 cudaGetErrorName(static_cast<cudaError_t>(result)), function);
    std::exit(EXIT_FAILURE);
}
#define checkCudaErrors(value) check((value), #value, __FILE__, __LINE__)

inline void wv_check_last_error(const char *message, const char *file, int line) {
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s(%i) : getLastCudaError() CUDA error : %s : (%d) %s.\n", file, line, message,
                 static_cast<int>(error), cudaGetErrorString(error));
    std::exit(EXIT_FAILURE);
}
#define getLastCudaError(message) wv_check_last_error(message, __FILE__, __LINE__)

inline int findCudaDevice(int, const char **) {
    cudaDeviceProp properties;
    checkCudaErrors(cudaGetDeviceProperties(&properties, 0));
    std::printf("GPU Device 0: \"%s\" with compute capability %d.%d\n\n", properties.name, properties.major,
                properties.minor);
    return 0;
}
inline int gpuGetMaxGflopsDeviceId() { return 0; }
inline bool checkCudaCapabilities(int major, int minor) {
    cudaDeviceProp properties;
    checkCudaErrors(cudaGetDeviceProperties(&properties, 0));
    if (properties.major > major || (properties.major == major && properties.minor >= minor)) return true;
    std::printf("  No GPU device was found that can support CUDA compute capability %d.%d.\n", major, minor);
    return false;
}
// The lanes of a multiprocessor for single precision (CUDA C++ Programming Guide, "Arithmetic Instructions").
inline int _ConvertSMVer2Cores(int major, int minor) {
    switch (major) {
        case 1: return 8;
        case 2: return minor ? 48 : 32;
        case 3: return 192;
        case 6: return minor ? 128 : 64;
        case 7: return 64;
        case 8: return minor ? 128 : 64;
        default: return 128;
    }
}
#ifndef MAX
#define MAX(a, b) (a > b ? a : b)
#endif
