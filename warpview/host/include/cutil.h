// What the code of CUDA's first years takes from the header of this name in NVIDIA's SDK (CUDA 1 to 4).
#pragma once

#include <map>
#include "helper_cuda.h"
#include "helper_image.h"
#include "helper_string.h"
#include "helper_timer.h"

enum CUTBoolean { CUTFalse = 0, CUTTrue = 1 };

#define CUDA_SAFE_CALL_NO_SYNC(call) checkCudaErrors(call)
#define CUDA_SAFE_CALL(call) checkCudaErrors(call)
#define cutilSafeCall(call) checkCudaErrors(call)
#define cutilSafeCallNoSync(call) checkCudaErrors(call)
#define cutilSafeThreadSync() checkCudaErrors(cudaDeviceSynchronize())
#define cutilCheckMsg(message) getLastCudaError(message)
#define CUT_CHECK_ERROR(message) \
    do { \
        getLastCudaError(message); \
        checkCudaErrors(cudaDeviceSynchronize()); \
    } while (0)
#define CUT_SAFE_CALL(call) wv_check_cutil(call, #call, __FILE__, __LINE__)
#define cutilCheckError(call) CUT_SAFE_CALL(call)
#define CUT_DEVICE_INIT(count, arguments) findCudaDevice(count, const_cast<const char **>(arguments))
#define cutilDeviceInit(count, arguments) findCudaDevice(count, const_cast<const char **>(arguments))
#define cutilChooseCudaDevice(count, arguments) findCudaDevice(count, const_cast<const char **>(arguments))
#define CUT_EXIT(count, arguments) std::exit(EXIT_SUCCESS)
#define cutilExit(count, arguments) std::exit(EXIT_SUCCESS)

inline void wv_check_cutil(CUTBoolean worked, const char *call, const char *file, int line) {
    if (worked == CUTTrue) return;
    std::fprintf(stderr, "Cut error in file '%s' in line %i: %s\n", file, line, call);
    std::exit(EXIT_FAILURE);
}
inline int cutGetMaxGflopsDeviceId() { return 0; }

// ------------------------------------------------------------------------------------------------ timers, by number
inline std::map<unsigned, StopWatchInterface *> &wv_timers() {
    static std::map<unsigned, StopWatchInterface *> timers;
    return timers;
}
inline CUTBoolean wv_with_timer(unsigned number, void (*use)(StopWatchInterface **)) {
    const auto found = wv_timers().find(number);
    if (found == wv_timers().end()) return CUTFalse;
    use(&found->second);
    return CUTTrue;
}
inline CUTBoolean cutCreateTimer(unsigned *number) {
    static unsigned made = 0;
    sdkCreateTimer(&wv_timers()[*number = ++made]);
    return CUTTrue;
}
inline CUTBoolean cutStartTimer(unsigned number) {
    return wv_with_timer(number, [](StopWatchInterface **timer) { sdkStartTimer(timer); });
}
inline CUTBoolean cutStopTimer(unsigned number) {
    return wv_with_timer(number, [](StopWatchInterface **timer) { sdkStopTimer(timer); });
}
inline CUTBoolean cutResetTimer(unsigned number) {
    return wv_with_timer(number, [](StopWatchInterface **timer) { sdkResetTimer(timer); });
}
inline CUTBoolean cutDeleteTimer(unsigned number) {
    const CUTBoolean deleted = wv_with_timer(number, [](StopWatchInterface **timer) { sdkDeleteTimer(timer); });
    wv_timers().erase(number);
    return deleted;
}
inline float cutGetTimerValue(unsigned number) {
    const auto found = wv_timers().find(number);
    return found == wv_timers().end() ? 0.0f : sdkGetTimerValue(&found->second);
}
inline float cutGetAverageTimerValue(unsigned number) {
    const auto found = wv_timers().find(number);
    return found == wv_timers().end() ? 0.0f : sdkGetAverageTimerValue(&found->second);
}

// ------------------------------------------------------------------------------------------- comparisons, options, images
template <class T> CUTBoolean wv_same(const T *reference, const T *data, unsigned length, double within) {
    return compareData(reference, data, length, within, 0.0f) ? CUTTrue : CUTFalse;
}
inline CUTBoolean cutComparef(const float *reference, const float *data, unsigned length) {
    return wv_same(reference, data, length, 0.0);
}
inline CUTBoolean cutComparefe(const float *reference, const float *data, unsigned length, float epsilon) {
    return wv_same(reference, data, length, epsilon);
}
inline CUTBoolean cutComparei(const int *reference, const int *data, unsigned length) {
    return wv_same(reference, data, length, 0.0);
}
inline CUTBoolean cutCompareub(const unsigned char *reference, const unsigned char *data, unsigned length) {
    return wv_same(reference, data, length, 0.0);
}
inline CUTBoolean cutCompareL2fe(const float *reference, const float *data, unsigned length, float epsilon) {
    return sdkCompareL2fe(reference, data, length, epsilon) ? CUTTrue : CUTFalse;
}
inline CUTBoolean cutCheckCmdLineFlag(int count, const char **arguments, const char *name) {
    return checkCmdLineFlag(count, arguments, name) ? CUTTrue : CUTFalse;
}
inline CUTBoolean cutGetCmdLineArgumenti(int count, const char **arguments, const char *name, int *value) {
    return getCmdLineArgumentValue(count, arguments, name, value) ? CUTTrue : CUTFalse;
}
inline CUTBoolean cutGetCmdLineArgumentstr(int count, const char **arguments, const char *name, char **value) {
    return getCmdLineArgumentString(count, arguments, name, value) ? CUTTrue : CUTFalse;
}
inline char *cutFindFilePath(const char *name, const char *program) { return sdkFindFilePath(name, program); }
inline CUTBoolean cutLoadPGMub(const char *name, unsigned char **data, unsigned *width, unsigned *height) {
    return sdkLoadPGM(name, data, width, height) ? CUTTrue : CUTFalse;
}
inline CUTBoolean cutLoadPGMf(const char *name, float **data, unsigned *width, unsigned *height) {
    return sdkLoadPGM(name, data, width, height) ? CUTTrue : CUTFalse;
}
inline CUTBoolean cutSavePGMub(const char *name, const unsigned char *data, unsigned width, unsigned height) {
    return sdkSavePGM(name, data, width, height) ? CUTTrue : CUTFalse;
}
inline CUTBoolean cutSavePGMf(const char *name, const float *data, unsigned width, unsigned height) {
    return sdkSavePGM(name, data, width, height) ? CUTTrue : CUTFalse;
}
inline void cutFree(void *memory) { std::free(memory); }
