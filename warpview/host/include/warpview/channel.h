// How the host part of a program talks to warpview, which plays the device. Everything that the CUDA runtime knows is
// kept on the other side; here only memory that the program owns is read and written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#ifdef __has_builtin
#if __has_builtin(__builtin_COLUMN)
#define WV_HAS_COLUMN 1
#elif __has_builtin(__builtin_source_location) && __cplusplus < 202002L
#define WV_HAS_LOCATION 1
// What GCC fills; its own <source_location> declares it from C++20 on.
namespace std {
struct source_location {
    struct __impl {
        const char *_M_file_name, *_M_function_name;
        unsigned _M_line, _M_column;
    };
};
}  // namespace std
#endif
#endif

namespace wv {

// A place in the user's source: as a default argument, that of the call. The column, in bytes from 1, is that of the
// call's parenthesis or of the macro that it comes from; 0 where the compiler does not tell.
struct Here {
    const char *file;
    int line;
    int column;
};
#if WV_HAS_COLUMN
constexpr int column(int found = __builtin_COLUMN()) { return found; }
#elif WV_HAS_LOCATION
constexpr int column(const void *found = __builtin_source_location()) {
    return static_cast<int>(static_cast<const std::source_location::__impl *>(found)->_M_column);
}
#else
constexpr int column() { return 0; }
#endif
constexpr Here here(const char *file = __builtin_FILE(), int line = __builtin_LINE(), int at = column()) {
    return {file, line, at};
}

struct Answer {
    int error = 0;
    std::vector<std::uint64_t> values;
    std::string bytes;
};

// Asks warpview for `what`, carries out what it orders meanwhile (copies, output, callbacks), and gives its answer.
Answer ask(const char *what, Here place, std::initializer_list<std::uint64_t> values = {}, const void *bytes = nullptr,
           std::size_t size = 0);

template <class T> std::uint64_t word(T *pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }
template <class T> std::uint64_t word(T value) { return static_cast<std::uint64_t>(value); }

// Device memory as the host part sees it, for what our headers do in the device's place.
char *visible(const void *device);

// Ends the program: device code was called on the host.
[[noreturn]] void device_only(const char *function, Here place = here());

}  // namespace wv
