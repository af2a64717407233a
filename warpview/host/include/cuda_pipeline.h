// Asynchronous copies in kernels, whose bodies the host does not compile.
#pragma once
