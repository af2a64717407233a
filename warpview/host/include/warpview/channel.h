// How the host part of a program talks to warpview, which plays the device. Everything that the CUDA runtime knows is
// kept on the other side; here only memory that the program owns is read and written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace wv {

// A place in the user's source: as a default argument, that of the call.
struct Here {
    const char *file;
    int line;
};
constexpr Here here(const char *file = __builtin_FILE(), int line = __builtin_LINE()) { return {file, line}; }

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
