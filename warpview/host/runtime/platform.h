// What differs between operating systems: the connection, shared memory, limits, and how a crash is reported.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wv {

// Orders of warpview; the same numbers as in channel.py.
enum Order : std::uint32_t { DONE, TO_DEVICE, FROM_DEVICE, ON_HOST, PRINT, CALL, MAP, UNMAP, PROTECT, RESUME, DIE, WRITE };

// Begins every message. Of a request, `order` is the length of the names (what is asked, and the source file, each
// closed by a zero) and `line` the source line; of a reply, `line` is the error code. Values and bytes follow.
struct Header {
    std::uint32_t order, values, bytes, line;
};

class Connection {
  public:
    explicit Connection(std::intptr_t socket) : socket_(socket) {}
    // Both end the process where warpview is gone.
    void send(const void *bytes, std::size_t size);
    void receive(void *bytes, std::size_t size);

  private:
    std::intptr_t socket_;
};

Connection connect_to_warpview();
char *map_arena();
void limit_memory();
void report_crashes();

// Whether an address lies in the code of the program itself.
bool in_program(const void *address);

// Managed memory lies at the same addresses for the host as for the device.
void map_managed(std::uint64_t address, std::uint64_t size);
void unmap_managed(std::uint64_t address, std::uint64_t size);
// `mode`: 0 the host may use it, 1 it may not touch it, 2 it may only read it.
void protect_managed(std::uint64_t address, std::uint64_t size, std::uint64_t mode);

}  // namespace wv
