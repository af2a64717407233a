// Version 3 has the same functions.
#pragma once
#include "../nvToolsExt.h"
