"""The jitted costs of memory accesses are those of ``sim/rules``, on every device and random patterns of addresses."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from warpview.devices import device_keys, load_device
from warpview.isa.types import Space
from warpview.sim import rules
from warpview.sim.engine import warm_up
from warpview.sim.jit import machine_code
from warpview.sim.jit.machine import aligned_records
from warpview.sim.jit.state import MACHINE, PATTERN
from warpview.sim.raw_counts import FIGURES, memory_counts
from warpview.sim.rules.banks import with_serial_atomics

KINDS = {"load": 0, "store": 1, "atomic": 2}
SERIAL_ATOMIC = 3  # of machine code


def devices():
    """One of each set of memory rules, and the 8-byte bank mode of CC 3.x."""
    found = {}
    for key in device_keys():
        device = load_device(key)
        for width in device.shared_bank_widths:
            moded = replace(device, shared_bank_width=width)
            found.setdefault((rules.rule_codes(moded), device.coalescing), moded)
    return list(found.values())


class Costs:
    """Compute the jitted costs on a device."""

    def __init__(self, device, cached=True):
        warm_up()
        self.machine, self.pattern = aligned_records(1, MACHINE), aligned_records(1, PATTERN)
        for name, value in rules.rule_codes(device, cached)._asdict().items():
            self.machine[name] = value

    def __call__(self, space, kind, addresses, mask, width, read_only=False):
        self.machine["address"][0] = addresses
        machine_code.entry("compute_cost")(
            self.machine.ctypes.data,
            self.pattern.ctypes.data,
            space,
            KINDS.get(kind, SERIAL_ATOMIC),
            width,
            int(read_only),
            mask,
        )
        figures = {column: int(self.pattern[column.name.lower()][0]) for column in FIGURES}
        return {column: figure for column, figure in figures.items() if figure}


def random_access(rng, width, limit):
    """Draw addresses of 32 lanes and a mask that is not empty: strides, permutations, few or many places, anything."""
    lane = np.arange(32)
    style = rng.integers(6)
    if style == 0:
        index = lane * rng.integers(0, 40) + rng.integers(0, 200)
    elif style == 1:
        index = rng.permutation(32) + rng.integers(0, 64)
    elif style == 2:
        index = rng.integers(0, rng.integers(1, 40), 32)
    elif style == 3:
        index = lane // rng.integers(1, 9) * rng.integers(1, 9)
    elif style == 4:
        index = lane ^ rng.integers(0, 32)
    else:
        index = rng.integers(0, limit // width, 32)
    mask = int(rng.choice([0xFFFFFFFF, 0xFFFF, 0x55555555, 1 << rng.integers(32), rng.integers(1, 1 << 32)]))
    return (index * width % limit).tolist(), mask


@pytest.mark.parametrize("device", devices(), ids=lambda d: f"{d.key}-{d.shared_bank_width}")
def test_costs_equal_the_rules(device):
    rng, costs = np.random.default_rng(7), Costs(device)
    for _ in range(120):
        width = int(rng.choice([1, 2, 4, 4, 4, 8, 16]))
        addresses, mask = random_access(rng, width, 1 << 14)
        case = SimpleNamespace(addresses=addresses, mask=mask, width=width)
        for kind in KINDS:
            read_only = kind == "load" and bool(rng.integers(2))
            near = rules.global_access(kind, addresses, mask, width, device, read_only=read_only)
            assert costs(Space.GLOBAL, kind, addresses, mask, width, read_only) == memory_counts(near), case
            shared = rules.shared_access(kind, addresses, mask, width, device)
            assert costs(Space.SHARED, kind, addresses, mask, width) == memory_counts(shared), case
            if kind != "atomic":
                local = rules.local_access(kind, addresses, mask, width, device)
                assert costs(Space.LOCAL, kind, addresses, mask, width) == memory_counts(local), case
        serial = rules.shared_access("atomic", addresses, mask, width, with_serial_atomics(device))
        assert costs(Space.SHARED, "serial", addresses, mask, width) == memory_counts(serial), case
        const = rules.const_access(addresses, mask, width, device)
        assert costs(Space.CONST, "load", addresses, mask, width) == memory_counts(const), case


def test_loads_around_the_l1_of_cc_2():
    device, rng = load_device("c2050"), np.random.default_rng(3)
    costs = Costs(device, cached=False)
    for _ in range(100):
        addresses, mask = random_access(rng, 4, 1 << 14)
        near = rules.global_access("load", addresses, mask, 4, device, cached=False)
        assert costs(Space.GLOBAL, "load", addresses, mask, 4) == memory_counts(near)
