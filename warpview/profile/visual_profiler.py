"""Show a run as NVIDIA's Visual Profiler did on CC 1.x to 3.x: counters of one place, extrapolated.

The hardware counted in one place only. Instruction and branch counters came from one multiprocessor; on CC 1.x memory
counters came from one texture/processor cluster (TPC: 2 multiprocessors on 1.0, 3 on 1.3). The profiler multiplied by
grid size over blocks launched there. Counter descriptions: T. Stich, "Advanced CUDA Programming"; for CC 2.x NVIDIA's
CUPTI event descriptions as reproduced by envytools.
"""

from __future__ import annotations

from dataclasses import dataclass

from warpview.devices import Device
from warpview.diagnostics import WarpviewError
from warpview.isa.ops import Op, Unit
from warpview.isa.types import Space
from warpview.profile.formulas import Count, in_global, in_local, in_shared, minus, plus, raw
from warpview.profile.totals import Selector, Totals
from warpview.sim.raw_counts import Raw

_COUNTED_IN_CLUSTERS = ("coherence", "transactions")  # memory counters cover a texture/processor cluster
_LD, _ST, _ATOM, _RED, _BRA = (frozenset({op}) for op in (Op.LD, Op.ST, Op.ATOM, Op.RED, Op.BRA))
_SIZES = {
    32: Raw.TRANSACTIONS_32,
    64: Raw.TRANSACTIONS_64,
    96: Raw.TRANSACTIONS_96,
    128: Raw.TRANSACTIONS_128,
}


READING_COLUMNS = ("counter", "of one", "counted", "extrapolated", "meaning")  # titles of a table of readings


@dataclass(frozen=True)
class Reading:
    """A reading is one counter: ``value`` on the ``scope`` "SM" or "TPC" where it was counted, and over the whole
    grid."""

    name: str
    scope: str
    value: int
    extrapolated: int
    meaning: str


@dataclass(frozen=True)
class Throughput:
    """The derived columns are in 10^9 bytes a second, None without a time.

    ``hardware_*`` counts whole transactions, ``program_*`` the bytes that threads asked for. ``instructions`` is the
    share of the issue slots for 32-bit arithmetic that was used, 0 to 1.
    """

    hardware_read: float | None
    hardware_write: float | None
    program_read: float | None
    program_write: float | None
    instructions: float | None

    @property
    def lines(self) -> tuple[str, ...]:
        """Return the columns in words."""
        if self.hardware_read is None or self.hardware_write is None or self.instructions is None:
            return ("No throughput without a time: use the engine sm.",)
        read, write = self.program_read or 0, self.program_write or 0
        return (
            f"Global memory as the hardware sees it: read {self.hardware_read:.4g}, write {self.hardware_write:.4g}, "
            f"overall {self.hardware_read + self.hardware_write:.4g} GB/s.",
            f"As the program sees it: read {read:.4g}, write {write:.4g}, overall {read + write:.4g} GB/s.",
            f"Instruction throughput {self.instructions:.4g}.",
        )


@dataclass(frozen=True)
class VisualProfile:
    """A profile holds the contents of one row of the profiler's table."""

    blocks_on_multiprocessor: int
    blocks_on_cluster: int
    blocks: int
    readings: tuple[Reading, ...]
    throughput: Throughput


@dataclass(frozen=True)
class _Event:
    """An event of the profiler has a name, a meaning and a rule of counting."""

    name: str
    meaning: str
    count: Count

    @property
    def in_cluster(self) -> bool:
        """Return whether devices whose memory counters cover a cluster count it there."""
        return self.name.startswith(("gld_", "gst_"))


