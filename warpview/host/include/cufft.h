// cuFFT: plans are kept here; a transform is asked of warpview, which carries it out.
#pragma once

#include "cuda_runtime.h"
#include "cufft_types.h"
#include "library_types.h"

#include <map>
#include <vector>

enum cufftResult {
    CUFFT_SUCCESS = 0, CUFFT_INVALID_PLAN = 1, CUFFT_ALLOC_FAILED = 2, CUFFT_INVALID_TYPE = 3, CUFFT_INVALID_VALUE = 4,
    CUFFT_INTERNAL_ERROR = 5, CUFFT_EXEC_FAILED = 6, CUFFT_SETUP_FAILED = 7, CUFFT_INVALID_SIZE = 8,
    CUFFT_UNALIGNED_DATA = 9, CUFFT_INVALID_DEVICE = 11, CUFFT_NO_WORKSPACE = 13, CUFFT_NOT_IMPLEMENTED = 14,
    CUFFT_NOT_SUPPORTED = 16
};
enum cufftType {
    CUFFT_R2C = 0x2a, CUFFT_C2R = 0x2c, CUFFT_C2C = 0x29, CUFFT_D2Z = 0x6a, CUFFT_Z2D = 0x6c, CUFFT_Z2Z = 0x69
};
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1

typedef int cufftHandle;

namespace wv {
// The elements of a transform along one side: of each dimension as it lies in memory, from one to the next, and from one
// transform of a batch to the next; no stride where they lie as the transform has them.
struct FftSide {
    int embed[3] = {0, 0, 0};
    int stride = 0, distance = 0;
};
struct FftPlan {
    cufftType type;
    int rank, n[3], batch;
    FftSide in, out;
    cudaStream_t stream = nullptr;
};
inline std::map<cufftHandle, FftPlan> fft_plans;

inline cufftResult fft_plan(cufftHandle *plan, int rank, const int *n, cufftType type, int batch) {
    static cufftHandle next = 1;
    FftPlan made{type, rank, {1, 1, 1}, batch, {}, {}};
    if (rank < 1 || rank > 3 || batch < 1) return CUFFT_INVALID_SIZE;
    for (int k = 0; k < rank; k++) {
        if (n[k] < 1) return CUFFT_INVALID_SIZE;
        made.n[k] = n[k];
    }
    fft_plans[*plan = next++] = made;
    return CUFFT_SUCCESS;
}
inline FftSide fft_side(int rank, const int *embed, int stride, int distance) {
    FftSide side;
    if (embed == nullptr) return side;
    for (int k = 0; k < rank; k++) side.embed[k] = embed[k];
    side.stride = stride, side.distance = distance;
    return side;
}
inline cufftResult fft(cufftHandle handle, cufftType type, const void *in, void *out, int direction, Here place) {
    const auto found = fft_plans.find(handle);
    if (found == fft_plans.end()) return CUFFT_INVALID_PLAN;
    const FftPlan &plan = found->second;
    if (plan.type != type) return CUFFT_INVALID_TYPE;
    std::vector<std::uint64_t> words = {word(type), word(direction), word(plan.rank), word(plan.n[0]), word(plan.n[1]),
                                        word(plan.n[2]), word(plan.batch)};
    for (const FftSide *side : {&plan.in, &plan.out}) {
        words.insert(words.end(), {word(side == &plan.in ? in : out), word(side->stride), word(side->distance)});
        for (int extent : side->embed) words.push_back(word(extent));
    }
    const Answer answer = ask("fft", place, {word(plan.stream)}, words.data(), 8 * words.size());
    if (answer.error) return CUFFT_EXEC_FAILED;
    return answer.values.empty() ? CUFFT_SUCCESS : static_cast<cufftResult>(answer.values[0]);
}
}  // namespace wv

