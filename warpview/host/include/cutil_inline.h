// What the code of CUDA 3 and 4 takes from the header of this name in NVIDIA's SDK.
#pragma once
#include "cutil.h"
