// Half precision: 10 digits behind the point and exponents from -14 to 15.
#pragma once
#include "sixteen_bits.h"

__WV_NUMBERS(__half, __half2, half, f16)
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
