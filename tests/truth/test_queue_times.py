"""Warps issue as many accesses before others are served as on an H100: see times/queues/misses.cu and filled.cu."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview.devices import load_device
from warpview.isa.program import Program
from warpview.sass import nvrtc
from warpview.sim.arguments.binding import bind
from warpview.sim.engine_sm import run_sm
from warpview.sim.history.events import SmOptions
from warpview.sim.launch import Options

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

HERE = Path(__file__).parent
ACCESSES = {"load": 0, "load_l2": 3, "store": 4}  # of misses.cu
ROOM = 16 << 20


@cache
def measured() -> dict[tuple[str, int], list[int]]:
    """Return by kind and warps the cycles after which a multiprocessor has issued its accesses, each time one more of
    each warp."""
    with (HERE / "misses_h100.csv").open(newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {
            (row["kind"], int(row["warps"])): [int(cycle) for cycle in row["cycles"].split()]
            for row in rows
            if row["which"] == "of_all"
        }


@cache
def compiled(first: str, second: str, before: int, n: int) -> Program:
    text = (HERE / "times" / "queues" / "misses.cu").read_text(encoding="utf-8")
    clock = text[text.index("#define NOW") : text.index("static char")]
    text = clock + text[text.index("enum Access") : text.index("__global__ void touch")]
    kernel = f"times_of<(Access){ACCESSES[first]}, (Access){ACCESSES[second]}, {before}, {n}, 1>"
    return wv.compile(text, kernel, compiler="nvrtc", device="h100")


def simulated(program: Program, warps: int, accesses: int, lane: int, step: int, warp: int) -> list[int]:
    """Return the same as ``measured``, of accesses ``lane`` bytes from lane to lane, ``step`` from one to the next."""
    out = np.zeros(64 * 64, np.uint32)
    arguments = [np.zeros(ROOM, np.int8), lane, step, warp, ROOM, 0, out, np.zeros(1024, np.float32)]
    bound = bind(program, (1, 1, 1), (32 * warps, 1, 1), arguments, 0)
    options = SmOptions(record=False)
    done = run_sm(program, load_device("h100"), bound.launch, bound.memory, Options(check=False), options)
    noted = next(b for b in bound.buffers.values() if b.read(done.outcome.memory).dtype == np.uint32)
    cycles = np.sort(noted.read(done.outcome.memory)[: warps * accesses].astype(np.int64))
    return [int(cycle) for cycle in cycles[warps - 1 :: warps]]


def far_apart(ours: list[int], theirs: list[int]) -> float:
    """Return by how much the cycles of accesses differ, in the mean, those of the start of the clock left aside."""
    start = 30
    return float(np.mean([abs((a + start) / (b + start) - 1) for a, b in zip(ours, theirs, strict=True)]))


@pytest.mark.parametrize("warps", [4, 8])
def test_loads_of_32_lines_wait_in_the_queue_as_many_as_on_the_hardware(warps: int) -> None:
    n = 20
    ours = simulated(compiled("load", "load", 0, n), warps, n, 128, 4096, 4096 * n)
    assert far_apart(ours, measured()["32_lines_dram", warps]) < 0.1


def test_stores_behind_loads_have_their_registers_read_as_on_the_hardware() -> None:
    ours = simulated(compiled("load_l2", "store", 8, 16), 4, 24, 128, 32, 8192)
    assert far_apart(ours, measured()["stores_behind_8_loads", 4]) < 0.1


def test_loads_behind_stores_have_their_registers_read_as_on_the_hardware() -> None:
    ours = simulated(compiled("store", "load_l2", 8, 24), 4, 32, 128, 32, 8192)
    assert far_apart(ours, measured()["loads_behind_8_stores", 4]) < 0.15


FILL = """
__global__ void __launch_bounds__(1024, 1) fill(const float *data, int *out, float *sink)
{
    extern __shared__ float unused[];
    float value[14], sum = 0;
    int times[14], start, warp = (blockIdx.x * 1024 + threadIdx.x) / 32;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(start)::"memory");
    #pragma unroll
    for (int k = 0; k < 14; k++) {
        const float *at = data + (warp * 14 + k) * 256 + threadIdx.x % 32 * 8;
        asm volatile("ld.global.f32 %0, [%1];" : "=f"(value[k]) : "l"(at) : "memory");
        asm volatile("mov.u32 %0, %%clock;" : "=r"(times[k])::"memory");
    }
    for (int k = 0; k < 14; k++)
        sum += value[k];
    sink[threadIdx.x] = sum;
    for (int k = 0; k < 14; k++)
        out[blockIdx.x * 448 + threadIdx.x / 32 * 14 + k] = times[k] - start;
}
"""


@pytest.mark.parametrize("shared", [0, 98304, 196608])
def test_warps_wait_to_load_when_all_lines_of_l1_wait_for_data(shared: int) -> None:
    with (HERE / "filled_h100.csv").open(newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    row = next(r for r in rows if (r["kind"], r["blocks"], r["warps"]) == ("lines_in_part", "132", "32")
               and (int(r["shared"]), r["warm"]) == (shared, "0"))  # fmt: skip
    theirs = [int(cycle) for cycle in row["cycles"].split()]
    program = wv.compile(FILL, "fill", compiler="nvrtc", device="h100")
    arguments = [np.zeros(132 * 32 * 14 * 256, np.float32), np.zeros(132 * 448, np.int32), np.zeros(1024, np.float32)]
    bound = bind(program, (132, 1, 1), (1024, 1, 1), arguments, shared)
    options = SmOptions(record=False, estimate=True)
    done = run_sm(program, load_device("h100"), bound.launch, bound.memory, Options(check=False), options)
    noted = next(b for b in bound.buffers.values() if b.read(done.outcome.memory).dtype == np.int32)
    ours = np.sort(noted.read(done.outcome.memory)[:448])[31::32]
    # Accesses in turn until the L1 is full, and then as many as DRAM serves.
    assert sum(ours < 2000) == pytest.approx(sum(cycle < 2000 for cycle in theirs), abs=2)
    assert ours[-1] == pytest.approx(theirs[-1], rel=0.3)
