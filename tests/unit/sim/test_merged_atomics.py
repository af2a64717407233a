"""Atomics of which the compiler makes one a warp take the time of one, and count as the source has them.

Which atomics NVRTC merges is looked up in its code, in tests/sass/test_merged_atomics.py.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import warpview as wv
from warpview.devices import load_device
from warpview.isa.ops import ATOMIC_OPS
from warpview.sim.arguments.binding import bind
from warpview.sim.engine_sm import SmRun, run_sm
from warpview.sim.history.events import SmOptions
from warpview.sim.launch import Options
from warpview.sim.raw_counts import Raw
from warpview.sim.reference.machine_sm import run_sm_reference

HEAD = "__global__ void kernel(int *c, int *o) { int t = blockIdx.x * blockDim.x + threadIdx.x; "
COUNTER, PLACES = "if (t % 4) atomicAdd(c, 1);", "if (t % 4) o[atomicAdd(c, 1) & 63] = t;"
BODIES = [
    COUNTER, PLACES, "atomicMax(c, o[t]);", "o[t] = atomicAdd(c, t);", "if (t > 40) o[t] = atomicAdd(c, t);",
    "for (int k = 0; k < 5; k++) if (t >= 8 * k) atomicAdd(&c[k], 1);",
]  # fmt: skip
ESTIMATE = SmOptions(record=False, estimate=True)


def run_of(body: str, device: str = "h200", compiler: str = "warpview") -> tuple[wv.Program, SmRun]:
    """Return what 8448 blocks of 256 threads take."""
    program = wv.compile(f"{HEAD}{body} }}", "kernel", compiler=compiler, device=device)
    bound = bind(program, (8448, 1, 1), (256, 1, 1), [np.zeros(64, np.int32), np.zeros(8448 * 256, np.int32)], 0)
    return program, run_sm(program, load_device(device), bound.launch, bound.memory, Options(check=False), ESTIMATE)


@pytest.mark.parametrize("body", BODIES)
def test_both_engines_agree(body: str) -> None:
    program, device = wv.compile(f"{HEAD}{body} }}", "kernel"), replace(load_device("h200"), multiprocessors=1)
    runs = []
    for run in (run_sm_reference, run_sm):
        arrays = [np.zeros(64, np.int32), np.arange(96, dtype=np.int32)]
        bound = bind(program, (3, 1, 1), (32, 1, 1), arrays, 0)
        runs.append(run(program, device, bound.launch, bound.memory, Options(), SmOptions()))
    assert np.array_equal(runs[0].events.cycle, runs[1].events.cycle)
    assert np.array_equal(runs[0].result.stalls, runs[1].result.stalls)


@pytest.mark.parametrize("body", [COUNTER, PLACES])
def test_times_are_those_of_machine_code(body: str) -> None:
    """As many passes as there are lanes would take 24 times as long."""
    _, written = run_of(body)
    _, compiled = run_of(body, compiler="nvrtc")
    assert written.result.time_us == pytest.approx(compiled.result.time_us, rel=0.15)


def test_counters_are_those_of_the_source() -> None:
    program, run = run_of(COUNTER)
    (at,) = (n for n, instruction in enumerate(program.instructions) if instruction.op in ATOMIC_OPS)
    assert run.result.counts[at, Raw.SECTORS] == 8 * 24 * run.result.blocks_run


def test_older_compilers_left_atomics_as_they_are() -> None:
    _, older = run_of(COUNTER, "v100")
    _, apart = run_of("if (t % 4) atomicAdd(&c[threadIdx.x / 512], 1);", "v100")
    assert older.result.time_us == pytest.approx(apart.result.time_us, rel=0.05)
