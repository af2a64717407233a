// Specialisations of struct templates that have base classes, as traits are written; those of the standard library.
#include <limits>
#include <type_traits>
struct Yes { static constexpr bool value = true; };
struct No { static constexpr bool value = false; };
template <typename A, typename B> struct Same : No {};
template <typename A> struct Same<A, A> : Yes {};
template <typename T> struct Simple : No {};
template <> struct Simple<float> : Yes {};
template <typename T> struct Simple<T *> final : Yes {};
template <typename T> __device__ float scaled(int x) {
    if constexpr (std::is_same<T, int>::value)
        return x;
    else
        return x * 0.5f;
}
__global__ void specialised_with_bases(float *out) {
    int x = threadIdx.x;
    out[x] = 10 * Same<int, int>::value + Same<int, float>::value;
    out[32 + x] = 100 * Simple<float>::value + 10 * Simple<int>::value + Simple<int *>::value;
    out[64 + x] = scaled<int>(x) + scaled<float>(x);
    out[96 + x] = std::numeric_limits<int>::max() % 7 + std::numeric_limits<unsigned char>::max()
                + (std::numeric_limits<float>::lowest() < -1e38f) + std::numeric_limits<short>::min();
}
