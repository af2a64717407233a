"""The memory rules count what an NVIDIA H200 did for the address patterns of the probes, computed here."""

import csv
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from warpview.devices import load_device
from warpview.sim.raw_counts import Raw, memory_counts
from warpview.sim.rules import global_access, shared_access

H200 = load_device("h200")
THREADS = np.arange(64 * 256)
Lanes = NDArray[np.int64]

with (Path(__file__).parent / "h200_probes.csv").open() as table:
    PROBES = list(csv.DictReader(table))


def hashed(x: Lanes) -> Lanes:
    """The integer hash of the probes."""
    h = x.astype(np.uint32)
    h = (h ^ h >> np.uint32(16)) * np.uint32(0x7FEB352D)
    h = (h ^ h >> np.uint32(15)) * np.uint32(0x846CA68B)
    return (h ^ h >> np.uint32(16)).astype(np.int64)


INDEX: dict[str, Callable[[Lanes], Lanes]] = {
    "index=0": lambda i: 0 * i,
    "index=i%32": lambda i: i % 32,
    "index=i/2%512": lambda i: i // 2 % 512,
    "index=i*2%1024": lambda i: i * 2 % 1024,
    "index=i*8%1024": lambda i: i * 8 % 1024,
    "index=i*32%1024": lambda i: i * 32 % 1024,
    "index=i*33%1024": lambda i: i * 33 % 1024,
    "index=(i%4)*32+(i/4)%8": lambda i: i % 4 * 32 + i // 4 % 8,
    "index=hash(i)%16": lambda i: hashed(i) % 16,
    "index=hash(i)%256": lambda i: hashed(i) % 256,
    "index=hash(i)%2^20": lambda i: hashed(i) % (1 << 20),
}


@cache
def one_access(kind: str, shared: bool, addresses: tuple[int, ...], mask: int, width: int) -> tuple[int, ...]:
    """(requests, sectors, wavefronts, conflicts) of one warp."""
    rule = shared_access if shared else global_access
    counts = memory_counts(rule(kind, addresses, mask, width, H200))
    waves, ideal = counts.get(Raw.WAVEFRONTS, 0), counts.get(Raw.IDEAL_WAVEFRONTS, 0)
    return counts.get(Raw.REQUESTS, 0), counts.get(Raw.SECTORS, 0), waves, waves - ideal


def count(space: str, kind: str, elements: Lanes, size: int, on: NDArray[np.bool_] | None = None) -> dict[str, int]:
    """What the launch counts for one instruction at ``elements`` of ``size`` bytes, one entry a thread."""
    on = np.ones(len(elements), dtype=bool) if on is None else on
    total = np.zeros(4, dtype=np.int64)
    for start in range(0, len(elements), 32):
        addresses = elements[start : start + 32] * size
        addresses -= addresses.min() // 4096 * 4096
        mask = sum(1 << int(k) for k in np.flatnonzero(on[start : start + 32]))
        total += one_access(kind, space == "shared", tuple(addresses.tolist()), mask, size)
    short = {"load": "ld", "store": "st", "atomic": "atom", "reduction": "red"}[kind]
    if space == "shared":
        short = {"red": "atom"}.get(short, short)
        return {f"shared_{short}_wavefronts": int(total[2]), f"shared_{short}_bank_conflicts": int(total[3])}
    return {f"global_{short}_requests": int(total[0]), f"global_{short}_sectors": int(total[1])}


def value(probe: dict[str, str]) -> int:
    """The number of a case such as "stride=3"."""
    return int(probe["case"].partition("=")[2] or 0)