def visual_profile(
    totals: Totals, device: Device, blocks: int, counted: int | None = None, time_us: float | None = None
) -> VisualProfile:
    """Return the profile of a launch of ``blocks`` blocks.

    ``totals`` holds the raw counts of ``counted`` of them: all by default, or those of one multiprocessor, which are
    then shown as they are. Blocks are dealt out to the multiprocessors in turn, the profiled one is the first.
    """
    if device.visual_profiler == "none":
        raise WarpviewError(f"the Visual Profiler's counters end with CC 3.x; {device.name} has {device.version}")
    counted = counted or blocks
    here = -(-blocks // device.multiprocessors)
    clustered = device.visual_profiler in _COUNTED_IN_CLUSTERS
    cluster = sum(
        -(-(blocks - m) // device.multiprocessors) for m in range(min(device.cluster_multiprocessors, blocks))
    )
    readings = []
    for event in _events(device):
        launched = cluster if event.in_cluster and clustered else here
        total = event.count(totals)
        value = round(total * launched / counted)
        scope = "TPC" if event.in_cluster and clustered else "SM"
        # The profiler multiplies what it saw; rounding stays visible, as it was then.
        readings.append(Reading(event.name, scope, value, round(value * blocks / max(1, launched)), event.meaning))
    launches = [
        Reading("sm_cta_launched", "SM", here, blocks, "thread blocks launched on the profiled multiprocessor"),
    ]
    if clustered:
        launches.append(Reading("cta_launched", "TPC", cluster, blocks, "thread blocks launched on the profiled TPC"))
    return VisualProfile(
        here,
        cluster if clustered else here,
        blocks,
        (*readings, *launches),
        _throughput(totals, device, blocks / counted, time_us),
    )


def _throughput(totals: Totals, device: Device, scale: float, time_us: float | None) -> Throughput:
    if not time_us:
        return Throughput(None, None, None, None, None)

    def rate(column: Raw, ops: frozenset[Op], size: int) -> float:
        return in_global(column, ops)(totals) * size * scale / time_us / 1000

    slots = time_us * device.clock_mhz * device.multiprocessors * device.schedulers
    executed = totals.sum(Raw.EXECUTED, Selector()) * scale
    return Throughput(
        rate(Raw.SECTORS, _LD, 32),
        rate(Raw.SECTORS, _ST, 32),
        rate(Raw.BYTES_REQUESTED, _LD, 1),
        rate(Raw.BYTES_REQUESTED, _ST, 1),
        executed * device.issue_cycles[Unit.ALU] / slots,
    )


def _events(device: Device) -> list[_Event]:
    common = [
        _Event("branch", "branches that at least one thread of a warp took", raw(Raw.TAKEN, _BRA)),
        _Event("divergent_branch", "branches at which a warp split", raw(Raw.DIVERGENT, _BRA)),
        _Event("local_load", "loads from local memory", in_local(Raw.REQUESTS, _LD)),
        _Event("local_store", "stores to local memory", in_local(Raw.REQUESTS, _ST)),
        _Event("gld_request", "global loads, one per warp", in_global(Raw.REQUESTS, _LD)),
        _Event("gst_request", "global stores, one per warp", in_global(Raw.REQUESTS, _ST)),
    ]
    return [*common, *(_events_1x(device) if device.visual_profiler in _COUNTED_IN_CLUSTERS else _events_2x())]


def _events_1x(device: Device) -> list[_Event]:
    accesses = frozenset({Op.LD, Op.ST, Op.ATOM, Op.RED})
    in_constants = raw(Raw.SERIALIZED, accesses, frozenset({Space.CONST}))
    serial = plus(in_shared(Raw.SERIALIZED, accesses), in_constants)
    rows = [
        _Event("instructions", "warp instructions", raw(Raw.EXECUTED, frozenset(Op))),
        _Event("warp_serialize", "warps serialised by address conflicts in shared or constant memory", serial),
    ]
    for prefix, ops, what in (("gld", _LD, "loads"), ("gst", _ST, "stores")):
        if device.visual_profiler == "coherence":
            requests, broken = in_global(Raw.REQUESTS, ops), in_global(Raw.UNCOALESCED, ops)
            rows += [
                _Event(f"{prefix}_coherent", f"coalesced global {what}", minus(requests, broken)),
                _Event(f"{prefix}_incoherent", f"global {what} that are not coalesced", broken),
            ]
        else:
            rows += [
                _Event(f"{prefix}_{size}b", f"{size}-byte transactions of global {what}", in_global(column, ops))
                for size, column in _SIZES.items()
                if size != 96
            ]
    return rows


def _events_2x() -> list[_Event]:
    memory = frozenset({Op.LD, Op.ST, Op.ATOM, Op.RED})
    conflicts = minus(in_shared(Raw.WAVEFRONTS, memory), in_shared(Raw.IDEAL_WAVEFRONTS, memory))

    def transactions(ops: frozenset[Op]) -> Count:
        parts = [in_global(column, ops) for column in _SIZES.values()]
        return lambda totals: sum(part(totals) for part in parts)

    return [
        _Event("inst_executed", "warp instructions, without replays", raw(Raw.EXECUTED, frozenset(Op))),
        _Event("thread_inst_executed", "active lanes, summed over them", raw(Raw.LANES_ON, frozenset(Op))),
        _Event("shared_load", "loads from shared memory", in_shared(Raw.REQUESTS, _LD)),
        _Event("shared_store", "stores to shared memory", in_shared(Raw.REQUESTS, _ST)),
        _Event("l1_shared_bank_conflict", "replays for shared-memory bank conflicts", conflicts),
        _Event("global_load_transaction", "lines or segments of global loads", transactions(_LD)),
        _Event("global_store_transaction", "transactions of global stores", transactions(_ST)),
        _Event("atom_count", "atomics that return a value", in_global(Raw.REQUESTS, _ATOM)),
        _Event("gred_count", "atomics that return no value", in_global(Raw.REQUESTS, _RED)),
    ]
