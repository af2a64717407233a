"""Allocate the records of ``state`` for a launch and keep their arrays alive."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device
from warpview.isa.ops import MEMORY_OPS
from warpview.isa.program import NONE, Program, Special
from warpview.isa.types import FULL, Space
from warpview.sim.arguments.constant_banks import constant_memory
from warpview.sim.checks.stores import stored_allocations
from warpview.sim.jit.decode import Decoded, decoded
from warpview.sim.jit.state import (
    BLOCK,
    EVENT,
    FINDING,
    LANES,
    MACHINE,
    PATTERN,
    PATTERN_BITS,
    PRINTED,
    RECENT,
    ROW32,
    ROW64,
    WARP,
)
from warpview.sim.launch import (
    PRINTED_KEPT,
    FindingKind,
    Launch,
    Options,
    Party,
    RawFinding,
    masks_need_convergence,
    runs_in_clusters,
    shared_memory_bytes,
    waits_for_blocks,
)
from warpview.sim.memory import DeviceMemory
from warpview.sim.raw_counts import N_RAW
from warpview.sim.rules import rule_codes

ALIGNMENT = 64  # rows are accessed as aligned vectors
TEXT_BYTES = 1 << 20  # of strings, as much as the buffer of printf has on a device (cudaLimitPrintfFifoSize)


def aligned(size: int) -> NDArray[np.uint8]:
    """Return zeroed bytes that begin on a multiple of ALIGNMENT."""
    buffer = np.zeros(size + ALIGNMENT, dtype=np.uint8)
    start = -buffer.ctypes.data % ALIGNMENT
    return buffer[start : start + size]


def aligned_records(count: int, dtype: np.dtype) -> np.ndarray:
    return aligned(count * dtype.itemsize).view(dtype)


def registers_image(program: Program, launch: Launch) -> NDArray[np.uint8]:
    """Return uint8[warps, bytes]: the registers of a block's warps as they begin, but for the block index."""
    warps, split = launch.warps, program.rows32 * ROW32
    image = aligned(warps * (split + program.rows64 * ROW64)).reshape(warps, -1)
    rows32 = image[:, :split].view(np.uint32).reshape(warps, program.rows32, LANES)
    rows64 = image[:, split:].view(np.uint64).reshape(warps, program.rows64, LANES)
    rows32[:, : program.first_virtual32] = launch.uniform32[: program.first_virtual32, None]
    rows64[:, : program.first_virtual64] = launch.uniform64[: program.first_virtual64, None]
    # Lanes beyond the block get the coordinates that the numbering would give them.
    thread = np.arange(warps * LANES).reshape(warps, LANES)
    width, height, _ = launch.block
    rows32[:, Special.TID_X] = thread % width
    rows32[:, Special.TID_Y] = thread // width % height
    rows32[:, Special.TID_Z] = thread // (width * height)
    rows32[:, Special.LANEID] = np.arange(LANES)
    rows32[:, Special.WARPID] = np.arange(warps)[:, None]
    return image


def undefined_image(program: Program) -> NDArray[np.int64]:
    """Return int64[3 * rows]: what undefined.py knows of a warp's registers as it begins. Rows that the launch does not
    fill in are undefined; the address of their origin is the row."""
    rows = program.rows32 + 2 * program.rows64
    image = np.zeros(3 * rows, dtype=np.int64)
    image[program.first_virtual32 : program.rows32] = FULL
    image[program.rows32 + 2 * program.first_virtual64 : rows] = FULL
    image[rows::2] = NONE
    image[rows + 1 :: 2] = np.arange(rows)
    return image


def has_narrow_shared(program: Program) -> bool:
    """Return whether an access of less than a word may go to shared memory."""
    spaces = (Space.SHARED, Space.GENERIC)
    return any(ins.op in MEMORY_OPS and ins.space in spaces and ins.width < 4 for ins in program.instructions)


@dataclass(frozen=True)
class LaunchContext:
    """Hold the state that the machines of all host threads share; read only, but for the memory and the flag."""

    program: Program
    device: Device
    launch: Launch
    memory: DeviceMemory
    options: Options
    decoded: Decoded
    image: NDArray[np.uint8]
    bases: NDArray[np.int64]
    ends: NDArray[np.int64]
    initialised: NDArray[np.int64]
    loads_noted: NDArray[np.int64]
    constants: NDArray[np.uint8]
    cancel: NDArray[np.int64]

    @property
    def in_clusters(self) -> bool:
        return runs_in_clusters(self.program, self.launch)

    @property
    def waits_for_blocks(self) -> bool:
        return waits_for_blocks(self.program, self.launch)

    @property
    def names_blocks(self) -> bool:
        """Return whether generic addresses of shared memory name the block."""
        return self.in_clusters and (self.program.native is not None or self.program.names_blocks)

    @property
    def finds_races(self) -> bool:
        return self.options.check and self.options.races

    @classmethod
    def of(
        cls, program: Program, device: Device, launch: Launch, memory: DeviceMemory, options: Options
    ) -> LaunchContext:
        _ = memory.data  # lays the memory out, and with it the map of written words
        bases, ends = memory.bounds()
        initialised = np.array([a.initialised for a in memory.allocations], dtype=np.int64)
        noted = stored_allocations(program, launch, memory) if options.check and options.races else bases >= 0
        loads_noted = noted.astype(np.int64)
        contents = constant_memory(program, launch)
        constants = np.frombuffer(contents or b"\0", dtype=np.uint8)
        image, cancel = registers_image(program, launch), np.zeros(1, dtype=np.int64)
        return cls(
            program, device, launch, memory, options, decoded(program, device.divergence == "its"), image,
            bases, ends, initialised, loads_noted, constants, cancel,
        )  # fmt: skip


