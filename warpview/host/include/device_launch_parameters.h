// The built-in variables of device code: declared so that device code in shared functions compiles; never defined.
#pragma once
#include "vector_types.h"
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
extern const int warpSize;
