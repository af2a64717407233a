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

template <class T> __host__ __device__ T norm(const complex<T> &z) { return z.real() * z.real() + z.imag() * z.imag(); }
#include <thrust/complex_functions.h>

}  // namespace thrust
