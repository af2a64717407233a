"""Both engines find the same accesses by memory partition in the blocks that are on a device at once."""

from __future__ import annotations

import numpy as np
import pytest

from warpview import library
from warpview.devices import load_device
from warpview.frontend import compile_source
from warpview.sim.arguments.binding import Binding, bind
from warpview.sim.launch import Options
from warpview.sim.reference import contention_sampler as reference_sampler
from warpview.sim.timing import contention, contention_sampler

ENTRY = library.entry("transpose/padded_16")
PROGRAM = compile_source(ENTRY.source, ENTRY.preset("step").launches[0].kernel)


def bound() -> Binding:
    matrix = np.arange(64 * 512, dtype=np.float32)
    return bind(PROGRAM, (4, 32, 1), (16, 16, 1), [matrix, np.zeros_like(matrix), 64, 512], 0)


@pytest.mark.parametrize("key", ["8800gtx", "c1060"])
def test_loads_by_partition(key: str) -> None:
    device, blocks = load_device(key), range(3, 20)
    given = (PROGRAM, device, bound().launch)
    a = reference_sampler.ReferenceContentionSampler(*given, bound().memory, Options()).traffic(blocks).partitions
    b = contention_sampler.ContentionSampler(*given, bound().memory, Options()).traffic(blocks).partitions
    assert a.shape == (len(PROGRAM.instructions), device.memory_partitions)
    sectors = 2 * 256 * 4 // 32  # a load and a store of each thread, coalesced
    assert a.sum() == 1024 * sectors * len(blocks)
    assert np.array_equal(a, b)


def test_memory_is_left_alone() -> None:
    given = bound()
    before = given.memory.data.copy()
    device = load_device("8800gtx")
    contention_sampler.ContentionSampler(PROGRAM, device, given.launch, given.memory, Options()).traffic(range(8))
    assert np.array_equal(given.memory.data, before)


def test_both_stop_when_they_have_seen_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (contention, contention_sampler, reference_sampler):
        monkeypatch.setattr(module, "ENOUGH_INSTRUCTIONS", 1000)
    given = (PROGRAM, load_device("c1060"), bound().launch)
    a = reference_sampler.ReferenceContentionSampler(*given, bound().memory, Options()).traffic(range(128)).partitions
    b = contention_sampler.ContentionSampler(*given, bound().memory, Options()).traffic(range(128)).partitions
    assert 0 < a.sum() < 1024 * 64 * 128
    assert np.array_equal(a, b)


def test_atomics_by_slice() -> None:
    """Of the device that hashes addresses, only atomics are looked at."""
    entry, device = library.entry("histogram/global"), load_device("h200")
    program = compile_source(entry.source, entry.preset("step").launches[0].kernel)
    values = (np.arange(2048, dtype=np.int64) * 7919 % 3000).astype(np.int32)
    found = []
    for sampler in (reference_sampler.ReferenceContentionSampler, contention_sampler.ContentionSampler):
        given = bind(program, (4, 1, 1), (128, 1, 1), [values, np.zeros(3000, dtype=np.int32), values.size], 0)
        found.append(sampler(program, device, given.launch, given.memory, Options()).traffic(range(4)))
    assert np.array_equal(found[0].slices, found[1].slices)
    assert np.count_nonzero(found[0].slices) > 20  # 12,000 bytes
    assert not found[0].partitions.size
