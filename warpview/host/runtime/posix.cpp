// The operating system's part on Linux and macOS.
#ifndef _WIN32
#include <dlfcn.h>
#include <execinfo.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <ucontext.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "platform.h"

namespace wv {
namespace {

int channel = -1, arena_file = -1;
std::uintptr_t program_base = 0;

std::uint64_t setting(const char *name) {
    const char *text = std::getenv(name);
    if (!text) {
        std::fprintf(stderr, "this program was built to run under warpview: warpview run FILE.cu\n");
        std::_Exit(2);
    }
    return std::strtoull(text, nullptr, 10);
}

// The instruction that was interrupted.
const void *interrupted(const void *context) {
#if defined(__linux__) && defined(__x86_64__)
    return reinterpret_cast<const void *>(static_cast<const ucontext_t *>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__linux__) && defined(__aarch64__)
    return reinterpret_cast<const void *>(static_cast<const ucontext_t *>(context)->uc_mcontext.pc);
#elif defined(__APPLE__) && defined(__x86_64__)
    return reinterpret_cast<const void *>(static_cast<const ucontext_t *>(context)->uc_mcontext->__ss.__rip);
#elif defined(__APPLE__)
    return reinterpret_cast<const void *>(static_cast<const ucontext_t *>(context)->uc_mcontext->__ss.__pc);
#else
    return nullptr;
#endif
}

// Tells warpview where the program stopped: addresses behind the calls that led there, the last one first. Managed memory that is locked only for a kernel's sake is unlocked by order.
void on_signal(int number, siginfo_t *info, void *context) {
    void *frames[24];
    const int depth = backtrace(frames, 24);
    std::uint64_t values[3 + 24] = {static_cast<std::uint64_t>(number),
                                    static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(info->si_addr))};
    std::uint32_t n = 2;
    const void *at = interrupted(context);
    if (in_program(at)) values[n++] = reinterpret_cast<std::uintptr_t>(at) + 1 - program_base;
    for (int k = 1; k < depth; ++k)
        if (frames[k] != at && in_program(frames[k]))
            values[n++] = reinterpret_cast<std::uintptr_t>(frames[k]) - program_base;
    const char names[] = "crash\0";  // as ask() sends it: what, and a file, which is not known
    const Header report{sizeof names, n, 0, 0};
    Connection connection(channel);
    connection.send(&report, sizeof report);
    connection.send(names, sizeof names);
    connection.send(values, n * sizeof(std::uint64_t));
    for (;;) {  // orders that were under way when the program stopped come first, and are passed over
        Header header;
        std::uint64_t v[3] = {};
        connection.receive(&header, sizeof header);
        for (std::uint32_t k = 0; k < header.values; ++k) connection.receive(&v[k < 3 ? k : 2], sizeof v[0]);
        char rest;
        for (std::uint32_t k = 0; k < header.bytes; ++k) connection.receive(&rest, 1);
        if (header.order == PROTECT) protect_managed(v[0], v[1], v[2]);
        if (header.order == RESUME) return;
        if (header.order == DIE) break;
    }
    std::signal(number, SIG_DFL);
    std::raise(number);
}

}  // namespace

void Connection::send(const void *bytes, std::size_t size) {
    const char *next = static_cast<const char *>(bytes);
    while (size) {
        const ssize_t sent = write(static_cast<int>(socket_), next, size);
        if (sent <= 0) std::_Exit(2);
        next += sent, size -= static_cast<std::size_t>(sent);
    }
}

void Connection::receive(void *bytes, std::size_t size) {
    char *next = static_cast<char *>(bytes);
    while (size) {
        const ssize_t got = read(static_cast<int>(socket_), next, size);
        if (got <= 0) std::_Exit(2);
        next += got, size -= static_cast<std::size_t>(got);
    }
}

Connection connect_to_warpview() {
    channel = static_cast<int>(setting("WARPVIEW_CHANNEL"));
    return Connection(channel);
}

char *map_arena() {
    arena_file = static_cast<int>(setting("WARPVIEW_ARENA"));
    const std::uint64_t size = setting("WARPVIEW_ARENA_BYTES");
    void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, arena_file, 0);
    if (memory == MAP_FAILED) {
        std::perror("warpview: device memory cannot be mapped");
        std::_Exit(2);
    }
    return static_cast<char *>(memory);
}

void limit_memory() {
    const std::uint64_t bytes = setting("WARPVIEW_MEMORY_LIMIT");
    if (!bytes) return;
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_DATA, &limit);
}

void report_crashes() {
    Dl_info info;
    if (dladdr(reinterpret_cast<void *>(&report_crashes), &info))
        program_base = reinterpret_cast<std::uintptr_t>(info.dli_fbase);
    void *once[2];
    backtrace(once, 2);  // loads what it needs now, not in a signal handler
    stack_t stack = {};
    stack.ss_size = 1 << 17;
    stack.ss_sp = std::malloc(stack.ss_size);
    sigaltstack(&stack, nullptr);
    struct sigaction action = {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(number, &action, nullptr);
}

bool in_program(const void *address) {
    Dl_info info;
    return dladdr(address, &info) && reinterpret_cast<std::uintptr_t>(info.dli_fbase) == program_base;
}

void map_managed(std::uint64_t address, std::uint64_t size) {
    void *wanted = reinterpret_cast<void *>(static_cast<std::uintptr_t>(address));
    void *memory = mmap(wanted, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, arena_file,
                        static_cast<off_t>(address));
    if (memory != wanted) {
        std::perror("warpview: managed memory cannot be mapped");
        std::_Exit(2);
    }
}

void unmap_managed(std::uint64_t address, std::uint64_t size) {
    munmap(reinterpret_cast<void *>(static_cast<std::uintptr_t>(address)), size);
}

void protect_managed(std::uint64_t address, std::uint64_t size, std::uint64_t mode) {
    const int allowed[] = {PROT_READ | PROT_WRITE, PROT_NONE, PROT_READ};
    mprotect(reinterpret_cast<void *>(static_cast<std::uintptr_t>(address)), size, allowed[mode]);
}

}  // namespace wv
#endif
