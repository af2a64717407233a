// Tensor cores: the namespaces that files name; fragments are of kernels, whose bodies the host does not compile.
#pragma once
#include "cuda_fp16.h"
#include "cuda_bf16.h"

namespace nvcuda {
namespace wmma {}
}
