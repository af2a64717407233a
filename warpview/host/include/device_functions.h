// Everything that course code takes from this header is in cuda_runtime.h.
#pragma once
#include "cuda_runtime.h"
