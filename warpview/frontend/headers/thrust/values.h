// Pairs, tuples and function objects by Thrust's names, for kernels: those of C++.
#pragma once
#ifdef __CUDACC_RTC__
#include <cuda/std/functional>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <cuda/functional>
namespace thrust {
using namespace ::cuda::std;
#else
#include <cuda/functional>
#include <functional>
#include <tuple>
#include <utility>
namespace thrust {
using namespace ::std;
#endif
using ::cuda::maximum;
using ::cuda::minimum;
}  // namespace thrust
