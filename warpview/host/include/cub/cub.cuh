// Block and warp algorithms of CUB are for kernels: the host needs none of them.
#pragma once
#include "cuda_runtime.h"