def streams(probe: dict[str, str]) -> Iterator[dict[str, int]]:
    """Yield the counts of kernels that move data between two arrays in global memory."""
    i, kernel = THREADS, probe["kernel"]
    if kernel in ("gld_offset", "gld_float2", "gld_float4"):
        size = {"gld_offset": 4, "gld_float2": 8, "gld_float4": 16}[kernel]
        yield count("global", "load", i + value(probe), size)
        yield count("global", "store", i, size)
    elif kernel == "gst_offset":
        yield count("global", "load", i, 4)
        yield count("global", "store", i + value(probe), 4)
    elif kernel in ("gld_stride", "gld_double_stride", "gld_float4_stride"):
        size = {"gld_stride": 4, "gld_double_stride": 8, "gld_float4_stride": 16}[kernel]
        yield count("global", "load", i * value(probe), size)
        yield count("global", "store", i, size)
    elif kernel == "gst_stride":
        yield count("global", "load", i, 4)
        yield count("global", "store", i * value(probe), 4)
    elif kernel in ("gld_char", "gld_short"):
        size = 1 if kernel == "gld_char" else 2
        yield count("global", "load", i, size)
        yield count("global", "store", i, size)
    elif kernel in ("gld_broadcast", "gld_reverse"):
        yield count("global", "load", i // 32 if kernel == "gld_broadcast" else i ^ 31, 4)
        yield count("global", "store", i, 4)
    elif kernel == "gld_masked":
        for kind in ("load", "store"):
            yield count("global", kind, i, 4, i % value(probe) == 0)
    elif kernel == "gld_float3":
        for component in range(3):
            yield count("global", "load", 3 * i + component, 4)
            yield count("global", "store", 3 * i + component, 4)


def indexed(probe: dict[str, str]) -> Iterator[dict[str, int]]:
    """Yield the counts of kernels with an index array."""
    i, kernel = THREADS, probe["kernel"]
    index = INDEX[probe["case"]](i)
    yield count("global", "load", i if kernel[0] == "g" else i % 256, 4)
    if kernel in ("gld_gather", "gst_scatter"):
        yield count("global", "load", index if kernel == "gld_gather" else i, 4)
        yield count("global", "store", i if kernel == "gld_gather" else index, 4)
    elif kernel == "gred_add":
        yield count("global", "reduction", index, 4)
    elif kernel == "gatom_add":
        yield count("global", "atomic", index, 4)
        yield count("global", "store", i, 4)
    else:  # sld_index, sred_add: 256 threads fill 1024 words, then use them
        block = index[i % 256]
        for step in range(4):
            yield count("shared", "store", i % 256 + 256 * step, 4)
        if kernel == "sred_add":
            yield count("shared", "reduction", block, 4)
        yield count("shared", "load", block if kernel == "sld_index" else i % 256, 4)
        yield count("global", "store", i, 4)


def shared(probe: dict[str, str]) -> Iterator[dict[str, int]]:
    """Yield the counts of kernels on shared memory, one warp a block."""
    kernel, stride, lane = probe["kernel"], value(probe), np.tile(np.arange(32), 64)
    if kernel == "sld_byte":
        threads = THREADS % 256
        yield count("shared", "store", threads, 1)
        yield count("shared", "load", threads ^ 3, 1)
        yield count("global", "store", THREADS, 1)
        return
    size = {"sld_double_stride": 8, "sld_float4_stride": 16}.get(kernel, 4)
    if kernel == "sst_stride":
        yield count("shared", "store", lane * stride, 4)
        yield count("shared", "load", lane, 4)
    else:
        for step in range(stride):
            yield count("shared", "store", lane + 32 * step, size)
        yield count("shared", "load", lane * stride, size)
    yield count("global", "store", np.arange(64 * 32), size)


def accesses(probe: dict[str, str]) -> Iterator[dict[str, int]]:
    kernel = probe["kernel"]
    if kernel in ("gld_gather", "gst_scatter", "gred_add", "gatom_add", "sld_index", "sred_add"):
        return indexed(probe)
    return shared(probe) if kernel[0] == "s" else streams(probe)


COVERED = [p for p in PROBES if p["kernel"][:3] in ("gld", "gst", "gre", "gat", "sld", "sst", "sre")]


def test_most_probes_are_covered() -> None:
    assert len(PROBES) == 188
    assert len(COVERED) == 162


@pytest.mark.sample(3)
@pytest.mark.parametrize("probe", COVERED, ids=lambda p: f"{p['kernel']} {p['case']}".strip())
def test_counts_equal_the_hardwares(probe: dict[str, str]) -> None:
    got: dict[str, int] = {}
    for part in accesses(probe):
        for key, number in part.items():
            got[key] = got.get(key, 0) + number
    columns = [
        key
        for key in probe
        if key.startswith(("global_", "shared_"))
        and key.endswith(("_requests", "_sectors", "_wavefronts", "_conflicts"))
    ]
    assert {key: got.get(key, 0) for key in columns} == {key: int(probe[key]) for key in columns}
