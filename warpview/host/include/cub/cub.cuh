// CUB for host code: the algorithms of a device, carried out by the host as those of Thrust are, on device memory as the
// host sees it. Those of blocks and warps are for kernels.
#pragma once

#include "cuda_runtime.h"
#include "thrust/detail.h"
#include "thrust/binary_search.h"
#include <cuda/functional>
#include <cub/operators.h>
#include "cub/declarations.h"
#include "cub/device/storage.h"
#include "cub/device/reduce.h"
#include "cub/device/scan.h"
#include "cub/device/select.h"
#include "cub/device/sort.h"
#include "cub/device/histogram.h"
