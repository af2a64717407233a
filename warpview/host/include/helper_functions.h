// What course code takes from the header of this name in NVIDIA's samples.
#pragma once
#include "helper_cuda.h"
#include "helper_image.h"
#include "helper_string.h"
#include "helper_timer.h"
