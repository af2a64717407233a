// The operators and functions of complex numbers that have a struct 'complex' and its norm, in the namespace around this
// text: it is read in each that has such a struct.
#define WARPVIEW_COMPLEX(OP) \
    template <class T> __host__ __device__ complex<T> operator OP(const complex<T> &a, const complex<T> &b) { \
        complex<T> result = a; \
        return result OP##= b; \
    } \
    template <class T> __host__ __device__ complex<T> operator OP(const complex<T> &a, const T &b) { \
        complex<T> result = a; \
        return result OP##= b; \
    } \
    template <class T> __host__ __device__ complex<T> operator OP(const T &a, const complex<T> &b) { \
        complex<T> result(a); \
        return result OP##= b; \
    }
WARPVIEW_COMPLEX(+)
WARPVIEW_COMPLEX(-)
WARPVIEW_COMPLEX(*)
WARPVIEW_COMPLEX(/)
#undef WARPVIEW_COMPLEX

template <class T> __host__ __device__ complex<T> operator+(const complex<T> &z) { return z; }
template <class T> __host__ __device__ complex<T> operator-(const complex<T> &z) { return complex<T>(-z.real(), -z.imag()); }
template <class T> __host__ __device__ bool operator==(const complex<T> &a, const complex<T> &b) {
    return a.real() == b.real() && a.imag() == b.imag();
}
template <class T> __host__ __device__ bool operator!=(const complex<T> &a, const complex<T> &b) { return !(a == b); }
template <class T> __host__ __device__ bool operator==(const complex<T> &a, const T &b) { return a == complex<T>(b); }
template <class T> __host__ __device__ bool operator!=(const complex<T> &a, const T &b) { return !(a == b); }

template <class T> __host__ __device__ T abs(const complex<T> &z) { return hypot(z.real(), z.imag()); }
template <class T> __host__ __device__ T arg(const complex<T> &z) { return atan2(z.imag(), z.real()); }
template <class T> __host__ __device__ complex<T> conj(const complex<T> &z) { return complex<T>(z.real(), -z.imag()); }
template <class T> __host__ __device__ complex<T> polar(const T &size, const T &angle = T()) {
    return complex<T>(size * cos(angle), size * sin(angle));
}
template <class T> __host__ __device__ complex<T> exp(const complex<T> &z) { return polar(T(::exp(z.real())), z.imag()); }
template <class T> __host__ __device__ complex<T> log(const complex<T> &z) { return complex<T>(::log(abs(z)), arg(z)); }
template <class T> __host__ __device__ complex<T> sqrt(const complex<T> &z) {
    return polar(T(::sqrt(abs(z))), arg(z) / T(2));
}
template <class T> __host__ __device__ complex<T> pow(const complex<T> &z, const T &by) {
    return z == complex<T>() ? z : exp(complex<T>(by) * log(z));
}
template <class T> __host__ __device__ complex<T> pow(const complex<T> &z, const complex<T> &by) {
    return z == complex<T>() ? z : exp(by * log(z));
}
template <class T> __host__ __device__ complex<T> sin(const complex<T> &z) {
    return complex<T>(::sin(z.real()) * ::cosh(z.imag()), ::cos(z.real()) * ::sinh(z.imag()));
}
template <class T> __host__ __device__ complex<T> cos(const complex<T> &z) {
    return complex<T>(::cos(z.real()) * ::cosh(z.imag()), -::sin(z.real()) * ::sinh(z.imag()));
}
