// thrust::complex on the host: the type that kernels have, printed as the standard library prints numbers.
#pragma once

#include <cmath>
#include <ostream>
#include "cuda_runtime.h"
#include_next <thrust/complex.h>  // that of kernels

namespace thrust {
template <class T> std::ostream &operator<<(std::ostream &out, const complex<T> &z) {
    return out << '(' << z.real() << ',' << z.imag() << ')';
}
}  // namespace thrust
