"""Define each counter in one row: key, unit, definition, names in the profilers and how it is computed.

The command line, the CSV files and the window show whatever stands in ``COUNTERS``. Keys are stable: they name the
columns of exported files.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from warpview.isa.ops import BLOCK_BARRIERS, MATRIX_OPS, WARP_COLLECTIVES, Op
from warpview.isa.types import Space
from warpview.isa.work import Work
from warpview.profile.bulk_counters import bulk_counters
from warpview.profile.counter import LABEL as LABEL
from warpview.profile.counter import LAUNCH_GROUP
from warpview.profile.counter import Counter as Counter
from warpview.profile.distributed_counters import distributed_counters
from warpview.profile.formulas import (
    GENERIC,
    Compute,
    both,
    difference,
    fact,
    in_global,
    in_local,
    in_shared,
    operations,
    plus,
    ratio,
    raw,
    times,
    wasted,
    without_copies,
    without_matrices,
)
from warpview.profile.formulas import (
    Value as Value,
)
from warpview.profile.stall_counters import stall_counters
from warpview.profile.texture_counters import texture_counters
from warpview.profile.totals import Selector, Totals
from warpview.sim.raw_counts import Raw

if TYPE_CHECKING:
    from warpview.devices import Device

ALL = Selector()
SHARED = frozenset({Space.SHARED})
LOCAL = frozenset({Space.LOCAL})
NAMED_GLOBAL = frozenset({Space.GLOBAL})  # by the instruction, not by the address
CONST = frozenset({Space.CONST})
LD, ST, RED, ATOM = (frozenset({op}) for op in (Op.LD, Op.ST, Op.RED, Op.ATOM))
BRANCHES = frozenset({Op.BRA})
PARTINGS = BRANCHES | {Op.WARPSYNC}  # where lanes may go different ways


def _instructions() -> list[Counter]:
    executed = both(raw(Raw.EXECUTED, ALL.ops), raw(Raw.REISSUED, ALL.ops))
    reissued = raw(Raw.REISSUED_LANES, ALL.ops)
    lanes = both(raw(Raw.LANES, ALL.ops), reissued)
    lanes_on = difference(both(raw(Raw.LANES_ON, ALL.ops), reissued), raw(Raw.HALF_GUARDED, ALL.ops))
    group = "instructions"
    return [
        Counter("inst_executed", group, "instructions", "Warp instructions",
                "Instructions issued by warps, each counted once however many lanes took part.",
                executed, "smsp__inst_executed.sum", "instructions"),
        Counter("thread_inst_executed", group, "instructions", "Thread instructions",
                "Lanes on the issuing path, summed over all warp instructions.",
                lanes, "smsp__thread_inst_executed.sum", "thread_inst_executed"),
        Counter("thread_inst_executed_on", group, "instructions", "Predicated-on thread instructions",
                "Lanes whose guard predicate held, summed over all warp instructions.",
                lanes_on, "smsp__thread_inst_executed_pred_on.sum",
                short="Predicated on"),
        Counter("active_lanes_average", group, "lanes", "Average active lanes",
                "Thread instructions per warp instruction, at most 32.",
                ratio(lanes, executed), "smsp__thread_inst_executed_per_inst_executed.ratio"),
        Counter("warp_execution_efficiency_pct", group, "%", "Warp execution efficiency",
                "Average active lanes as a share of 32.",
                ratio(lanes, executed, 100 / 32), "", "warp_execution_efficiency", short="Warp efficiency"),
    ]  # fmt: skip


def _access_counters(kind: str, noun: str, ops: frozenset[Op], legacy: str = "") -> list[Counter]:
    """Return the counters that every kind of global access (ld, st, red, atom) has."""
    key, group = f"global_{kind}", "global memory"
    metric = f"l1tex__t_{{}}_pipe_lsu_mem_global_op_{kind}.sum"
    requests, sectors = in_global(Raw.REQUESTS, ops), in_global(Raw.SECTORS, ops)
    return [
        Counter(f"inst_{key}", group, "instructions", f"Global {noun} instructions",
                f"Warp instructions that are global {noun}s.",
                without_copies(Raw.EXECUTED, ops, NAMED_GLOBAL), f"smsp__inst_executed_op_global_{kind}.sum",
                short=f"Global {noun}s"),
        Counter(f"{key}_requests", group, "requests", f"Global {noun} requests",
                f"Warp-wide global {noun}s with at least one active lane.",
                requests, metric.format("requests"), f"{legacy}_request" if legacy else "",
                short="Reduction requests" if kind == "red" else ""),
        Counter(f"{key}_sectors", group, "sectors", f"Global {noun} sectors",
                f"32-byte sectors that global {noun}s accessed; on devices with larger transactions, bytes moved / 32.",
                sectors, metric.format("sectors"), short="Reduction sectors" if kind == "red" else ""),
        Counter(f"{key}_sectors_per_request", group, "sectors/request", f"Sectors per global {noun}",
                "Sectors per request: 4 is ideal for 32 lanes of 4 bytes, 8 of 8 bytes, 16 of 16 bytes.",
                ratio(sectors, requests),
                f"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_{kind}.ratio",
                short=f"Sectors/{noun}"),
    ]  # fmt: skip


def _transfer_counters(kind: str, noun: str, ops: frozenset[Op], legacy: str) -> list[Counter]:
    """Return the counters of the bytes that global loads or stores ask for and move."""
    key, group, title = f"global_{kind}", "global memory", noun.capitalize()
    requests, asked = in_global(Raw.REQUESTS, ops), in_global(Raw.BYTES_REQUESTED, ops)
    moved = times(in_global(Raw.SECTORS, ops), 32)
    transactions = [
        Counter(f"{key}_transactions_{size}", group, "transactions", f"Global {noun} transactions of {size} bytes",
                f"Bus transactions of {size} bytes caused by global {noun}s.",
                in_global(column, ops), "", f"{legacy}_{size}b" if size != 96 else "", "transactions_differ",
                f"{title} segments {size}")
        for size, column in (
            (32, Raw.TRANSACTIONS_32), (64, Raw.TRANSACTIONS_64),
            (96, Raw.TRANSACTIONS_96), (128, Raw.TRANSACTIONS_128),
        )
        if not (size == 96 and kind == "st")
    ]  # fmt: skip
    return [
        *transactions,
        Counter(f"{key}_bytes_requested", group, "bytes", f"Bytes requested by global {noun}s",
                "Active lanes times the width of their access.", asked, short=f"{title} request bytes"),
        Counter(f"{key}_bytes_moved", group, "bytes", f"Bytes moved by global {noun}s",
                "Bytes of the transactions that served them.", moved, short=f"{title} bytes moved"),
        Counter(f"{key}_efficiency_pct", group, "%", f"Global {noun} efficiency",
                "Bytes requested as a share of bytes moved; above 100 % where lanes share an address.",
                ratio(asked, moved, 100),
                f"smsp__sass_average_data_bytes_per_sector_mem_global_op_{kind}.pct", f"{legacy}_efficiency",
                short=f"{title} efficiency"),
        Counter(f"{key}_bytes_wasted", group, "bytes", f"Bytes wasted by global {noun}s",
                "Bytes moved beyond those requested, instruction by instruction.", wasted(ops),
                short=f"{title} bytes wasted"),
        Counter(f"{key}_ideal_sectors_per_request", group, "sectors/request", f"Ideal sectors per global {noun}",
                "Sectors per request if the bytes requested lay side by side.",
                ratio(asked, times(requests, 32)), short=f"Ideal sectors/{noun}"),
        Counter(f"{key}_uncoalesced", group, "requests", f"Uncoalesced global {noun}s",
                "Requests that needed more transactions than their width alone demands.",
                in_global(Raw.UNCOALESCED, ops), "", f"{legacy}_incoherent",
                short=f"Uncoalesced {noun}s"),
    ]  # fmt: skip


def _global() -> list[Counter]:
    return [
        *_access_counters("ld", "load", LD, "gld"),
        *_transfer_counters("ld", "load", LD, "gld"),
        *_access_counters("st", "store", ST, "gst"),
        *_transfer_counters("st", "store", ST, "gst"),
        *_access_counters("red", "reduction", RED),
        *_access_counters("atom", "atomic", ATOM),
        *(
            Counter(f"inst_generic_{kind}", "global memory", "instructions", f"Generic {noun} instructions",
                    f"Warp instructions that are {noun}s through generic addresses, which may point into any space.",
                    raw(Raw.EXECUTED, ops, GENERIC), f"smsp__inst_executed_op_generic_{kind}.sum",
                    short=f"Generic {noun}s")
            for kind, noun, ops in (("ld", "load", LD), ("st", "store", ST))
        ),
        Counter("inst_copies", "global memory", "instructions", "Asynchronous copies",
                "Warp instructions that copy from global to shared memory without registers; their requests and "
                "sectors count with those of loads.",
                lambda totals: totals.copied(Raw.EXECUTED), "smsp__inst_executed_op_ldgsts.sum",
                needs="copies_to_shared"),
        Counter("inst_generic_atom", "global memory", "instructions", "Generic atomic instructions",
                "Warp instructions that are atomics through generic addresses, which may point into any space, and "
                "those on global memory that give a result, which Nsight Compute counts with them.",
                plus(raw(Raw.EXECUTED, ATOM, NAMED_GLOBAL | GENERIC), raw(Raw.EXECUTED, RED, GENERIC)),
                "smsp__inst_executed_op_generic_atom.sum", short="Generic atomics"),
    ]  # fmt: skip


def _shared_counters(kind: str, noun: str, ops: frozenset[Op]) -> list[Counter]:
    key, group = f"shared_{kind}", "shared memory"
    wavefronts = in_shared(Raw.WAVEFRONTS, ops)
    conflicts = difference(wavefronts, in_shared(Raw.IDEAL_WAVEFRONTS, ops))
    requests = in_shared(Raw.REQUESTS, ops)
    without = {"ld": ", but for those of matrices (LDSM)", "st": ", but for those of matrices (STSM)"}.get(kind, "")
    return [
        Counter(f"inst_{key}", group, "instructions", f"Shared {noun} instructions",
                f"Warp instructions that are shared-memory {noun}s{without}.",
                without_matrices(Raw.EXECUTED, ops, SHARED),
                f"smsp__inst_executed_op_shared_{kind}.sum", {"ld": "shared_load", "st": "shared_store"}.get(kind, ""),
                short=f"Shared {noun}s"),
        Counter(f"{key}_wavefronts", group, "wavefronts", f"Shared {noun} wavefronts",
                f"Passes over the banks that shared {noun}s took.", wavefronts,
                f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{kind}.sum", short=f"{noun.capitalize()} wavefronts"),
        Counter(f"{key}_bank_conflicts", group, "wavefronts", f"Shared {noun} bank conflicts",
                "Passes beyond the number that the width of the access alone demands.", conflicts,
                f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{kind}.sum",
                short=f"{noun.capitalize()} bank conflicts"),
        Counter(f"{key}_wavefronts_per_request", group, "wavefronts/request", f"Wavefronts per shared {noun}",
                "Average passes of one access.", ratio(wavefronts, requests), short=f"Wavefronts/{noun}"),
    ]  # fmt: skip


def _shared() -> list[Counter]:
    serialized = frozenset({Op.LD, Op.ST, Op.ATOM, Op.RED})
    return [
        *_shared_counters("ld", "load", LD),
        *_shared_counters("st", "store", ST),
        *_shared_counters("atom", "atomic", ATOM | RED),
        Counter("warp_serialize", "shared memory", "requests", "Serialised warps",
                "Shared or constant accesses that took more than the ideal number of passes.",
                both(in_shared(Raw.SERIALIZED, serialized), raw(Raw.SERIALIZED, serialized, CONST)),
                "", "warp_serialize", "counts_serialised_warps"),
    ]  # fmt: skip


def _other_memory() -> list[Counter]:
    group = "local and constant memory"
    return [
        Counter("inst_local_ld", group, "instructions", "Local load instructions",
                "Warp instructions that load from local memory.", raw(Raw.EXECUTED, LD, LOCAL),
                "smsp__inst_executed_op_local_ld.sum", "local_load", short="Local loads"),
        Counter("inst_local_st", group, "instructions", "Local store instructions",
                "Warp instructions that store to local memory.", raw(Raw.EXECUTED, ST, LOCAL),
                "smsp__inst_executed_op_local_st.sum", "local_store", short="Local stores"),
        Counter("local_ld_sectors", group, "sectors", "Local load sectors",
                "32-byte sectors that local loads accessed.", in_local(Raw.SECTORS, LD),
                "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"),
        Counter("local_st_sectors", group, "sectors", "Local store sectors",
                "32-byte sectors that local stores accessed.", in_local(Raw.SECTORS, ST),
                "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"),
        Counter("inst_const_ld", group, "instructions", "Constant load instructions",
                "Warp instructions that load from constant memory through an index.",
                raw(Raw.EXECUTED, LD, CONST), short="Constant loads"),
        Counter("const_ld_passes", group, "passes", "Constant load passes",
                "Distinct addresses per request, one pass each.", raw(Raw.WAVEFRONTS, LD, CONST)),
    ]  # fmt: skip


def _control() -> list[Counter]:
    group = "control flow"
    conditional = Selector(BRANCHES, conditional=True)
    issued: Compute = lambda totals: totals.sum(Raw.EXECUTED, conditional)  # noqa: E731
    branches = both(issued, raw(Raw.FURTHER_TARGETS, PARTINGS))
    divergent = raw(Raw.DIVERGENT, PARTINGS)
    return [
        Counter("branches", group, "branches", "Conditional branches",
                "Conditional branch instructions issued by warps.", branches,
                "smsp__sass_branch_targets.sum", "branch"),
        Counter("divergent_branches", group, "branches", "Divergent branches",
                "Conditional branches at which some lanes of the warp went one way and some the other.", divergent,
                "smsp__sass_branch_targets_threads_divergent.sum", "divergent_branch"),
        Counter("branch_efficiency_pct", group, "%", "Branch efficiency",
                "Conditional branches that did not diverge, as a share of all.",
                ratio(difference(branches, divergent), branches, 100),
                "smsp__sass_average_branch_targets_threads_uniform.pct", "branch_efficiency"),
        Counter("barriers", group, "instructions", "Block barriers",
                "Block barriers that warps arrived at.", raw(Raw.EXECUTED, BLOCK_BARRIERS)),
        Counter("warp_collectives", group, "instructions", "Warp collectives",
                "Shuffles, votes, matches, warp reductions and warp barriers.",
                raw(Raw.EXECUTED, WARP_COLLECTIVES - MATRIX_OPS)),
    ]  # fmt: skip


def _atomics() -> list[Counter]:
    group, ops = "atomics", ATOM | RED
    return [
        Counter("atomics", group, "requests", "Atomic requests",
                "Warp-wide atomic operations, global and shared, with at least one active lane.",
                raw(Raw.REQUESTS, ops), "", "atom_count"),
        Counter("atomic_lanes", group, "lanes", "Atomic lanes",
                "Lanes that took part in atomic operations.", raw(Raw.LANES_ON, ops)),
        Counter("atomic_collisions", group, "lanes", "Atomic collisions",
                "For each atomic request, the largest number of lanes on one address less one, summed.",
                raw(Raw.COLLISIONS, ops)),
    ]  # fmt: skip


def _arithmetic() -> list[Counter]:
    group = "arithmetic"
    rows = [
        (Work.SINGLE, "flop_count_sp", "Single-precision operations", "Single precision",
         "additions and multiplications of floats"),
        (Work.DOUBLE, "flop_count_dp", "Double-precision operations", "Double precision",
         "additions and multiplications of doubles"),
        (Work.HALF, "flop_count_hp", "Half-precision operations", "Half precision",
         "additions and multiplications of halves, two in each instruction"),
        (Work.MATRIX, "flop_count_matrix", "Matrix operations", "", "additions and multiplications of matrices"),
    ]  # fmt: skip
    floats = [
        Counter(key, group, "FLOP", title,
                f"Floating-point operations by lanes whose guard held: {words}; a multiply-add counts two, special "
                "functions none.",
                operations(kind), "", "" if kind == Work.MATRIX else key, short=short)
        for kind, key, title, short, words in rows
    ]  # fmt: skip
    return [
        *floats,
        Counter("inst_integer", group, "instructions", "Integer thread instructions",
                "Integer arithmetic, comparisons, logic and shifts by lanes whose guard held, one each.",
                operations(Work.INTEGER), "smsp__sass_thread_inst_executed_op_integer_pred_on.sum", "inst_integer",
                short="Integer instructions"),
    ]  # fmt: skip


def _launch() -> list[Counter]:
    rows = [
        ("blocks_launched", "blocks", "Blocks", "Blocks of the grid.", "launch__grid_size", "cta_launched", ""),
        ("warps_launched", "warps", "Warps", "Warps of all blocks.", "", "warps_launched", ""),
        ("registers_per_thread", "registers", "Registers per thread",
         "As the compiler reports for machine code; otherwise estimated from the largest number of live registers, "
         "or as given.",
         "launch__registers_per_thread", "", ""),
        ("shared_mem_per_block", "bytes", "Shared memory per block",
         "Static and dynamic shared memory of a block.", "", "", "Shared per block"),
        ("limit_blocks_warps", "blocks", "Blocks allowed by warps",
         "Blocks per multiprocessor that its warp slots allow.", "launch__occupancy_limit_warps", "", "Limit by warps"),
        ("limit_blocks_registers", "blocks", "Blocks allowed by registers",
         "Blocks per multiprocessor that its registers allow.", "launch__occupancy_limit_registers", "",
         "Limit by registers"),
        ("limit_blocks_shared", "blocks", "Blocks allowed by shared memory",
         "Blocks per multiprocessor in the shared memory that the driver sets aside.",
         "launch__occupancy_limit_shared_mem", "", "Limit by shared"),
        ("limit_blocks_slots", "blocks", "Blocks allowed by block slots",
         "The maximum number of blocks of a multiprocessor.", "launch__occupancy_limit_blocks", "",
         "Limit by block slots"),
        ("theoretical_occupancy_pct", "%", "Theoretical occupancy",
         "Warps that can be resident, as a share of the maximum of the multiprocessor.",
         "sm__maximum_warps_per_active_cycle_pct", "occupancy", "Theor. occupancy"),
        ("achieved_occupancy_pct", "%", "Achieved occupancy",
         "Mean resident warps while the multiprocessor is busy, as a share of its maximum.",
         "sm__warps_active.avg.pct_of_peak_sustained_active", "achieved_occupancy", ""),
        ("cycles", "cycles", "Cycles", "Cycles of one multiprocessor, from first issue to last.",
         "sm__cycles_elapsed.max", "elapsed_cycles_sm", ""),
        ("ipc", "instructions/cycle", "Instructions per cycle",
         "Warp instructions that one multiprocessor issued per cycle.",
         "sm__inst_executed.avg.per_cycle_elapsed", "ipc", "IPC"),
        ("time_us", "µs", "Time",
         "Duration on the whole device, extrapolated from one multiprocessor. Of a kernel as written, loops take as "
         "long as unrolled ones and atomics of a warp at one address as a single one, from compute capability 7.5 on.",
         "gpu__time_duration.sum", "gputime", ""),
        ("dram_bytes", "bytes", "Bytes from and to memory",
         "Traffic that no cache served, extrapolated from one multiprocessor; lines that others fetched into the L2 "
         "do not count as hits.",
         "", "", "Memory bytes"),
        ("l2_bytes", "bytes", "Bytes from and to the L2",
         "Traffic between the multiprocessors and the L2, extrapolated from one multiprocessor.",
         "", "", "L2 bytes"),
        ("l1_hit_pct", "%", "L1 hit rate",
         "Sectors found in the L1 as a share of those looked up there; stores count, too, where it holds them.",
         "l1tex__t_sector_hit_rate.pct", "", ""),
        ("l2_hit_pct", "%", "L2 hit rate",
         "Sectors that the L2 held, or another multiprocessor had fetched, as a share of those looked up; stores "
         "always hit.",
         "lts__t_sector_hit_rate.pct", "", ""),
    ]  # fmt: skip
    camping = Counter(
        "partition_camping", LAUNCH_GROUP, "times", "Partition camping",
        "Slowdown of global memory when concurrent blocks access few of its partitions: 1 where "
        "they spread evenly, the number of partitions where all access one.",
        fact("partition_camping"), needs="memory_partitions",
    )  # fmt: skip
    return [
        *(Counter(key, LAUNCH_GROUP, unit, title, text, fact(key), nsight, legacy, short=short)
          for key, unit, title, text, nsight, legacy, short in rows),
        camping,
    ]  # fmt: skip


COUNTERS: tuple[Counter, ...] = (
    *_launch(), *_instructions(), *_arithmetic(), *_control(), *_global(), *_shared(), *distributed_counters(),
    *_atomics(), *_other_memory(), *texture_counters(), *bulk_counters(), *stall_counters(),
)  # fmt: skip
BY_KEY: Mapping[str, Counter] = {counter.key: counter for counter in COUNTERS}


def counters_of(device: Device) -> tuple[Counter, ...]:
    """Return the counters that a device has, in the order in which they are shown, named for its hardware."""
    return tuple(counter.named_on(device) for counter in COUNTERS if counter.on(device))


def counter_values(totals: Totals, device: Device) -> dict[str, Value]:
    """Return every counter of the device by key; None where it is not known (a ratio over nothing, no clock)."""
    return {counter.key: counter.compute(totals) for counter in COUNTERS if counter.on(device)}
