"""Give the numbers of cudaDeviceProp for a device: what include/warpview/device_properties.def lists."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from warpview.devices import Device
from warpview.isa.ops import Unit
from warpview.resources import assets_dir

_LIST = Path(__file__).parent.parent / "include" / "warpview" / "device_properties.def"
_NO_UNIT = 4096  # issue cycles of a unit that the device lacks


def property_values(device: Device, memory_bytes: int) -> list[int]:
    """Return the numbers of cudaDeviceProp in the order of that list, for a device with ``memory_bytes`` of global
    memory. What warpview's runtime lacks, such as memory shared between processes, is 0."""
    known = {
        **_sizes(device, memory_bytes),
        **_speeds(device),
        **_features(device),
        **by_capability(device.capability),
        "maxThreadsDim": device.max_block_dims,
        "maxGridSize": device.max_grid_dims,
    }
    values: list[int] = []
    for name, count in _listed():
        value = known.get(name, 0)
        values += (value,) if isinstance(value, int) else value
        assert isinstance(value, int) == (count == 1) or name not in known, name
    return values


@cache
def _listed() -> tuple[tuple[str, int], ...]:
    """Return the names of the properties, and how many numbers each has."""
    rows = re.findall(r"^WV_PROPERT\w+\([^,]+, (\w+)(?:, (\d+))?\)$", _LIST.read_text(encoding="utf-8"), re.MULTILINE)
    return tuple((name, int(count or 1)) for name, count in rows)


@cache
def by_capability(capability: tuple[int, int]) -> Mapping[str, int | tuple[int, ...]]:
    """Return the properties that follow from a compute capability alone: the largest textures, and features."""
    with (assets_dir() / "devices" / "properties.csv").open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(line for line in file if not line.startswith("#"))
    versions = [tuple(map(int, version.split("."))) for version in header[1:]]
    column = max(k for k, version in enumerate(versions, start=1) if version <= capability)
    return {row[0]: _numbers(row[column]) for row in rows}


def _numbers(cell: str) -> int | tuple[int, ...]:
    first, *others = map(int, cell.split())
    return (first, *others) if others else first


def most_persisting_bytes(device: Device) -> int:
    """Return the bytes of the L2 that can be set aside for persisting accesses: ten sixteenths of it, as an H200
    reports, where there are such accesses."""
    if device.l2 is None or not by_capability(device.capability)["accessPolicyMaxWindowSize"]:
        return 0
    return device.l2.bytes // 16 * 10


def _sizes(device: Device, memory_bytes: int) -> dict[str, int]:
    """Return how much there is of memory, registers, threads and blocks."""
    return {
        "totalGlobalMem": memory_bytes,
        "sharedMemPerBlock": device.shared_per_block,
        "sharedMemPerBlockOptin": device.shared_per_block_optin,
        "sharedMemPerMultiprocessor": device.shared_bytes,
        "reservedSharedMemPerBlock": device.shared_reserved,
        "regsPerBlock": device.registers_per_block,
        "regsPerMultiprocessor": device.registers,
        "warpSize": 32,
        "maxThreadsPerBlock": device.max_threads_per_block,
        "maxThreadsPerMultiProcessor": device.max_threads,
        "maxBlocksPerMultiProcessor": device.max_blocks,
        "multiProcessorCount": device.multiprocessors,
        "totalConstMem": device.constant_bytes,
        "l2CacheSize": device.l2.bytes if device.l2 is not None else 0,
        "persistingL2CacheMaxSize": most_persisting_bytes(device),
        "texturePitchAlignment": 32,
        "surfaceAlignment": 512,
    }


def _speeds(device: Device) -> dict[str, int]:
    """Return clocks in kHz, the width of the memory bus in bits, and how much slower doubles are than floats."""
    cycles = device.issue_cycles
    doubles = cycles[Unit.FP64]
    return {
        "clockRate": round(device.clock_mhz * 1000),
        "memoryClockRate": round(device.memory_gtps * 1e6 / 2),
        "memoryBusWidth": device.bus_bits,
        "singleToDoublePrecisionPerfRatio": 0 if doubles == _NO_UNIT else doubles // cycles[Unit.FMA],
    }


def _features(device: Device) -> dict[str, int]:
    """Return what the device can do: 1 where it can, and numbers that name it."""
    major, minor = device.capability
    return {
        "major": major,
        "minor": minor,
        "pciBusID": 1,
        "deviceNumaId": -1,
        "hostNumaId": -1,
        "hostRegisterSupported": 1,
        "globalL1CacheSupported": int(device.l1_caches_global),
        "localL1CacheSupported": int(device.l1 is not None),
        "concurrentManagedAccess": int(device.managed_access),
        "clusterLaunch": int(device.largest_cluster > 0),
    }