class Machine:
    """Hold the arrays of a machine with ``block_slots`` resident blocks, for one host thread.

    The state is in plain arrays: ``warps`` and ``blocks`` (records), ``registers`` uint8[warp slots, bytes],
    ``shared`` and ``shadow`` (see ``checks.py``) uint8[block slots, bytes], ``local`` and ``local_written`` uint8[warp
    slots, bytes].
    Warp ``w`` of block slot ``s`` is in warp slot ``s * n_warps + w``. ``record`` is the MACHINE record, ``event`` what
    the last issue did, ``counts`` int64[n_instructions, N_RAW]. ``address``, ``warp_addresses`` and ``block_addresses``
    say where the records lie.
    """

    def __init__(self, common: LaunchContext, block_slots: int = 1) -> None:
        self.common = common
        n_code = len(common.program.instructions)
        self.record = aligned_records(1, MACHINE)
        self.event = aligned_records(1, EVENT)
        self.counts = np.zeros((n_code, N_RAW), dtype=np.int64)
        self.findings = aligned_records(len(FindingKind) * n_code, FINDING)
        self.patterns = aligned_records((1 << PATTERN_BITS) + 1, PATTERN)
        never_found = _addresses(self.patterns)[-1]
        self.recent = np.full(RECENT, never_found, dtype=np.int64)
        self.printed = aligned_records(PRINTED_KEPT if common.program.prints else 0, PRINTED)
        has_strings = any(each.strings for each in common.program.prints)
        self.texts = np.zeros(TEXT_BYTES if has_strings else 0, dtype=np.uint8)
        self._allocate(block_slots)
        self.address = int(self.record.ctypes.data)
        self.warp_addresses: list[int] = _addresses(self.warps).tolist()
        self.block_addresses: list[int] = _addresses(self.blocks).tolist()
        self._fill_machine()
        self._fill_slots(block_slots)

    @property
    def shared_bytes(self) -> int:
        return shared_memory_bytes(self.common.program, self.common.launch)

    def _allocate(self, block_slots: int) -> None:
        warps = block_slots * self.common.launch.warps
        shared = -(-(self.shared_bytes + 16) // ALIGNMENT) * ALIGNMENT
        self.local_stride = -(-self.common.program.local_bytes // 16) * 16
        self.warps = aligned_records(warps, WARP)
        self.blocks = aligned_records(block_slots, BLOCK)
        self.registers = aligned(warps * self.common.image.shape[1]).reshape(warps, -1)
        self.shared = aligned(block_slots * shared).reshape(block_slots, -1)
        self.shadow_planes = 4 if has_narrow_shared(self.common.program) else 1
        self.shadow = aligned(block_slots * self.shadow_planes * shared).reshape(block_slots, -1)
        screened = self.common.finds_races and self.common.names_blocks
        self.cluster_shadow = aligned(block_slots * shared * screened).reshape(block_slots, -1)
        self.local = aligned(warps * LANES * self.local_stride).reshape(warps, -1)
        self.local_written = aligned(warps * LANES * self.local_stride).reshape(warps, -1)
        following = self.common.options.follow_undefined and self.common.program.native is None
        self.undefined_image = undefined_image(self.common.program) if following else None
        self.undefined = np.zeros((warps, len(self.undefined_image)) if following else (warps, 0), dtype=np.int64)

    def _fill_machine(self) -> None:
        common, launch = self.common, self.common.launch
        written = common.memory.written
        values = {
            "code_at": common.decoded.code.ctypes.data, "n_code": len(common.decoded.code),
            "registers_image_at": common.image.ctypes.data, "registers_bytes": common.image.shape[1],
            "filled_bytes32": common.program.first_virtual32 * ROW32,
            "filled_bytes64": common.program.first_virtual64 * ROW64,
            "constant_at": common.constants.ctypes.data, "constant_bytes": len(common.program.constant_bytes),
            "shared_bytes": self.shared_bytes,
            "own_shared_bytes": common.program.static_shared_bytes + launch.dynamic_shared_bytes,
            "local_bytes": common.program.local_bytes,
            "local_stride": self.local_stride, "rows32": common.program.rows32,
            "shadow_plane": self.shadow.shape[1] // self.shadow_planes, "shadow_bytes": self.shadow.shape[1],
            "threads": launch.threads, "n_warps": launch.warps, "grid_x": launch.grid[0], "grid_y": launch.grid[1],
            "multiprocessors": common.device.multiprocessors, **_cluster_fields(common, len(self.blocks)),
            "named": int(common.program.has_named_barriers or common.in_clusters),
            "its": int(common.device.divergence == "its"),
            "global_at": common.memory.data.ctypes.data, "bases_at": common.bases.ctypes.data,
            "ends_at": common.ends.ctypes.data, "initialised_at": common.initialised.ctypes.data,
            "n_allocations": len(common.bases),
            "written_at": 0 if written is None else written.ctypes.data,
            "loads_noted_at": common.loads_noted.ctypes.data,
            "masks_need_convergence": int(masks_need_convergence(common.program, common.device)),
            "check": int(common.options.check),
            "undefined_image_at": 0 if self.undefined_image is None else self.undefined_image.ctypes.data,
            "undefined_bytes": 0 if self.undefined_image is None else self.undefined_image.nbytes,
            "source_checks": int(common.options.check and common.options.source_checks),
            "budget": common.options.step_budget, "looks": 1,
            "cancel_at": common.cancel.ctypes.data, "cycle": -1,
            "counts_at": self.counts.ctypes.data, "findings_at": self.findings.ctypes.data,
            "event_at": self.event.ctypes.data, "patterns_at": self.patterns.ctypes.data,
            "recent_at": self.recent.ctypes.data,
            "printed_at": self.printed.ctypes.data, "max_printed": len(self.printed),
            "texts_at": self.texts.ctypes.data, "max_texts": len(self.texts),
            "warps_at": self.warps.ctypes.data, "blocks_at": self.blocks.ctypes.data,
        }  # fmt: skip
        rules = rule_codes(common.device, common.options.cache_global_in_l1)
        for name, value in (values | rules._asdict()).items():
            self.record[name] = value

    def _fill_slots(self, block_slots: int) -> None:
        n = self.common.launch.warps
        self.warps["slot"] = np.arange(len(self.warps))
        self.warps["index"] = np.arange(len(self.warps)) % n
        self.blocks["slot"] = np.arange(block_slots)
        self.blocks["position"] = -1
        self.blocks["n_warps"] = n
        self.blocks["first_warp_at"] = _addresses(self.warps)[::n]
        self.blocks["shared_at"], self.blocks["shadow_at"] = _addresses(self.shared), _addresses(self.shadow)
        self.blocks["cluster_shadow_at"] = _addresses(self.cluster_shadow)
        self.warps["block_at"] = np.repeat(_addresses(self.blocks), n)
        self.warps["registers_at"] = _addresses(self.registers)
        self.warps["undefined_at"] = _addresses(self.undefined)
        self.warps["local_low"] = self.local_stride
        self.warps["local_at"], self.warps["local_written_at"] = _addresses(self.local), _addresses(self.local_written)

    # ---------------------------------------------------------------------------------------- what came out

    def registers32(self) -> NDArray[np.uint32]:
        """Return uint32[warp slots, rows32, 32], a view."""
        part = self.registers[:, : self.common.program.rows32 * ROW32]
        return part.view(np.uint32).reshape(len(self.warps), self.common.program.rows32, LANES)

    def registers64(self) -> NDArray[np.uint64]:
        """Return uint64[warp slots, rows64, 32], a view."""
        part = self.registers[:, self.common.program.rows32 * ROW32 :]
        return part.view(np.uint64).reshape(len(self.warps), self.common.program.rows64, LANES)

    def found(self) -> list[tuple[int, int, RawFinding]]:
        """Return (block, order within this machine, finding) for each kind and instruction of which there were any."""
        n_code = len(self.common.program.instructions)
        result = []
        for k in np.flatnonzero(self.findings["count"]):
            if int(k) // n_code == FindingKind.RACE:  # a suspicion; race_check.py looks into those
                continue
            f = self.findings[k]
            finding = RawFinding(
                FindingKind(int(k) // n_code), int(k) % n_code, int(f["block"]), int(f["thread"]),
                int(f["address"]) % (1 << 64), int(f["space"]), int(f["count"]), int(f["value"]) % (1 << 64),
                other=_other(f),
            )  # fmt: skip
            result.append((finding.block, int(f["order"]), finding))
        return result


def _cluster_fields(common: LaunchContext, block_slots: int) -> dict[str, int]:
    """Return what the machine knows of clusters; without any each block is one of its own."""
    x, y, z = common.launch.cluster
    return {
        "in_clusters": int(common.in_clusters), "cluster_x": x, "cluster_y": y, "cluster_z": z,
        "cluster_blocks": x * y * z, "clusters_x": common.launch.grid[0] // x, "clusters_y": common.launch.grid[1] // y,
        "names_blocks": int(common.names_blocks), "block_slots": block_slots,
    }  # fmt: skip


def _other(finding: np.void) -> Party | None:
    """Return the other thread of a finding, if one has a part in it."""
    if finding["other_thread"] < 0:
        return None
    return Party(int(finding["other_pc"]), int(finding["block"]), int(finding["other_thread"]))


def _addresses(array: np.ndarray) -> NDArray[np.int64]:
    """Return the address of each element (or row) of an array."""
    return array.ctypes.data + np.arange(len(array), dtype=np.int64) * array.strides[0]
