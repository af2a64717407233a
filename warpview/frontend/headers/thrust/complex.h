// thrust::complex, for kernels and for the host.
#pragma once

namespace thrust {

template <class T> struct complex {
    typedef T value_type;

    __host__ __device__ complex(const T &real = T(), const T &imaginary = T()) : re(real), im(imaginary) {}
    template <class U> __host__ __device__ complex(const complex<U> &z) : re((T)z.real()), im((T)z.imag()) {}

    __host__ __device__ T real() const { return re; }
    __host__ __device__ T imag() const { return im; }
    __host__ __device__ void real(T value) { re = value; }
    __host__ __device__ void imag(T value) { im = value; }

    __host__ __device__ complex &operator=(const T &value) { return re = value, im = T(), *this; }
    __host__ __device__ complex &operator+=(const complex &z) { return re += z.re, im += z.im, *this; }
    __host__ __device__ complex &operator-=(const complex &z) { return re -= z.re, im -= z.im, *this; }
    __host__ __device__ complex &operator*=(const complex &z) {
        const T imaginary = re * z.im + im * z.re;
        re = re * z.re - im * z.im;
        im = imaginary;
        return *this;
    }
    __host__ __device__ complex &operator/=(const complex &z) {
        // Both are scaled first, so that squares neither overflow nor vanish.
        const T scale = T(1) / ((z.re < T() ? -z.re : z.re) + (z.im < T() ? -z.im : z.im));
        const T a = re * scale, b = im * scale, c = z.re * scale, d = z.im * scale, by = T(1) / (c * c + d * d);
        re = (a * c + b * d) * by;
        im = (b * c - a * d) * by;
        return *this;
    }
    __host__ __device__ complex &operator+=(const T &value) { return re += value, *this; }
    __host__ __device__ complex &operator-=(const T &value) { return re -= value, *this; }
    __host__ __device__ complex &operator*=(const T &value) { return re *= value, im *= value, *this; }
    __host__ __device__ complex &operator/=(const T &value) { return re /= value, im /= value, *this; }

  private:
    T re, im;
};

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
template <class T> __host__ __device__ T norm(const complex<T> &z) { return z.real() * z.real() + z.imag() * z.imag(); }
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

}  // namespace thrust
