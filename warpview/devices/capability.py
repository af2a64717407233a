"""Represent the facts that all devices of a compute capability share.

Every field is read from a capability's file; its ``fact`` says from which key, and what values are possible. Sources
are named in the files. Cycles are those of the multiprocessor (shader) clock.
"""

from __future__ import annotations

from dataclasses import dataclass

from warpview.devices.schema import (
    Cache,
    by_unit,
    cache,
    choice,
    fact,
    flag,
    integer,
    integers,
    number,
    version,
)

_cycles = integer(0, 20_000)
_bytes = integer(0, 1 << 31)
_dimension = integer(1, (1 << 31) - 1)


@dataclass(frozen=True, kw_only=True)
class Capability:
    """All devices of one compute capability share these facts."""

    capability: tuple[int, int] = fact("", version)

    # How a warp is executed.
    divergence: str = fact("execution", choice("stack", "its"))
    """'stack': one reconvergence stack a warp (up to 6.x); 'its': independent thread scheduling (7.0 and later)"""
    schedulers: int = fact("execution", integer(1, 8))
    dispatch_per_scheduler: int = fact("execution", integer(1, 2))
    sass: int = fact("execution", integer(0, 999), default=0)
    """number of the architecture whose machine code can be run, 90 for sm_90; 0 where none was compared with one"""
    issue_port_cycles: int = fact("execution", integer(1, 64), default=1)
    """cycles that every warp instruction takes the port of its scheduler"""
    separate_fma: bool = fact("execution", flag, default=False)
    """floats and integer products have a pipe beside that of the other integer operations (7.0 and later)"""
    block_launch_cycles: float = fact("execution", number(0, 1000), default=0.0)
    """cycles from the start of one block to that of the next, anywhere on the device; 0 where it is no limit"""
    block_launch_groups: int = fact("execution", integer(1, 64), default=1)
    """groups of multiprocessors to which the blocks of a launch are given one group after the other when it starts"""
    block_start_cycles: int = fact("execution", _cycles, default=20)
    """cycles between the end of a block and the first instruction of the one that takes its place"""
    warp_start_cycles: int = fact("execution", _cycles, default=0)
    """cycles by which each warp of a block delays this"""
    cold_start_cycles: int = fact("execution", _cycles, default=0)
    """cycles until the first warp of a launch on a multiprocessor can issue machine code, which no cache holds then"""
    cold_line_cycles: int = fact("execution", _cycles, default=0)
    """cycles for each further 128 bytes of machine code that are needed for the first time"""
    cold_constant_cycles: int = fact("execution", _cycles, default=0)
    """cycles until the first constant is there that machine code names by its place: those are in no cache, either"""
    cold_constant_line_cycles: int = fact("execution", _cycles, default=0)
    """cycles for each further 64 bytes of such constants that are needed for the first time"""
    last_warp_first: bool = fact("execution", flag, default=False)
    """a scheduler prefers the last warp of a block, of the oldest block, else the first"""
    register_banks: int = fact("execution", integer(0, 2), default=0)
    """banks of registers of a scheduler, even and odd ones; each gives one a cycle; 0: as many as are needed"""
    reconvergence_cycles: int = fact("execution", _cycles, default=0)
    """cycles from the arrival of lanes at a convergence barrier of machine code until the warp goes on"""
    fence_cycles: int = fact("execution", _cycles, default=0)
    """cycles for which ``__threadfence()`` keeps its warp where nothing has been asked of the L2 since the last one"""
    fence_trips: tuple[int, ...] = fact("execution", integers(_cycles, 8), default=())
    """the same where it has, from when on its stores have left it, by eighths of the lines; empty: ``fence_cycles``"""
    system_fence_cycles: int = fact("execution", _cycles, default=0)
    """the same of a fence of the whole system"""
    cluster_barrier_cycles: int = fact("execution", _cycles, default=0)
    """cycles from the last arrival at the barrier of a cluster until its warps go on; 0: those of a block's barrier"""
    fence_interval_cycles: int = fact("execution", _cycles, default=0)
    """cycles of a multiprocessor for a fence of a warp, eight of which wait for nothing but their own; 0: none"""
    cluster_start_cycles: int = fact("execution", _cycles, default=0)
    """cycles by which a block of a cluster of more than two starts later: the others need room at the same time"""
    fence_distributed_cycles: int = fact("execution", _cycles, default=0)
    """cycles of a fence behind a store to another block's shared memory; 0: those of any"""
    distributed_later_cycles: int = fact("memory_latency", _cycles, default=0)
    """cycles by which a load of another block's shared memory has its value later than one of the own block's"""
    distributed_costs: tuple[int, ...] = fact("memory_latency", integers(integer(0, 100_000), 4), default=())
    """hundredths of cycles for which a multiprocessor moves a sector of such a load, a further wavefront of one, a
    sector of a store and one of an atomic"""
    path_change_cycles: int = fact("execution", _cycles, default=0)
    """cycles from the arrival of lanes at a convergence barrier, where they wait, until others of the warp go on"""
    unrolls_loops: bool = fact("execution", flag, default=False)
    """times of code as written are those of loops that the compiler has unrolled"""
    predicated_instructions: int = fact("execution", integer(0, 64), default=0)
    """instructions without loads that a branch of code as written may pass over to become predicates of these"""
    reduces_lanes: bool = fact("execution", flag, default=False)
    """an instruction reduces a value over the lanes of a warp (``__reduce_add_sync``)"""
    indirect_branch_cycles: int = fact("execution", _cycles, default=0)
    """cycles that a branch of machine code to a computed place takes beyond others"""
    wide_product_cycles: int = fact("execution", integer(0, 64), default=0)
    """cycles for which IMAD.WIDE and IMAD.HI keep their pipe and their warp busy; 0: as other products"""
    wide_product_slots: int = fact("execution", integer(1, 64), default=1)
    """issue slots of the scheduler that IMAD.WIDE takes"""
    held_loads: int = fact("execution", integer(0, 64), default=0)
    """one in so many loads of global memory keeps its scheduler from issuing for a cycle; 0: none"""
    mio_register_cycles: int = fact("execution", integer(0, 16), default=0)
    """cycles in which the queue of a scheduler reads each register of an access or a shuffle; 0: as its unit"""
    replays: bool = fact("execution", flag, default=False)
    """every further wavefront or pass of an access takes the issue port again"""
    issue_cycles: tuple[int, ...] = fact("issue_cycles", by_unit(1, 4096), "*")
    """indexed by isa.Unit: cycles that one warp instruction occupies its scheduler's share of the unit"""
    latency: tuple[int, ...] = fact("latency", by_unit(1, 4096), "*")
    """indexed by isa.Unit: cycles until a dependent instruction can issue (for LSU: address generation only)"""
    latency_shared: int = fact("memory_latency", _cycles, "shared")
    latency_special: int = fact("memory_latency", _cycles, "special_register", default=0)
    """cycles until a special register has been read; 0: as many as a special function takes"""
    latency_shared_atomic: int = fact("memory_latency", _cycles, "shared_atomic", default=0)
    """of an atomic on shared memory; 0: as that of other accesses"""
    shared_set_cycles: int = fact("memory_latency", integer(0, 256), default=0)
    """cycles after a test-and-set in shared memory in which one of another warp fails at the same word"""
    shared_swap_times: int = fact("memory_latency", integer(1, 16), default=1)
    """how many times as long as others a pass of a compare-and-swap takes in shared memory"""
    bulk_cycles: int = fact("memory_latency", _cycles, default=0)
    """cycles from the issue of a bulk load until its first bytes are there; 0: its barrier is told at once"""
    bulk_bytes: int = fact("memory_latency", integer(1, 1024), default=1024)
    """bytes of a bulk load that arrive in a cycle"""
    bulk_interval_cycles: int = fact("memory_latency", integer(1, 1024), default=1)
    """cycles from one bulk copy of a multiprocessor to the next, at least"""
    bulk_issue_cycles: int = fact("memory_latency", integer(0, 1024), default=0)
    """cycles from the issue of a bulk copy until its operands have been read, beyond those of other instructions"""
    latency_l1: int = fact("memory_latency", _cycles, "l1")
    """0 where there is no such cache"""
    latency_l2: int = fact("memory_latency", _cycles, "l2")
    latency_global: int = fact("memory_latency", _cycles, "dram")
    latency_constant: int = fact("memory_latency", _cycles, "constant")
    latency_barrier: int = fact("memory_latency", _cycles, "barrier")
    """cycles from the arrival of the last warp until the first can go on"""
    barrier_cycles_per_warp: int = fact("memory_latency", _cycles)
    """cycles that the multiprocessor takes for the arrival of a warp, one after the other"""
    shared_wavefront_cycles: int = fact("memory_latency", integer(1, 64))
    """cycles by which every further wavefront delays the result of a shared access"""
    shared_wavefront_busy: int = fact("memory_latency", integer(0, 64), default=0)
    """cycles that every wavefront occupies the pipe of shared memory; 0: as long as it delays the result"""
    l1_pass_cycles: int = fact("memory_latency", integer(0, 64), default=0)
    """cycles of the L1 for each pass over the banks of its data, or of its tags; 0: one for each transaction"""
    l2_sector_cycles: float = fact("memory_latency", number(0, 100), default=0.0)
    """cycles that a multiprocessor's share of the bandwidth of the L2 takes for 32 bytes; 0 where it is no limit"""
    l2_store_cycles: float = fact("memory_latency", number(0, 100), default=0.0)
    """as l2_sector_cycles, for stores; 0: the same"""
    l2_partial_store_cycles: float = fact("memory_latency", number(0, 100), default=0.0)
    """as l2_store_cycles, for a sector of which only a part is stored; 0: the same"""
    l2_line_cycles: float = fact("memory_latency", number(0, 100), default=0.0)
    """as l2_sector_cycles, for each line of 128 bytes that an access needs sectors of, beside those for the sectors"""
    l2_store_line_cycles: float = fact("memory_latency", number(0, 100), default=0.0)
    """as l2_line_cycles, for stores"""
    l2_near_cycles: float = fact("memory_latency", number(0, 100), default=0.0)
    """as l2_sector_cycles, for sectors that other multiprocessors read, too"""
    l2_near_line_cycles: float = fact("memory_latency", number(0, 100), default=0.0)
    """as l2_line_cycles, for lines that other multiprocessors read, too; 0: as any sectors and lines"""
    l2_port_cycles: float = fact("memory_latency", number(0, 100), default=0.0)
    """cycles that a multiprocessor takes at least for 32 bytes from the L2, where it has the L2 to itself"""
    l2_store_port_cycles: float = fact("memory_latency", number(0, 100), default=0.0)
    """cycles that a multiprocessor takes at least to send a whole sector to the L2"""
    l2_partial_port_cycles: float = fact("memory_latency", number(0, 100), default=0.0)
    """the same for each line of which sectors are stored in part, beside those for the sectors"""
    l2_met_store_cycles: float = fact("memory_latency", number(0, 100), default=0.0)
    """cycles of the device for a store to a word to which all blocks store"""
    l2_dirty_part: float = fact("memory_latency", number(0, 1), default=0.0)
    """part of the L2 that can hold stores not yet written to memory"""
    l2_recent_part: float = fact("memory_latency", number(0, 1), default=1.0)
    """part of the L2 that holds what was read or stored last"""
    l2_kept: tuple[int, ...] = fact("memory_latency", integers(integer(1, 1000), 8), default=())
    """thousandths of the L2 that are brought in until an unused line is replaced, by eighths; empty: l2_recent_part"""
    l2_partial_part: float = fact("memory_latency", number(0, 1), default=1.0)
    """part of the L2 whose lines can hold sectors that are stored in part"""
    l2_parts: int = fact("caches", integer(1, 4), default=1)
    """parts of the L2, each of which keeps what the multiprocessors beside it read"""
    dram_queue_cycles: int = fact("memory_latency", _cycles, default=0)
    """cycles by which memory is later when it is busy half of the time; u / (1 - u) of them when it is busy a part u"""
    dram_sectors: int = fact("memory_latency", integer(1, 4), default=1)
    """sectors that the memory reads together"""
    l2_spread: tuple[int, ...] = fact("memory_latency", integers(integer(-10_000, 10_000), 8), default=())
    """by how many cycles the latency of single lines differs from that of the L2: eighths of all lines, in order"""
    dram_spread: tuple[int, ...] = fact("memory_latency", integers(integer(-10_000, 10_000), 8), default=())
    """the same of memory: those of pieces of 4 KiB that are near a multiprocessor, then the others"""
    dram_late_spread: tuple[int, ...] = fact("memory_latency", integers(integer(-10_000, 10_000), 4), default=())
    """the last eighth of dram_spread in four parts, of lines that nobody else asks for; empty: all as the eighth"""
    dram_shared_sooner: int = fact("memory_latency", _cycles, default=0)
    """cycles by which lines of far pieces come sooner if others ask for them at the same time"""
    dram_late_pairs: tuple[int, ...] = fact("memory_latency", integers(integer(0, 64), 2), default=())
    """of 64 pairs of sectors of DRAM, those whose second one is late: where half of the device reads, and where all"""
    dram_scattered_reads: tuple[int, ...] = fact("memory_latency", integers(integer(1, 10_000), 4), default=())
    """time of reads that lie up to 64, 128, 256 and more bytes apart, in percent of that of reads in a row"""
    dram_partial_stores: tuple[int, ...] = fact("memory_latency", integers(integer(1, 10_000), 5), default=())
    """time of stores of parts of sectors in a row and as far apart, in percent of that of whole sectors in a row"""
    memory_queue: int = fact("memory_latency", integer(0, 32), default=0)
    """accesses of a scheduler that wait for the pipe of memory, at most; 0: by the latency of shared memory"""
    load_queue: int = fact("memory_latency", integer(0, 32), default=0)
    """the same of loads of global memory; 0: memory_queue"""
    queue_read: int = fact("memory_latency", integer(0, 32), default=0)
    """accesses of one scheduler that wait before one whose registers are read, at most; 0: none"""
    loads_in_flight: int = fact("memory_latency", integer(0, 1024), default=0)
    """accesses that load what L1 lacks and that wait for it, at most, as long as L1 has lines for it; 0: any number"""
    special_slots: int = fact("memory_latency", integer(0, 16), default=0)
    """cycles of the pipe of shared memory in which a warp reads the numbers of its threads"""
    shuffle_slots: int = fact("memory_latency", integer(0, 16), default=0)
    """cycles that a shuffle takes of that pipe"""
    unused_slots: int = fact("memory_latency", integer(0, 16), default=0)
    """cycles that an access takes of that pipe in which no lane takes part"""
    side_slots: int = fact("memory_latency", integer(0, 16), default=0)
    """cycles in which the multiprocessor loads a constant into a register, or reads another special register"""
    atomic_backlog: int = fact("memory_latency", integer(0, 10_000), default=0)
    """passes of atomics that a multiprocessor has sent and that are not carried out, at most; 0: any number"""
    atomic_later_cycles: int = fact("memory_latency", _cycles, default=0)
    """cycles by which the result of an atomic is later than that of a load from the L2"""
    far_word_cycles: int = fact("memory_latency", _cycles, default=0)
    """cycles by which an atomic or a fence takes more than in the mean in the far half of the L2, less in the near"""
    changed_word_cycles: int = fact("memory_latency", _cycles, default=0)
    """cycles by which the L2 answers later where a load asks for a word that others have changed since it was loaded"""
    store_drain_cycles: int = fact("memory_latency", _cycles, default=0)
    """cycles for which a warp that ends waits at least for its last store"""
    store_merge_sectors: int = fact("memory_latency", integer(0, 1024), default=0)
    """sectors sent last by a scheduler with which further stores to them are merged on the way to the L2"""
    dram_read_efficiency: float = fact("memory_latency", number(0.01, 1), default=0.8)
    """part of the memory's peak bandwidth that loads reach"""
    dram_write_efficiency: float = fact("memory_latency", number(0.01, 1), default=0.8)
    """part of the memory's peak bandwidth that stores reach among loads"""
    atomic_pass_cycles: float = fact("memory_latency", number(0.1, 1000), default=1.0)
    """cycles that a slice of the L2 (before 2.0 a memory partition) takes for each pass of an atomic over a sector"""
    atomic_repeat_cycles: float = fact("memory_latency", number(0, 1000), default=0.0)
    """the same where the pass changes a part of the sector; 0: the same"""
    atomic_float_cycles: float = fact("memory_latency", number(0, 1000), default=0.0)
    """the same at least, where floats are added to a line right behind others; 0: nothing more"""
    constant_pass_cycles: int = fact("memory_latency", integer(1, 64))
    """cycles that every further distinct address of a constant access takes"""

    # Global, local and constant memory.
    coalescing: str = fact("global_memory", choice("strict", "segments", "lines", "split_sectors", "sectors"))
    global_atomics: bool = fact("global_memory", flag, "atomics")
    tag_bank_masks: tuple[int, ...] = fact("global_memory", integers(integer(1, 1 << 40)), default=())
    """two masks of the number of a 128-byte line, whose parities say which bank of the first-level cache has its tag"""
    read_only_path: bool = fact("global_memory", flag)
    """loads can go through a read-only data cache (__ldg; 3.5 and later)"""
    l1_caches_global: bool = fact("global_memory", flag)
    """loads of global memory go through L1 unless the run says otherwise"""
    copies_to_shared: bool = fact("global_memory", flag, default=False)
    """there are copies from global to shared memory that need no registers (cp.async)"""
    managed_access: bool = fact("global_memory", flag, default=False)
    """the host may use managed memory beside a running kernel (cudaDevAttrConcurrentManagedAccess)"""
    constant_group: int = fact("global_memory", integer(16, 32))
    """lanes a constant request: 16 where the warp is split into half-warps first"""
    constant_cache_bytes: int = fact("global_memory", _bytes)
    constant_bytes: int = fact("global_memory", _bytes)
    local_bytes_per_thread: int = fact("global_memory", _bytes)
    partition_store_bytes: int = fact("global_memory", integer(0, 1024), default=0)
    """bytes that a memory partition takes from stores in a cycle of its clock; 0 where it is no limit"""
    unified_bytes: int = fact("caches", _bytes, "unified", default=0)
    """on-chip memory that L1 and shared memory divide between them for each launch (7.0 and later), else 0"""
    l1: Cache | None = fact("caches", cache, default=None)  # noqa: RUF009 (a field)
    read_only_cache: Cache | None = fact("caches", cache, "read_only", default=None)  # noqa: RUF009 (a field)
    l2: Cache | None = fact("caches", cache, default=None)  # noqa: RUF009 (a field)

    # Shared memory.
    shared_banks: int = fact("shared_memory", integer(1, 64), "banks")
    shared_bank_width: int = fact("shared_memory", integer(4, 8), "bank_width")
    """bytes of consecutive addresses that lie in one bank (the bank mode of 3.x)"""
    shared_bank_widths: tuple[int, ...] = fact("shared_memory", integers(integer(4, 8)), "bank_widths")
    """the bank widths that a launch can choose from"""
    shared_bank_bytes: int = fact("shared_memory", integer(4, 8), "bank_bytes")
    """bytes that one bank delivers in a pass"""
    shared_group: int = fact("shared_memory", integer(16, 32), "group")
    """lanes a shared request of 32-bit words"""
    shared_broadcast: str = fact("shared_memory", choice("one_word", "multicast"), "broadcast")
    shared_merges_pairs: bool = fact("shared_memory", flag, "merges_pairs")
    """wide loads whose lanes agree in pairs are served by twice as many lanes together (7.0 and later)"""
    shared_extra_pass_128: bool = fact("shared_memory", flag, "extra_pass_128", default=False)
    """each part of an access of 16-byte words takes one pass more than its conflicts demand"""
    shared_queue: bool = fact("shared_memory", flag, "queue", default=True)
    """accesses wait in a queue of the shared-memory pipe, so that issue goes on; else they hold the ALU's pipeline"""
    shared_atomics: str = fact("shared_memory", choice("none", "lock", "native"), "atomics")

    # What is resident, and how it is allocated.
    max_warps: int = fact("limits", integer(1, 256), "warps")
    max_blocks: int = fact("limits", integer(1, 256), "blocks")
    largest_cluster: int = fact("limits", integer(0, 64), default=0)
    """blocks of a thread block cluster at most; 0 where there are none"""
    max_threads_per_block: int = fact("limits", integer(32, 4096), "threads_per_block")
    registers: int = fact("limits", integer(1024, 1 << 20))
    registers_per_block: int = fact("limits", integer(1024, 1 << 20))
    max_registers_per_thread: int = fact("limits", integer(16, 1024), "registers_per_thread")
    register_unit: int = fact("limits", integer(1, 4096))
    doubled_register_units: tuple[int, ...] = fact("limits", integers(integer(1, 1024)), default=())
    """registers a thread for which ``register_unit`` is doubled"""
    register_check_partitions: int = fact("limits", integer(0, 8), default=0)
    """sub-partitions that the launch check assumes; 0: as many as there are"""
    register_scope: str = fact("limits", choice("block", "warp"))
    sub_partitions: int = fact("limits", integer(1, 8))
    """parts of the multiprocessor that have a register file of their own"""
    warp_unit: int = fact("limits", integer(1, 8))
    """warps are allocated in multiples of this"""
    shared_bytes: int = fact("limits", _bytes)
    """of one multiprocessor, in its largest configuration"""
    shared_per_block: int = fact("limits", _bytes)
    shared_per_block_optin: int = fact("limits", _bytes)
    """what one block can have at most, if the kernel asks for it"""
    shared_unit: int = fact("limits", integer(1, 4096))
    shared_reserved: int = fact("limits", _bytes)
    """bytes a block that the system takes"""
    shared_configurations: tuple[int, ...] = fact("limits", integers(_bytes))
    """the sizes in bytes that shared memory of a multiprocessor can have, ascending"""
    carve_out_grows: bool = fact("limits", flag, default=False)
    """a preferred size that is too small for one block is raised to what the block needs, otherwise to the largest"""
    shared_for_further: int = fact("limits", _bytes, default=0)
    """bytes in which a driver makes room for more blocks than run at a time, at most; 0: not known how it chooses"""
    threads_with_further: int = fact("limits", integer(0, 2048), default=0)
    """threads of a block, at most, for which it does so"""
    barriers_per_block_slot: int = fact("limits", integer(0, 64))
    """hardware barriers of a multiprocessor by resident block; 0 where they are not counted"""
    max_block_dims: tuple[int, int, int] = fact("limits", integers(_dimension, 3), "block_dims")
    max_grid_dims: tuple[int, int, int] = fact("limits", integers(_dimension, 3), "grid_dims")

    # The host.
    bus_gbps: float = fact("host", number(0.1, 10_000))
    """bytes per nanosecond that the bus to the host carries in one direction"""
    launch_overhead_us: float = fact("host", number(0, 1000), default=0.0)
    """µs that a launch takes, by a profiler, before its first instruction and after its last one"""

    # Profilers.
    visual_profiler: str = fact(
        "profilers", choice("none", "coherence", "transactions", "events"), "visual_profiler", default="none"
    )
    """counters of NVIDIA's Visual Profiler: 'coherence' tells coalesced accesses from others (1.0 and 1.1),
    'transactions' counts them by size (1.2 and 1.3), 'events' are those of 2.x and 3.x"""

    @property
    def transactions_differ(self) -> bool:
        """Return whether transactions of global memory differ in size; otherwise all are sectors of 32 bytes."""
        return self.coalescing != "sectors"

    @property
    def moves_sectors(self) -> bool:
        """Return whether global memory is accessed by sectors, or lines of them, and not by segments of its own."""
        return self.coalescing not in ("strict", "segments")

    @property
    def has_nsight_compute(self) -> bool:
        """Return whether Nsight Compute measures the device: from 7.0 on."""
        return self.capability >= (7, 0)

    @property
    def counts_serialised_warps(self) -> bool:
        """Return whether the Visual Profiler counts warps that conflicts serialise: only on 1.x."""
        return self.capability[0] == 1

    @property
    def max_threads(self) -> int:
        """Return threads that one multiprocessor can hold."""
        return 32 * self.max_warps

    def l1_with(self, shared_bytes: int) -> Cache | None:
        """Return the L1 beside ``shared_bytes`` in use: what the smallest configuration leaves that holds them."""
        if self.l1 is None or not self.unified_bytes:
            return self.l1
        carved = next((size for size in self.shared_configurations if size >= shared_bytes), self.shared_bytes)
        return self.l1._replace(bytes=self.l1.bytes - carved)

    @property
    def version(self) -> str:
        """Return the compute capability as it is written, "7.5"."""
        return f"{self.capability[0]}.{self.capability[1]}"
