"""Fill the constant banks of a program in NVIDIA's machine code, as a launch does.

Bank 0 begins with the shape of the launch and holds the parameters; banks 2 and 3 are constants of the compiler and
``__constant__`` variables; bank 4 holds addresses of ``__device__`` variables.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Capability, block_shared, capability_versions, load_capability
from warpview.isa.bank_places import OF_SPECIAL_REGISTERS, BankPlaces, bank_places
from warpview.isa.native import NativeProgram
from warpview.isa.program import NONE, Program, Special
from warpview.sim.launch import Launch, driver_shared_start
from warpview.sim.memory import CONST_WINDOW, LOCAL_WINDOW, SHARED_WINDOW

PARAMETERS, VARIABLES = 0, 3  # the banks of the parameters and of the __constant__ variables


def fill_constant_rows(program: Program, native: NativeProgram, launch: Launch) -> None:
    """Write the words of constant memory to their rows, given the rows of parameters and of the launch's shape."""
    banks = constant_banks(program, native, launch)
    for word in native.words:
        raw = banks[word.bank][word.offset : word.offset + 4]
        launch.uniform32[word.row] = int.from_bytes(raw, "little")


def constant_banks(program: Program, native: NativeProgram, launch: Launch) -> dict[int, bytes]:
    """Return the constant banks of a launch, by number."""
    parameters = parameter_bank(program, native, launch)
    addresses = address_bank(program, native, launch.uniform64)
    if native.grid_barrier is not None:
        place, source = native.grid_barrier
        struct.pack_into("<2I", parameters, place, *reversed(struct.unpack_from("<2I", addresses, source)))
    banks = {
        0: bytes(parameters),
        4: bytes(addresses),
        OF_SPECIAL_REGISTERS: _special_registers(program, native, launch),
    }
    return {bank: program.constant_bytes[start:] for bank, start in native.bank_starts.items()} | banks


def constant_memory(program: Program, launch: Launch) -> bytes:
    """Return the constant memory of a launch: with the bank of the parameters, where code reads computed places of
    it."""
    native = program.native
    if native is None or PARAMETERS not in native.bank_starts:
        return program.constant_bytes
    start = native.bank_starts[PARAMETERS]
    bank = parameter_bank(program, native, launch)
    return program.constant_bytes[:start] + bank[: len(program.constant_bytes) - start]


def parameter_bank(program: Program, native: NativeProgram, launch: Launch) -> bytearray:
    """Return bank 0: the shape of the launch, windows of the generic address space, the parameters."""
    bank, uniform32, uniform64 = bytearray(1 << 16), launch.uniform32, launch.uniform64
    if native.driver_shared_place is not None:
        start = native.shared_base + driver_shared_start(program, launch.dynamic_shared_bytes)
        struct.pack_into("<I", bank, native.driver_shared_place, start)
    places = bank_places(native.architecture)
    struct.pack_into("<3I", bank, places.block, *map(int, uniform32[Special.NTID_X : Special.NTID_Z + 1]))
    struct.pack_into("<3I", bank, places.grid, *map(int, uniform32[Special.NCTAID_X : Special.NCTAID_Z + 1]))
    if places.shared_window is not None:
        struct.pack_into("<Q", bank, places.shared_window, SHARED_WINDOW)
    x, y, z = map(int, uniform32[Special.CLUSTER_X : Special.CLUSTER_Z + 1])
    if places.has_clusters is not None:
        struct.pack_into("<I", bank, places.has_clusters, program.cluster is not None or x * y * z > 1)
        _pack_clusters(bank, places, (x, y, z), [int(uniform32[Special.NCTAID_X + k]) for k in range(3)])
    struct.pack_into("<Q", bank, places.local_window, LOCAL_WINDOW)
    struct.pack_into("<I", bank, places.stack, program.local_bytes)
    if places.dynamic_shared is not None:
        struct.pack_into("<I", bank, places.dynamic_shared, launch.dynamic_shared_bytes)
    if places.reserved_shared is not None:
        struct.pack_into("<I", bank, places.reserved_shared, capability_of(native.architecture).shared_reserved)
    if places.whole_shared is not None:
        own = program.static_shared_bytes + launch.dynamic_shared_bytes
        struct.pack_into("<I", bank, places.whole_shared, own + capability_of(native.architecture).shared_reserved)
    if places.multiprocessors is not None:
        struct.pack_into("<I", bank, places.multiprocessors, launch.multiprocessors)
    if places.launch_number is not None:
        struct.pack_into("<Q", bank, places.launch_number, launch.number)
    struct.pack_into("<Q", bank, places.constants, CONST_WINDOW + native.bank_starts.get(VARIABLES, 0))
    for param in program.params:
        value = uniform64[param.row] if param.type.is_wide else uniform32[param.row]
        at = native.parameter_base + native.parameter_offsets[param.name] + param.offset
        bank[at : at + param.type.bytes] = int(value).to_bytes(8, "little")[: param.type.bytes]
    return bank


@cache
def capability_of(architecture: int) -> Capability:
    """Return the compute capability that machine code of an architecture, such as 90, is for; else the last one
    before."""
    known = [load_capability(version) for version in capability_versions()]
    return max((each for each in known if 0 < each.sass <= architecture), key=lambda each: each.sass)


def _special_registers(program: Program, native: NativeProgram, launch: Launch) -> bytes:
    """Return the words of the special registers that a launch decides (special.OF_LAUNCH): the warps that a
    multiprocessor holds, from bit 8, and the block's shared memory, as it is allocated, with what the device reserves.
    (Read from an H200.)"""
    chip, own = capability_of(native.architecture), program.static_shared_bytes + launch.dynamic_shared_bytes
    return struct.pack("<2I", chip.max_warps << 8, block_shared(chip, own))


def _pack_clusters(bank: bytearray, places: BankPlaces, cluster: Sequence[int], grid: Sequence[int]) -> None:
    """Write the extents of a cluster in blocks, with their reciprocals, and those of the grid in clusters."""
    assert places.cluster is not None
    assert places.cluster_reciprocals is not None
    assert places.clusters is not None
    assert places.cluster_blocks is not None
    struct.pack_into("<3I", bank, places.cluster, *cluster)
    struct.pack_into("<3f", bank, places.cluster_reciprocals, *(1 / extent for extent in cluster))
    struct.pack_into("<3I", bank, places.clusters, *(g // c for g, c in zip(grid, cluster, strict=True)))
    struct.pack_into("<I", bank, places.cluster_blocks, math.prod(cluster))


def address_bank(program: Program, native: NativeProgram, uniform64: NDArray[np.uint64]) -> bytearray:
    """Return bank 4: the addresses of device variables."""
    size = max((at + 8 for at, _ in native.addresses), default=0)
    bank = bytearray(size)
    base = 0 if program.device_row == NONE else int(uniform64[program.device_row])
    for at, target in native.addresses:
        struct.pack_into("<Q", bank, at, native.placed.get(at, base + target))
    return bank
