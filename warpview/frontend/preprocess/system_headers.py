"""List the headers of C, C++ and CUDA, whose names the compiler knows itself or that concern the host alone."""

from __future__ import annotations

_C = """assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg
stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string strings tgmath threads time uchar wchar wctype malloc
memory unistd getopt pthread omp mpi windows direct io process conio fcntl dirent dlfcn"""

_CXX = """algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat charconv chrono
cinttypes climits clocale cmath codecvt compare complex concepts condition_variable coroutine csetjmp csignal cstdarg
cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype deque exception execution expected filesystem format
forward_list fstream functional future initializer_list iomanip ios iosfwd iostream istream iterator latch limits
list locale map memory memory_resource mutex new numbers numeric optional ostream queue random ranges ratio regex
scoped_allocator semaphore set shared_mutex source_location span spanstream sstream stack stacktrace stdexcept
stop_token streambuf string string_view strstream syncstream system_error thread tuple type_traits typeindex typeinfo
unordered_map unordered_set utility valarray variant vector version"""

# Beginnings of the names of CUDA's own headers, of its libraries, of its samples' helpers, of the system's folders.
_PREFIXES = (
    "cuda", "cu", "cooperative_groups", "device_", "math_", "math_constants", "sm_", "vector_", "vector_types",
    "host_", "driver_", "builtin_types", "channel_descriptor", "common_functions", "texture_", "surface_",
    "library_types", "helper_", "exception.h", "nv/", "nvToolsExt", "nvtx3/", "nvrtc", "nvml", "npp", "thrust/", "cub/",
    "crt/",
    "mma.h", "sys/", "bits/", "arpa/", "netinet/",
)  # fmt: skip
# Those of libraries that a machine may lack.
_LIBRARIES = ("GL/", "GLFW/", "mpi", "boost/", "gtest/", "benchmark/")

_KNOWN = frozenset(_CXX.split()) | {f"{name}.h" for name in _C.split()}


# Namespaces of what those headers declare, whose names are known here without one or not at all.
NAMESPACES = frozenset((
    "std", "cuda", "cooperative_groups", "nvcuda", "nvstd", "cub", "thrust", "boost", "testing", "benchmark", "nvtx3",
    "nv", "cute", "cutlass",
))  # fmt: skip


def is_system_header(name: str) -> bool:
    """Return whether ``name``, as written in an #include, is a header of C, C++, the system or CUDA."""
    return comes_with_the_compiler(name) or name.startswith(_LIBRARIES)


def comes_with_the_compiler(name: str) -> bool:
    """Return whether ``__has_include(<name>)`` holds with nvcc."""
    return name in _KNOWN or name.startswith(_PREFIXES)
