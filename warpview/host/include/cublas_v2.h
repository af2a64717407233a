// cuBLAS, as far as programs compare their own kernels with it: vectors, matrices by vectors, products. Each function
// asks warpview, which carries it out.
#pragma once

#include "cuda_runtime.h"
#include "library_types.h"

enum cublasStatus_t {
    CUBLAS_STATUS_SUCCESS = 0, CUBLAS_STATUS_NOT_INITIALIZED = 1, CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7, CUBLAS_STATUS_ARCH_MISMATCH = 8, CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13, CUBLAS_STATUS_INTERNAL_ERROR = 14, CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
};
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C };
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER, CUBLAS_FILL_MODE_FULL };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE };
enum cublasMath_t {
    CUBLAS_DEFAULT_MATH = 0, CUBLAS_TENSOR_OP_MATH = 1, CUBLAS_PEDANTIC_MATH = 2, CUBLAS_TF32_TENSOR_OP_MATH = 3
};
enum cublasGemmAlgo_t { CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DFALT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99 };
enum cublasComputeType_t {
    CUBLAS_COMPUTE_16F = 64, CUBLAS_COMPUTE_32F = 68, CUBLAS_COMPUTE_32F_FAST_16F = 74, CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
    CUBLAS_COMPUTE_64F = 70
};

struct cublasContext {
    cudaStream_t stream = nullptr;
    cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
    cublasMath_t math = CUBLAS_DEFAULT_MATH;
};
typedef cublasContext *cublasHandle_t;

inline const char *cublasGetStatusName(cublasStatus_t status) {
    switch (status) {
        case CUBLAS_STATUS_SUCCESS: return "CUBLAS_STATUS_SUCCESS";
        case CUBLAS_STATUS_NOT_INITIALIZED: return "CUBLAS_STATUS_NOT_INITIALIZED";
        case CUBLAS_STATUS_ALLOC_FAILED: return "CUBLAS_STATUS_ALLOC_FAILED";
        case CUBLAS_STATUS_INVALID_VALUE: return "CUBLAS_STATUS_INVALID_VALUE";
        case CUBLAS_STATUS_ARCH_MISMATCH: return "CUBLAS_STATUS_ARCH_MISMATCH";
        case CUBLAS_STATUS_MAPPING_ERROR: return "CUBLAS_STATUS_MAPPING_ERROR";
        case CUBLAS_STATUS_EXECUTION_FAILED: return "CUBLAS_STATUS_EXECUTION_FAILED";
        case CUBLAS_STATUS_INTERNAL_ERROR: return "CUBLAS_STATUS_INTERNAL_ERROR";
        case CUBLAS_STATUS_NOT_SUPPORTED: return "CUBLAS_STATUS_NOT_SUPPORTED";
        case CUBLAS_STATUS_LICENSE_ERROR: return "CUBLAS_STATUS_LICENSE_ERROR";
    }
    return "unknown status";
}
inline const char *cublasGetStatusString(cublasStatus_t status) { return cublasGetStatusName(status); }

