// The namespace of libcu++ on the host: what it has of C++'s library is the compiler's own.
#pragma once

namespace cuda {
namespace std {
using namespace ::std;
}
}  // namespace cuda