#define WV_HERE wv::Here place = wv::here()
inline cufftResult cufftPlan1d(cufftHandle *plan, int nx, cufftType type, int batch) {
    return wv::fft_plan(plan, 1, &nx, type, batch);
}
inline cufftResult cufftPlan2d(cufftHandle *plan, int nx, int ny, cufftType type) {
    const int n[] = {nx, ny};
    return wv::fft_plan(plan, 2, n, type, 1);
}
inline cufftResult cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz, cufftType type) {
    const int n[] = {nx, ny, nz};
    return wv::fft_plan(plan, 3, n, type, 1);
}
inline cufftResult cufftPlanMany(cufftHandle *plan, int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                                 int ostride, int odist, cufftType type, int batch) {
    const cufftResult result = wv::fft_plan(plan, rank, n, type, batch);
    if (result == CUFFT_SUCCESS && inembed != nullptr && onembed != nullptr) {  // else both lie as they are
        wv::fft_plans[*plan].in = wv::fft_side(rank, inembed, istride, idist);
        wv::fft_plans[*plan].out = wv::fft_side(rank, onembed, ostride, odist);
    }
    return result;
}
inline cufftResult cufftCreate(cufftHandle *plan) {
    const int one = 1;
    return wv::fft_plan(plan, 1, &one, CUFFT_C2C, 1);
}
inline cufftResult wv_cufft_make(cufftHandle plan, cufftResult made, cufftHandle from, size_t *size) {
    if (made != CUFFT_SUCCESS) return made;
    wv::fft_plans[plan] = wv::fft_plans[from];
    wv::fft_plans.erase(from);
    return *size = 0, CUFFT_SUCCESS;
}
inline cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t *size) {
    cufftHandle made = 0;
    const cufftResult result = cufftPlan1d(&made, nx, type, batch);
    return wv_cufft_make(plan, result, made, size);
}
inline cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t *size) {
    cufftHandle made = 0;
    const cufftResult result = cufftPlan2d(&made, nx, ny, type);
    return wv_cufft_make(plan, result, made, size);
}
inline cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t *size) {
    cufftHandle made = 0;
    const cufftResult result = cufftPlan3d(&made, nx, ny, nz, type);
    return wv_cufft_make(plan, result, made, size);
}
inline cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int *n, int *inembed, int istride, int idist,
                                     int *onembed, int ostride, int odist, cufftType type, int batch, size_t *size) {
    cufftHandle made = 0;
    const cufftResult result =
        cufftPlanMany(&made, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch);
    return wv_cufft_make(plan, result, made, size);
}
inline cufftResult cufftGetSize(cufftHandle, size_t *size) { return *size = 0, CUFFT_SUCCESS; }
inline cufftResult cufftGetVersion(int *version) { return *version = 12000, CUFFT_SUCCESS; }
inline cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream) {
    if (!wv::fft_plans.count(plan)) return CUFFT_INVALID_PLAN;
    return wv::fft_plans[plan].stream = stream, CUFFT_SUCCESS;
}
inline cufftResult cufftDestroy(cufftHandle plan) {
    return wv::fft_plans.erase(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
inline cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *in, cufftComplex *out, int direction, WV_HERE) {
    return wv::fft(plan, CUFFT_C2C, in, out, direction, place);
}
inline cufftResult cufftExecR2C(cufftHandle plan, cufftReal *in, cufftComplex *out, WV_HERE) {
    return wv::fft(plan, CUFFT_R2C, in, out, CUFFT_FORWARD, place);
}
inline cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *in, cufftReal *out, WV_HERE) {
    return wv::fft(plan, CUFFT_C2R, in, out, CUFFT_INVERSE, place);
}
inline cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleComplex *out, int direction,
                                WV_HERE) {
    return wv::fft(plan, CUFFT_Z2Z, in, out, direction, place);
}
inline cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *in, cufftDoubleComplex *out, WV_HERE) {
    return wv::fft(plan, CUFFT_D2Z, in, out, CUFFT_FORWARD, place);
}
inline cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleReal *out, WV_HERE) {
    return wv::fft(plan, CUFFT_Z2D, in, out, CUFFT_INVERSE, place);
}
#undef WV_HERE
