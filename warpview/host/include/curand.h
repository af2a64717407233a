// cuRAND's host interface, for its default generator.
#pragma once

#include "cuda_runtime.h"

enum curandStatus {
    CURAND_STATUS_SUCCESS = 0, CURAND_STATUS_VERSION_MISMATCH = 100, CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_ALLOCATION_FAILED = 102, CURAND_STATUS_TYPE_ERROR = 103, CURAND_STATUS_OUT_OF_RANGE = 104,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105, CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
    CURAND_STATUS_LAUNCH_FAILURE = 201, CURAND_STATUS_PREEXISTING_FAILURE = 202,
    CURAND_STATUS_INITIALIZATION_FAILED = 203, CURAND_STATUS_ARCH_MISMATCH = 204, CURAND_STATUS_INTERNAL_ERROR = 999
};
typedef curandStatus curandStatus_t;
enum curandRngType {
    CURAND_RNG_TEST = 0, CURAND_RNG_PSEUDO_DEFAULT = 100, CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121, CURAND_RNG_PSEUDO_MTGP32 = 141, CURAND_RNG_PSEUDO_MT19937 = 142,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161, CURAND_RNG_QUASI_DEFAULT = 200, CURAND_RNG_QUASI_SOBOL32 = 201
};
typedef curandRngType curandRngType_t;
typedef struct curandGenerator_st *curandGenerator_t;

namespace wv {
// The status in an answer, which has none after an error of the device.
inline curandStatus_t curand_status(const Answer &answer) {
    return answer.values.empty() ? CURAND_STATUS_LAUNCH_FAILURE : static_cast<curandStatus_t>(answer.values[0]);
}
inline curandStatus_t random(const char *what, Here place, std::initializer_list<std::uint64_t> values) {
    return curand_status(ask(what, place, values));
}
inline std::uint64_t bits(double value) {
    std::uint64_t word;
    std::memcpy(&word, &value, sizeof word);
    return word;
}
inline curandStatus_t create_generator(curandGenerator_t *generator, curandRngType_t type, bool on_host, Here place) {
    Answer answer = ask("curand_create", place, {type, on_host});
    if (answer.values.empty()) return CURAND_STATUS_LAUNCH_FAILURE;
    *generator = reinterpret_cast<curandGenerator_t>(static_cast<std::uintptr_t>(answer.values.at(1)));
    return curand_status(answer);
}
}  // namespace wv

#define WV_HERE wv::Here place = wv::here()
inline curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type, WV_HERE) {
    return wv::create_generator(generator, type, false, place);
}
inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type, WV_HERE) {
    return wv::create_generator(generator, type, true, place);
}
inline curandStatus_t curandDestroyGenerator(curandGenerator_t generator, WV_HERE) {
    return wv::random("curand_destroy", place, {wv::word(generator)});
}
inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed, WV_HERE) {
    return wv::random("curand_seed", place, {wv::word(generator), seed});
}
inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset, WV_HERE) {
    return wv::random("curand_offset", place, {wv::word(generator), offset});
}
inline curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream, WV_HERE) {
    return wv::random("curand_stream", place, {wv::word(generator), wv::word(stream)});
}
// The kinds of numbers: 0 integers, 1 uniform, 2 uniform doubles, 3 normal, 4 normal doubles, 5 and 6 log-normal.
#define WV_GENERATE(name, type, kind) \
    inline curandStatus_t name(curandGenerator_t generator, type *output, std::size_t n, WV_HERE) { \
        return wv::random("curand_generate", place, {wv::word(generator), wv::word(output), n, kind, 0, 0}); \
    }
#define WV_GENERATE_NORMAL(name, type, kind) \
    inline curandStatus_t name(curandGenerator_t generator, type *output, std::size_t n, type mean, type deviation, WV_HERE) { \
        return wv::random("curand_generate", place, \
                          {wv::word(generator), wv::word(output), n, kind, wv::bits(mean), wv::bits(deviation)}); \
    }
WV_GENERATE(curandGenerate, unsigned int, 0)
WV_GENERATE(curandGenerateUniform, float, 1)
WV_GENERATE(curandGenerateUniformDouble, double, 2)
WV_GENERATE_NORMAL(curandGenerateNormal, float, 3)
WV_GENERATE_NORMAL(curandGenerateNormalDouble, double, 4)
WV_GENERATE_NORMAL(curandGenerateLogNormal, float, 5)
WV_GENERATE_NORMAL(curandGenerateLogNormalDouble, double, 6)
#undef WV_GENERATE
#undef WV_GENERATE_NORMAL
#undef WV_HERE
