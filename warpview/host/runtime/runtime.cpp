// The host part's side of the channel: sends what the program asks of the CUDA runtime, and carries out what warpview
// orders: copies between the program's memory and device memory, output of kernels, callbacks.
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "cuda_runtime_api.h"
#include "platform.h"

namespace wv {
namespace {

std::recursive_mutex &mutex() {
    static std::recursive_mutex *one = new std::recursive_mutex;  // outlives static objects that still free memory
    return *one;
}

struct Program {
    Connection connection;
    char *arena;

    Program() : connection(connect_to_warpview()), arena(map_arena()) {
        setvbuf(stdout, nullptr, _IOLBF, 1 << 16);
        limit_memory();
        report_crashes();
    }
};

Program &program() {
    static Program *one = new Program;
    return *one;
}

const bool started = (program(), true);  // before main, so that a crash anywhere is reported

void copy_rows(char *to, std::uint64_t to_pitch, const char *from, std::uint64_t from_pitch, std::uint64_t width,
               std::uint64_t height) {
    if (to_pitch == width && from_pitch == width) width *= height, height = 1;
    for (std::uint64_t row = 0; row < height; ++row) std::memmove(to + row * to_pitch, from + row * from_pitch, width);
}

char *host(std::uint64_t address) { return reinterpret_cast<char *>(static_cast<std::uintptr_t>(address)); }

void call_back(const std::vector<std::uint64_t> &v) {  // function, data, stream, whether it is a stream callback
    if (v[3])
        reinterpret_cast<cudaStreamCallback_t>(host(v[0]))(reinterpret_cast<cudaStream_t>(host(v[2])), cudaSuccess,
                                                           host(v[1]));
    else
        reinterpret_cast<cudaHostFn_t>(host(v[0]))(host(v[1]));
}

// values: to, pitch, from, pitch, width, height; addresses of device memory are offsets in the arena.
void execute(std::uint32_t order, const std::vector<std::uint64_t> &v, const std::string &bytes) {
    char *arena = program().arena;
    switch (order) {
    case TO_DEVICE: copy_rows(arena + v[0], v[1], host(v[2]), v[3], v[4], v[5]); break;
    case FROM_DEVICE: copy_rows(host(v[0]), v[1], arena + v[2], v[3], v[4], v[5]); break;
    case ON_HOST: copy_rows(host(v[0]), v[1], host(v[2]), v[3], v[4], v[5]); break;
    case PRINT: std::fwrite(bytes.data(), 1, bytes.size(), stdout); std::fflush(stdout); break;
    case CALL: call_back(v); break;
    case WRITE: std::memcpy(host(v[0]), bytes.data(), bytes.size()); break;
    case MAP: map_managed(v[0], v[1]); break;
    case UNMAP: unmap_managed(v[0], v[1]); break;
    case PROTECT: protect_managed(v[0], v[1], v[2]); break;
    }
}

void send_request(const std::string &names, std::initializer_list<std::uint64_t> values, const void *bytes,
                  std::size_t size, int line) {
    const Header header{static_cast<std::uint32_t>(names.size()), static_cast<std::uint32_t>(values.size()),
                        static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(line)};
    std::string message(reinterpret_cast<const char *>(&header), sizeof header);
    message += names;
    message.append(reinterpret_cast<const char *>(values.begin()), values.size() * sizeof(std::uint64_t));
    if (size) message.append(static_cast<const char *>(bytes), size);
    program().connection.send(message.data(), message.size());
}

// Copies and callbacks: warpview goes on when they are done, as what comes next in the stream uses their results.
bool is_awaited(std::uint32_t order) {
    return order == TO_DEVICE || order == FROM_DEVICE || order == ON_HOST || order == CALL;
}

}  // namespace

Answer ask(const char *what, Here place, std::initializer_list<std::uint64_t> values, const void *bytes,
           std::size_t size) {
    std::lock_guard<std::recursive_mutex> lock(mutex());
    Connection &connection = program().connection;
    const std::string file = place.file ? place.file : "";
    send_request(std::string(what) + '\0' + file + '\0' + std::to_string(place.column) + '\0', values, bytes, size,
                 place.line);
    for (;;) {
        Header reply;
        connection.receive(&reply, sizeof reply);
        std::vector<std::uint64_t> numbers(reply.values);
        std::string text(reply.bytes, '\0');
        if (reply.values) connection.receive(numbers.data(), reply.values * sizeof(std::uint64_t));
        if (reply.bytes) connection.receive(&text[0], reply.bytes);
        if (reply.order == DONE) return {static_cast<int>(reply.line), std::move(numbers), std::move(text)};
        execute(reply.order, numbers, text);
        if (is_awaited(reply.order)) send_request(std::string("executed\0\0", 10), {}, nullptr, 0, 0);
    }
}

char *visible(const void *device) { return program().arena + word(device); }

void device_only(const char *function, Here place) {
    ask("device_only", place, {}, function, std::strlen(function));
    std::abort();
}

// ------------------------------------------------------------------------------------------------ kernels
namespace {
thread_local bool asking = false;
thread_local const Kernel *asked = nullptr;
struct Configuration {
    dim3 grid, block;
    std::size_t shared;
    cudaStream_t stream;
    Here place;
};
thread_local Configuration configuration;
}  // namespace

Kernel::Kernel(const char *name, const char *unit, const char *signature,
               std::initializer_list<std::string> template_arguments, std::initializer_list<std::size_t> sizes)
    : sizes_(sizes) {
    std::string text = std::string(unit) + '\0' + name + '\0' + signature;
    for (const std::string &argument : template_arguments) text += '\0' + argument;
    id = ask("kernel", {unit, 0}, {}, text.data(), text.size()).values.at(0);
}

bool Kernel::is_asked() const {
    if (asking) asked = this;
    return asking;
}

const Kernel *kernel_of(const void *function) {
    if (!function || !in_program(function)) return nullptr;
    asking = true, asked = nullptr;
    reinterpret_cast<void (*)()>(const_cast<void *>(function))();
    asking = false;
    return asked;
}

bool configure(dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream, Here place) {
    configuration = {grid, block, shared, stream, place};
    return false;
}

void Kernel::launch(std::initializer_list<const void *> arguments) const {
    const Configuration c = configuration;
    launch(c.grid, c.block, const_cast<void *const *>(arguments.begin()), c.shared, c.stream, false, c.place);
}

cudaError_t Kernel::launch(dim3 grid, dim3 block, void *const *arguments, std::size_t shared, cudaStream_t stream,
                           bool cooperative, Here place, dim3 cluster) const {
    std::string bytes;  // the size of each argument and its bytes
    for (std::size_t k = 0; k < sizes_.size(); ++k) {
        const std::uint64_t size = sizes_[k];
        bytes.append(reinterpret_cast<const char *>(&size), sizeof size);
        bytes.append(static_cast<const char *>(arguments[k]), size);
    }
    return call("launch", place,
                {id, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, word(stream), cooperative, cluster.x, cluster.y,
                 cluster.z},
                bytes.data(), bytes.size());
}

// ------------------------------------------------------------------------------------------------ the rest
Symbol::Symbol(const char *name, const void *shadow, std::size_t size, SymbolKind kind, const char *unit, Here place) {
    const std::string text = std::string(unit) + '\0' + name;
    ask("symbol", place, {word(shadow), size, kind}, text.data(), text.size());
}

cudaError_t set_symbol(const void *symbol, const void *other, std::size_t size, std::size_t offset, cudaMemcpyKind kind,
                       cudaStream_t stream, bool async, bool to_symbol, Here place) {
    return call("memcpy_symbol", place,
                {word(symbol), word(other), size, offset, kind, async, word(stream), to_symbol});
}

void *managed(std::size_t size, Here place) {
    void *pointer = nullptr;
    if (call_for("malloc_managed", place, {size}, &pointer)) std::abort();
    return pointer;
}

const char *error_name(int error) {
    switch (error) {
#define WV_ERROR(name, code, text) case code: return #name;
#include "warpview/error_codes.def"
#undef WV_ERROR
    }
    return "unrecognized error code";
}

const char *error_text(int error) {
    switch (error) {
#define WV_ERROR(name, code, text) case code: return text;
#include "warpview/error_codes.def"
#undef WV_ERROR
    }
    return "unrecognized error code";
}

cudaDeviceProp properties(Here place) {
    static const cudaDeviceProp known = [&] {
        Answer answer = ask("properties", place);
        cudaDeviceProp p;
        std::snprintf(p.name, sizeof p.name, "%s", answer.bytes.c_str());
        std::size_t k = 0;
#define WV_PROPERTY(type, name) p.name = static_cast<type>(answer.values.at(k++));
#define WV_PROPERTIES(type, name, count) \
    for (type &value : p.name) value = static_cast<type>(answer.values.at(k++));
#include "warpview/device_properties.def"
#undef WV_PROPERTY
#undef WV_PROPERTIES
        return p;
    }();
    return known;
}

}  // namespace wv
