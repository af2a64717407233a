// bfloat16: the upper half of a float, with 7 digits behind the point and its exponents.
#pragma once
#include "sixteen_bits.h"

__WV_NUMBERS(__nv_bfloat16, __nv_bfloat162, bfloat16, bf16)
#ifdef __CUDA_ARCH__
__WV_ATOMIC_SWAPS(__nv_bfloat16, __nv_bfloat162, bfloat16)
#endif
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
