// CUB's algorithms of a block and of a warp, for kernels as they are written; NVIDIA's compiler has its own headers.
#pragma once
#include "block_histogram.h"
#include "block_neighbours.h"
#include "block_reduce.h"
#include "merge_sort.h"
