"""Measure the speed of the engines. Nothing here fails for being slow: figures are for reading, ratios for comparing.

The yardstick is a row: the time in which numpy adds 32 numbers of 32 bits that lie in the cache, measured in the same
run. ``pytest tests/benchmarks -n0`` prints the table; each line's ``extra_info`` (--benchmark-json) has the figures.
Beside other tests, where pytest-benchmark measures nothing, the same code runs on small launches.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np
import pytest

import warpview as wv
from warpview import library
from warpview.devices import load_device
from warpview.isa.program import Program
from warpview.sass import nvrtc
from warpview.sim.arguments.binding import Uninitialised, bind
from warpview.sim.arguments.values import dim3
from warpview.sim.engine import run_profile
from warpview.sim.engine_sm import run_sm, warm_up
from warpview.sim.history.events import SmOptions
from warpview.sim.launch import Launch, Options
from warpview.sim.memory import DeviceMemory
from warpview.sim.raw_counts import Raw
from warpview.trace import record

REDUCTIONS = (
    "interleaved", "strided_index", "sequential", "first_add", "unroll_last_warp", "unroll_completely",
    "many_per_thread",
)  # fmt: skip


@dataclass
class Prepared:
    """Hold a launch, ready to run as often as wanted."""

    program: Program
    launch: Launch
    memory: DeviceMemory

    def run(self, device: str, **options: object) -> int:
        """Run the launch on a copy of the memory; return the warp instructions issued."""
        outcome = run_profile(self.program, load_device(device), self.launch, self.memory.copy(), Options(**options))
        return int(outcome.counts[:, Raw.EXECUTED].sum())


def prepared(name: str, preset: str, compiler: str = "warpview") -> Prepared:
    """The first launch of a reduction: with the preset "full" that of 4,194,304 elements."""
    entry = library.entry(f"reduction/{name}")
    launch, values = entry.preset(preset).launches[0], library.launch_arguments(entry, preset, {})[0]
    arguments = {
        name: Uninitialised(value.shape, value.dtype) if isinstance(value, library.Blank) else value
        for name, value in values.items()
    }
    program = wv.compile(entry.path, kernel=launch.kernel, defines=entry.defines, compiler=compiler, device="h200")
    grid, block = dim3(launch.grid, "grid"), dim3(launch.block, "block")
    binding = bind(program, grid, block, arguments, launch.shared_bytes)
    return Prepared(program, binding.launch, binding.memory)


def shortened(launch: Launch, blocks: int) -> Launch:
    """The same launch with at most so many blocks."""
    return replace(launch, grid=(min(blocks, launch.grid[0]), 1, 1))


@pytest.fixture(scope="module")
def preset(request: pytest.FixtureRequest) -> str:
    """The large launches where time is measured; pytest-xdist's workers do not."""
    return "step" if hasattr(request.config, "workerinput") else "full"


@pytest.fixture(scope="module")
def reductions(preset: str) -> list[Prepared]:
    warm_up()
    return [prepared(name, preset) for name in REDUCTIONS]


@pytest.fixture(scope="module")
def row_seconds() -> float:
    """The yardstick; the best of several tries."""
    a, rows = np.arange(1 << 14, dtype=np.int32), (1 << 14) // 32
    best = np.inf
    for _ in range(200):
        start = time.perf_counter()
        np.add(a, a, out=a)
        best = min(best, time.perf_counter() - start)
    return best / rows


def measured(benchmark, launches: list[Prepared], row_seconds: float, device: str, **options: object) -> None:
    spent: list[tuple[float, float, int]] = []

    def run() -> None:
        wall, cpu = time.perf_counter(), time.process_time()
        issued = sum(launch.run(device, **options) for launch in launches)
        spent.append((time.perf_counter() - wall, time.process_time() - cpu, issued))

    benchmark.pedantic(run, rounds=2, warmup_rounds=0)
    wall, cpu, issued = min(spent)
    benchmark.extra_info.update(
        warp_instructions=issued,
        million_a_second=round(issued / wall / 1e6, 1),
        million_a_second_of_each_core=round(issued / cpu / 1e6, 1),
        rows_an_instruction=round(cpu / issued / row_seconds, 1),
    )


@pytest.mark.parametrize("device", ["h200", "8800gtx"])
def test_seven_reductions(benchmark, reductions, row_seconds, device):
    """All seven variants with every counter and check: the design asks for 3 s together on two cores."""
    measured(benchmark, reductions, row_seconds, device)


def test_seven_reductions_on_one_core(benchmark, reductions, row_seconds):
    measured(benchmark, reductions, row_seconds, "h200", threads=1)


def test_seven_reductions_without_checks(benchmark, reductions, row_seconds):
    measured(benchmark, reductions, row_seconds, "h200", check=False)


@pytest.mark.parametrize("recording", [True, False], ids=["recorded", "unrecorded"])
@pytest.mark.parametrize("device", ["h200", "8800gtx"])
def test_one_multiprocessor(benchmark, reductions, row_seconds, device, recording):
    """Four variants on a device of one multiprocessor, cycle by cycle: the design asks for 5 million a second."""
    chip = replace(load_device(device), multiprocessors=1)
    spent: list[tuple[float, int]] = []

    def run() -> None:
        for launch in reductions[:4]:
            memory = launch.memory.copy()
            small = shortened(launch.launch, 2048)
            start = time.process_time()
            result = run_sm(launch.program, chip, small, memory, Options(), SmOptions(record=recording)).result
            spent.append((time.process_time() - start, result.issued))

    benchmark.pedantic(run, rounds=2, warmup_rounds=0)
    cpu, issued = (sum(column) for column in zip(*spent[-4:], strict=True))
    benchmark.extra_info.update(
        warp_instructions=issued,
        million_a_second=round(issued / cpu / 1e6, 1),
        rows_an_instruction=round(cpu / issued / row_seconds, 1),
    )


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
def test_machine_code(benchmark, reductions, preset):
    """Time of a warp instruction of NVIDIA's machine code, as a multiple of the code as written: 1.5 is asked for."""
    compiled = [prepared(name, preset, "nvrtc") for name in REDUCTIONS]
    chip = replace(load_device("h200"), multiprocessors=1)

    def profile(launch: Prepared) -> int:
        return launch.run("h200", threads=1)

    def multiprocessor(launch: Prepared) -> int:
        small = shortened(launch.launch, 128)
        options = SmOptions(record=False)
        return run_sm(launch.program, chip, small, launch.memory.copy(), Options(), options).result.issued

    def seconds_an_instruction(engine, launches: list[Prepared]) -> float:
        start = time.process_time()
        issued = sum(engine(launch) for launch in launches)
        return (time.process_time() - start) / issued

    ratios: dict[str, float] = {}

    def run() -> None:
        for engine in (profile, multiprocessor):
            best = [min(seconds_an_instruction(engine, some[:2]) for _ in range(2)) for some in (compiled, reductions)]
            ratios[engine.__name__] = round(best[0] / best[1], 2)

    benchmark.pedantic(run, rounds=1)
    benchmark.extra_info.update(ratios)
    print(ratios)


@pytest.mark.parametrize("device", ["h200", "8800gtx"])
def test_frames(benchmark, reductions, device):
    """The state after any of half a million steps."""
    launch, chip = reductions[0], replace(load_device(device), multiprocessors=1)
    small = shortened(launch.launch, 1024)
    _, trace = record(launch.program, chip, small, launch.memory.copy())
    steps = iter(np.random.default_rng(1).integers(0, trace.steps, 10_000).tolist())
    benchmark.pedantic(lambda: trace.frame(next(steps)), rounds=100)
