// See ../detail.h.
#pragma once
#include "thrust/detail.h"