// ------------------------------------------------------------------------------------------------ handles
inline cublasStatus_t cublasCreate(cublasHandle_t *handle) { return *handle = new cublasContext, CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasDestroy(cublasHandle_t handle) { return delete handle, CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
    return handle->stream = stream, CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream) {
    return *stream = handle->stream, CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
    return handle->pointer_mode = mode, CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode) {
    return *mode = handle->pointer_mode, CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t math) {
    return handle->math = math, CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasGetVersion(cublasHandle_t, int *version) { return *version = 130000, CUBLAS_STATUS_SUCCESS; }

// ------------------------------------------------------------------------------------------------ operations
#define WV_HERE wv::Here place = wv::here()
namespace wv {
inline std::uint64_t bits_of(double value) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}
// A factor: its value where the pointer is one of the host, else the address.
template <class T> std::uint64_t factor(cublasHandle_t handle, const T *pointer) {
    return !handle || handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE ? word(pointer) : bits_of(*pointer);
}
// Asks for an operation by its name; the values are the type of the elements, the mode of factors, and its arguments.
inline Answer blas(cublasHandle_t handle, const char *name, Here place, cudaDataType type,
                   std::initializer_list<std::uint64_t> arguments) {
    if (!handle) return Answer{0, {CUBLAS_STATUS_NOT_INITIALIZED}, {}};
    std::string data(name);
    data.push_back('\0');
    data.append(reinterpret_cast<const char *>(arguments.begin()), 8 * arguments.size());
    return ask("blas", place, {word(handle->stream), word(type), word(handle->pointer_mode)}, data.data(), data.size());
}
// An operation that becomes a node of a graph has no answer yet; after an error of the device there is none at all.
inline cublasStatus_t blas_status(const Answer &answer) {
    if (answer.error) return CUBLAS_STATUS_EXECUTION_FAILED;
    return answer.values.empty() ? CUBLAS_STATUS_SUCCESS : static_cast<cublasStatus_t>(answer.values[0]);
}
// Stores the result of an operation where it goes to the host.
template <class T> cublasStatus_t blas_result(cublasHandle_t handle, const Answer &answer, T *result) {
    if (blas_status(answer) == CUBLAS_STATUS_SUCCESS && handle->pointer_mode == CUBLAS_POINTER_MODE_HOST) {
        double value;
        std::memcpy(&value, &answer.values.at(1), sizeof value);
        *result = static_cast<T>(value);
    }
    return blas_status(answer);
}
}  // namespace wv

#define WV_BLAS(L, T, TYPE) \
    inline cublasStatus_t cublas##L##axpy(cublasHandle_t h, int n, const T *alpha, const T *x, int incx, T *y, int incy, \
                                          WV_HERE) { \
        return wv::blas_status(wv::blas(h, "cublas" #L "axpy", place, TYPE, \
            {wv::word(n), wv::factor(h, alpha), wv::word(x), wv::word(incx), wv::word(y), wv::word(incy)})); \
    } \
    inline cublasStatus_t cublas##L##scal(cublasHandle_t h, int n, const T *alpha, T *x, int incx, WV_HERE) { \
        return wv::blas_status(wv::blas(h, "cublas" #L "scal", place, TYPE, \
            {wv::word(n), wv::factor(h, alpha), wv::word(x), wv::word(incx)})); \
    } \
    inline cublasStatus_t cublas##L##copy(cublasHandle_t h, int n, const T *x, int incx, T *y, int incy, WV_HERE) { \
        return wv::blas_status(wv::blas(h, "cublas" #L "copy", place, TYPE, \
            {wv::word(n), wv::word(x), wv::word(incx), wv::word(y), wv::word(incy)})); \
    } \
    inline cublasStatus_t cublas##L##swap(cublasHandle_t h, int n, T *x, int incx, T *y, int incy, WV_HERE) { \
        return wv::blas_status(wv::blas(h, "cublas" #L "swap", place, TYPE, \
            {wv::word(n), wv::word(x), wv::word(incx), wv::word(y), wv::word(incy)})); \
    } \
    inline cublasStatus_t cublas##L##dot(cublasHandle_t h, int n, const T *x, int incx, const T *y, int incy, T *result, \
                                         WV_HERE) { \
        return wv::blas_result(h, wv::blas(h, "cublas" #L "dot", place, TYPE, \
            {wv::word(n), wv::word(x), wv::word(incx), wv::word(y), wv::word(incy), wv::word(result)}), result); \
    } \
    inline cublasStatus_t cublas##L##nrm2(cublasHandle_t h, int n, const T *x, int incx, T *result, WV_HERE) { \
        return wv::blas_result(h, wv::blas(h, "cublas" #L "nrm2", place, TYPE, \
            {wv::word(n), wv::word(x), wv::word(incx), wv::word(result)}), result); \
    } \
    inline cublasStatus_t cublas##L##asum(cublasHandle_t h, int n, const T *x, int incx, T *result, WV_HERE) { \
        return wv::blas_result(h, wv::blas(h, "cublas" #L "asum", place, TYPE, \
            {wv::word(n), wv::word(x), wv::word(incx), wv::word(result)}), result); \
    } \
    inline cublasStatus_t cublas##L##gemv(cublasHandle_t h, cublasOperation_t op, int m, int n, const T *alpha, const T *a, \
                                          int lda, const T *x, int incx, const T *beta, T *y, int incy, WV_HERE) { \
        return wv::blas_status(wv::blas(h, "cublas" #L "gemv", place, TYPE, \
            {wv::word(op), wv::word(m), wv::word(n), wv::factor(h, alpha), wv::word(a), wv::word(lda), wv::word(x), \
             wv::word(incx), wv::factor(h, beta), wv::word(y), wv::word(incy)})); \
    } \
    inline cublasStatus_t cublas##L##ger(cublasHandle_t h, int m, int n, const T *alpha, const T *x, int incx, const T *y, \
                                         int incy, T *a, int lda, WV_HERE) { \
        return wv::blas_status(wv::blas(h, "cublas" #L "ger", place, TYPE, \
            {wv::word(m), wv::word(n), wv::factor(h, alpha), wv::word(x), wv::word(incx), wv::word(y), wv::word(incy), \
             wv::word(a), wv::word(lda)})); \
    } \
    inline cublasStatus_t cublas##L##geam(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n, \
                                          const T *alpha, const T *a, int lda, const T *beta, const T *b, int ldb, T *c, \
                                          int ldc, WV_HERE) { \
        return wv::blas_status(wv::blas(h, "cublas" #L "geam", place, TYPE, \
            {wv::word(opa), wv::word(opb), wv::word(m), wv::word(n), wv::factor(h, alpha), wv::word(a), wv::word(lda), \
             wv::factor(h, beta), wv::word(b), wv::word(ldb), wv::word(c), wv::word(ldc)})); \
    } \
    WV_BLAS_PRODUCTS(L, T, TYPE)
