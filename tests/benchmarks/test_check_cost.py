"""Measure the cost of the checks: library kernels' time with and without them. Run with ``-s`` for the table."""

from __future__ import annotations

import time
from statistics import geometric_mean

import pytest

from warpview import library
from warpview.run import simulate_preset

KERNELS = "reduction/interleaved", "histogram/shared", "matmul/register_blocked"
ROUNDS = 2
MOST = 1.5


def seconds(entry: library.Entry, check: bool) -> float:
    start = time.process_time()
    simulate_preset(entry, "full", "h200", check=check)
    return time.process_time() - start


@pytest.mark.exhaustive
def test_checks_cost_at_most_half_as_much_again() -> None:
    ratios = []
    for key in KERNELS:
        entry = library.entry(key)
        simulate_preset(entry, "step", "h200")  # compiles the kernel
        pairs = [(seconds(entry, True), seconds(entry, False)) for _ in range(ROUNDS)]
        on, off = (min(times) for times in zip(*pairs, strict=True))
        ratios.append(on / off)
        print(f"| {key} | {1000 * off:.0f} ms | {1000 * on:.0f} ms | {on / off:.2f} |")
    mean = geometric_mean(ratios)
    print(f"| geometric mean | | | {mean:.2f} |")
    assert mean <= MOST
