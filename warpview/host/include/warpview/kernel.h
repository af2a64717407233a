// What the source's kernels, launches and device variables become on the host.
#pragma once

#include "warpview/channel.h"
#include "vector_types.h"
#include "driver_types.h"
#include <cstring>
#include <type_traits>

namespace wv {

// What T is in a function as the compiler describes it: "... [with T = float; ...]" (GCC), "... [T = float]" (Clang).
inline std::string name_in(const std::string &text) {
    std::size_t start = text.find("T = ") + 4;
    std::size_t end = text.find(';', start);
    return text.substr(start, (end == std::string::npos ? text.size() - 1 : end) - start);
}

// The name of a type as the compiler writes it.
template <class T> std::string type_name() { return name_in(__PRETTY_FUNCTION__); }

template <class T> std::string value_text(T value) {
    if constexpr (std::is_same_v<T, bool>)
        return value ? "true" : "false";
    else if constexpr (std::is_enum_v<T>)
        return "(" + type_name<T>() + ")" + std::to_string(static_cast<long long>(value));
    else if constexpr (std::is_integral_v<T>)
        return std::to_string(value);
    else
        return "?";
}

// The address of a variable, which may be volatile.
template <class T> const void *address_of(const T &variable) {
    return const_cast<const void *>(static_cast<const volatile void *>(&variable));
}

// The bytes of an argument; none of an empty class, which has nothing to say. A reference is handed over as an address.
template <class T> constexpr std::size_t size_of() {
    return std::is_reference_v<T> ? sizeof(void *) : std::is_empty_v<T> ? 0 : sizeof(std::remove_reference_t<T>);
}

// Where the bytes of an argument are.
template <class T> struct Argument {
    const T &value;
    operator const void *() const { return address_of(value); }
};
template <class T> struct Argument<T &> {
    T &object;
    const void *address = address_of(object);
    operator const void *() const { return &address; }
};

// A kernel: one instantiation where it is a template.
class Kernel {
  public:
    // `signature` are the parameters of a kernel that is overloaded, as written.
    Kernel(const char *name, const char *unit, const char *signature,
           std::initializer_list<std::string> template_arguments, std::initializer_list<std::size_t> sizes);
    // Whether the stub is called only to learn which kernel it stands for (see kernel_of).
    bool is_asked() const;
    void launch(std::initializer_list<const void *> arguments) const;
    cudaError_t launch(dim3 grid, dim3 block, void *const *arguments, std::size_t shared, cudaStream_t stream,
                       bool cooperative, Here place, dim3 cluster = dim3(0, 0, 0)) const;
    std::uint64_t id;

  private:
    std::vector<std::size_t> sizes_;
};

// The kernel whose stub `function` is; null where it is no kernel of this program.
const Kernel *kernel_of(const void *function);

// Keeps the configuration for the launch that follows it in the same expression.
bool configure(dim3 grid, dim3 block, std::size_t shared = 0, cudaStream_t stream = nullptr, Here place = here());

enum SymbolKind { DEVICE = 0, CONSTANT = 1, MANAGED = 2 };

// Makes a device or constant variable known; `variable` on the host is its shadow, which holds the initial value.
class Symbol {
  public:
    template <class T>
    Symbol(const char *name, const T &variable, SymbolKind kind, const char *unit, Here place = here())
        : Symbol(name, address_of(variable), sizeof(T), kind, unit, place) {}

  private:
    Symbol(const char *name, const void *shadow, std::size_t size, SymbolKind kind, const char *unit, Here place);
};

// Empties the shadow of a variable whose initial value the device has: host code that reads it finds zeros, as with
// nvcc, unless it is const.
template <class T> bool forget(T &shadow) {
    using Element = std::remove_all_extents_t<T>;
    if constexpr (!std::is_const<Element>::value && std::is_trivially_default_constructible<Element>::value)
        std::memset(const_cast<void *>(address_of(shadow)), 0, sizeof(T));
    return true;
}

void *managed(std::size_t size, Here place);

// The storage of a managed variable, with its initial value.
template <class T> T &managed_copy(const T &initial, Here place = here()) {
    return *static_cast<T *>(std::memcpy(managed(sizeof(T), place), address_of(initial), sizeof(T)));
}

}  // namespace wv