#define WV_BLAS_PRODUCTS(L, T, TYPE) \
    inline cublasStatus_t cublas##L##gemmStridedBatched( \
        cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k, const T *alpha, const T *a, \
        int lda, long long stride_a, const T *b, int ldb, long long stride_b, const T *beta, T *c, int ldc, \
        long long stride_c, int count, WV_HERE) { \
        return wv::blas_status(wv::blas(h, "cublas" #L "gemmStridedBatched", place, TYPE, \
            {wv::word(opa), wv::word(opb), wv::word(m), wv::word(n), wv::word(k), wv::factor(h, alpha), wv::word(a), \
             wv::word(lda), wv::word(stride_a), wv::word(b), wv::word(ldb), wv::word(stride_b), wv::factor(h, beta), \
             wv::word(c), wv::word(ldc), wv::word(stride_c), wv::word(count)})); \
    } \
    inline cublasStatus_t cublas##L##gemm( \
        cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k, const T *alpha, const T *a, \
        int lda, const T *b, int ldb, const T *beta, T *c, int ldc, WV_HERE) { \
        return wv::blas_status(wv::blas(h, "cublas" #L "gemm", place, TYPE, \
            {wv::word(opa), wv::word(opb), wv::word(m), wv::word(n), wv::word(k), wv::factor(h, alpha), wv::word(a), \
             wv::word(lda), 0, wv::word(b), wv::word(ldb), 0, wv::factor(h, beta), wv::word(c), wv::word(ldc), 0, 1})); \
    }
WV_BLAS(S, float, CUDA_R_32F)
WV_BLAS(D, double, CUDA_R_64F)
#undef WV_BLAS
#undef WV_BLAS_PRODUCTS

#define WV_EXTREME(NAME, T, TYPE) \
    inline cublasStatus_t cublas##NAME(cublasHandle_t h, int n, const T *x, int incx, int *result, WV_HERE) { \
        return wv::blas_result(h, wv::blas(h, "cublas" #NAME, place, TYPE, \
            {wv::word(n), wv::word(x), wv::word(incx), wv::word(result)}), result); \
    }
WV_EXTREME(Isamax, float, CUDA_R_32F)
WV_EXTREME(Isamin, float, CUDA_R_32F)
WV_EXTREME(Idamax, double, CUDA_R_64F)
WV_EXTREME(Idamin, double, CUDA_R_64F)
#undef WV_EXTREME

// ------------------------------------------------------------------------------------------------ copies
inline cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void *from, int lda, void *to, int ldb, WV_HERE) {
    const std::size_t width = static_cast<std::size_t>(size) * rows, bytes = size;
    cudaError_t error = cudaMemcpy2D(to, bytes * ldb, from, bytes * lda, width, columns, cudaMemcpyHostToDevice, place);
    return error ? CUBLAS_STATUS_MAPPING_ERROR : CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void *from, int lda, void *to, int ldb, WV_HERE) {
    const std::size_t width = static_cast<std::size_t>(size) * rows, bytes = size;
    cudaError_t error = cudaMemcpy2D(to, bytes * ldb, from, bytes * lda, width, columns, cudaMemcpyDeviceToHost, place);
    return error ? CUBLAS_STATUS_MAPPING_ERROR : CUBLAS_STATUS_SUCCESS;
}
// A vector is a matrix of one row whose leading dimension is the increment.
inline cublasStatus_t cublasSetVector(int n, int size, const void *from, int incx, void *to, int incy, WV_HERE) {
    return cublasSetMatrix(1, n, size, from, incx, to, incy, place);
}
inline cublasStatus_t cublasGetVector(int n, int size, const void *from, int incx, void *to, int incy, WV_HERE) {
    return cublasGetMatrix(1, n, size, from, incx, to, incy, place);
}
#undef WV_HERE

#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSetStream_v2 cublasSetStream
#define cublasSgemm_v2 cublasSgemm
#define cublasDgemm_v2 cublasDgemm
#define cublasSgemv_v2 cublasSgemv
#define cublasDgemv_v2 cublasDgemv
