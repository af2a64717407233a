"""The jitted multiprocessor does what the readable one does: every event, cycle, stall, counter and frame."""

from __future__ import annotations

from dataclasses import fields
from random import Random

import numpy as np
import pytest
from agreement.random_kernels import RandomKernel, kernels, write_kernel
from hypothesis import HealthCheck, given, settings
from support.agreement import findings
from support.kernels import ROTATE
from support.programs import Case, cases

from warpview.devices import Device, load_device
from warpview.diagnostics import SourceText
from warpview.frontend import compile_source
from warpview.isa.program import Program
from warpview.sim.arguments.binding import Binding, bind
from warpview.sim.engine_sm import SmRun, run_sm
from warpview.sim.history.events import Inefficiency, SmOptions, SmResult
from warpview.sim.history.snapshot import StateReplay
from warpview.sim.launch import Options
from warpview.sim.memory import DeviceMemory
from warpview.sim.raw_counts import Raw
from warpview.sim.reference.machine_sm import ReferenceSmRun as ReferenceRun
from warpview.sim.reference.machine_sm import run_sm_reference
from warpview.sim.reference.replay import ReferenceReplay

DEVICES = ("8800gtx", "c2050", "k40", "h200")


def both(program: Program, device: Device, bindings: tuple[Binding, Binding], options: Options, sm: SmOptions):
    reference = run_sm_reference(program, device, bindings[0].launch, bindings[0].memory, options, sm)
    jitted = run_sm(program, device, bindings[1].launch, bindings[1].memory, options, sm)
    return reference, jitted


def assert_same_run(program: Program, a: ReferenceRun, b: SmRun) -> None:
    for field in fields(a.events):
        x, y = getattr(a.events, field.name), getattr(b.events, field.name)
        n = min(len(x), len(y))
        different = np.flatnonzero(x[:n] != y[:n])
        assert not len(different), f"{field.name} of event {different[0]}: {x[different[0]]} and {y[different[0]]}"
    assert len(a.events) == len(b.events)
    for field in fields(SmResult):
        x, y = getattr(a.result, field.name), getattr(b.result, field.name)
        assert np.array_equal(x, y), f"{field.name}: {x} and {y}"
    assert findings(a.outcome) == findings(b.outcome)
    assert a.outcome.aborted == b.outcome.aborted
    assert repr(a.outcome.printed) == repr(b.outcome.printed)
    for pc, column in zip(*np.nonzero(a.outcome.counts != b.outcome.counts), strict=True):
        raise AssertionError(f"{Raw(column).name} of {program.instructions[pc].op.name} at {pc}")
    assert_same_memory(a.outcome.memory, b.outcome.memory)


def assert_same_memory(a: DeviceMemory, b: DeviceMemory) -> None:
    """Equal bytes, but that any NaN equals any other."""
    if np.array_equal(a.data, b.data):
        return
    x, y = a.data.view(np.uint32), b.data.view(np.uint32)
    for k in np.flatnonzero(x != y):
        pair = slice(k // 2 * 2, k // 2 * 2 + 2)
        singles = np.isnan(x[k : k + 1].view(np.float32)) & np.isnan(y[k : k + 1].view(np.float32))
        doubles = np.isnan(x[pair].view(np.float64)) & np.isnan(y[pair].view(np.float64))
        assert singles[0] or doubles[0], f"memory differs at {4 * k}"


def assert_same_state(a: StateReplay, b: StateReplay, warps: int) -> None:
    used = len(b.blocks)  # the jitted engine keeps no slots for blocks that do not exist
    assert a.blocks[:used].tolist() == b.blocks.tolist()
    assert (a.blocks[used:] == -1).all()
    assert np.array_equal(a.counts, b.counts)
    assert a.warps()[: used * warps] == b.warps()
    for k, block in enumerate(a.blocks.tolist()):
        if block < 0:
            continue
        assert np.array_equal(a.shared[k], b.shared[k])
        assert np.array_equal(a.shared_written[k], b.shared_written[k])
        for slot in range(k * warps, (k + 1) * warps):
            assert np.array_equal(a.registers32[slot], b.registers32[slot])
            assert np.array_equal(a.registers64[slot], b.registers64[slot])
    assert np.array_equal(a.memory, b.memory)


@pytest.mark.sample(9)
@pytest.mark.parametrize("case", [c for c in cases() if not c.predicate], ids=str)
def test_test_programs(case: Case):
    program, device = case.compile(), load_device(case.device)
    options = Options(step_budget=min(int(case.launch.get("step_budget", 1000)), 1000))
    a, b = both(program, device, (case.bind(), case.bind()), options, SmOptions())
    assert_same_run(program, a, b)


def bound(kernel: RandomKernel) -> tuple[Program, tuple[Binding, Binding]]:
    program = compile_source(SourceText("random.cu", kernel.text))
    pair = tuple(bind(program, (kernel.grid, 1, 1), (kernel.block, 1, 1), kernel.arguments(), 0) for _ in range(2))
    return program, (pair[0], pair[1])


@pytest.mark.sample(4)
@pytest.mark.parametrize("device", DEVICES)
@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
@given(kernel=kernels())
def test_random_kernels(device: str, kernel: RandomKernel):
    program, bindings = bound(kernel)
    # Several blocks on the only multiprocessor, one of the blocks afterwards.
    small = Device(**{**vars(load_device(device)), "multiprocessors": 1})
    sm = SmOptions(block_limit=max(1, kernel.grid - 1))
    assert_same_run(program, *both(program, small, bindings, Options(step_budget=100_000), sm))


@pytest.mark.sample(2)
@pytest.mark.parametrize(("seed", "device"), [(1 + k % 2, device) for k, device in enumerate(DEVICES)])
def test_frames_of_random_kernels(device: str, seed: int):
    program, bindings = bound(write_kernel(Random(seed)))
    chip = Device(**{**vars(load_device(device)), "multiprocessors": 1})
    before = bindings[0].memory.copy()
    a, b = both(program, chip, bindings, Options(), SmOptions(history_limit=3000))
    launch, resident = bindings[0].launch, b.result.resident_blocks
    replay = ReferenceReplay(program, chip, launch, before, Options(), a.events, a.started, resident)
    steps = np.random.default_rng(seed).integers(0, len(b.events), 6).tolist()
    for step in sorted({0, 1, len(b.events), *steps}):
        replay.seek(step)
        b.replay.seek(int(steps[0]))  # from somewhere else, forwards or backwards
        b.replay.seek(step)
        assert_same_state(replay, b.replay, launch.warps)


COSTLY = """
__global__ void costly(const int *in, int *out) {
    __shared__ int s[8192];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t * 32] = in[i * 16];
    __syncthreads();
    int sum = s[(t ^ 1) * 32];
    for (int k = 0; k < 2; ++k)
        sum += in[(i * 8 + k * 512 + sum % 3) & 16383];
    atomicAdd(out + (t & 1), sum);
    out[2 + i] = sum;
}"""
ALTERED = [
    # Without clusters accesses to other blocks cost nothing: see test_clusters_agree.py.
    *(SmOptions(without=frozenset({each})) for each in Inefficiency if each is not Inefficiency.DISTRIBUTED),
    SmOptions(shared_bytes=0), SmOptions(registers_per_thread=255),
]  # fmt: skip


def costly(blocks: int) -> tuple[Program, Binding, Binding]:
    """Return the program and two launches of it, each with a memory of its own."""
    program = compile_source(SourceText("costly.cu", COSTLY))
    data = np.arange(16384, dtype=np.int32) * 7919 % 1009
    first, second = (
        bind(program, (blocks, 1, 1), (64, 1, 1), [data, np.zeros(2 + blocks * 64, np.int32)], 0) for _ in range(2)
    )
    return program, first, second


@pytest.mark.parametrize("altered", ALTERED, ids=lambda sm: "+".join(sm.without) or "occupancy")
def test_a_cost_that_is_left_out_and_another_occupancy(altered: SmOptions):
    program, *bindings = costly(10)
    chip = Device(**{**vars(load_device("h200")), "multiprocessors": 1})
    reference, jitted = both(program, chip, (bindings[0], bindings[1]), Options(), altered)
    assert_same_run(program, reference, jitted)
    _, whole, _ = costly(10)
    unaltered = run_sm(program, chip, whole.launch, whole.memory, Options(), SmOptions())
    assert jitted.result.time_us != unaltered.result.time_us


def test_loads_for_which_there_is_no_room_hold_up_what_follows():
    cycles = []
    for loads in (0, 1):
        program, *bindings = costly(10)
        chip = Device(**{**vars(load_device("h200")), "multiprocessors": 1, "loads_in_flight": loads})
        reference, jitted = both(program, chip, (bindings[0], bindings[1]), Options(), SmOptions())
        assert_same_run(program, reference, jitted)
        cycles.append(jitted.result.cycles)
    assert cycles[1] > cycles[0]


GRID = ROTATE.replace("int rounds)", "int rounds, int leaving)").replace(
    "BETWEEN", "if (blockIdx.x == leaving) return;\n        grid.sync();"
)


@pytest.mark.sample(2)
@pytest.mark.parametrize("device", ["p100", "h200"])
@pytest.mark.parametrize("leaving", [-1, 0, 3])
def test_a_grid_that_synchronises(device: str, leaving: int):
    program, chip, blocks = compile_source(SourceText("rotate.cu", GRID)), load_device(device), 5
    a = np.arange(64 * blocks, dtype=np.int32)
    bindings = tuple(bind(program, (blocks, 1, 1), (64, 1, 1), [a, np.zeros_like(a), 3, leaving], 0) for _ in range(2))
    before = bindings[0].memory.copy()
    one, two = both(program, chip, bindings, Options(), SmOptions())
    assert_same_run(program, one, two)
    assert two.outcome.aborted == (leaving >= 0)
    launch = bindings[0].launch
    replay = ReferenceReplay(
        program, chip, launch, before, Options(), one.events, one.started, two.result.resident_blocks
    )
    for step in (len(two.events), 5, len(two.events) // 2):
        replay.seek(step)
        two.replay.seek(step)
        assert_same_state(replay, two.replay, launch.warps)
    if leaving < 0:
        wanted = a.reshape(blocks, 64)
        for _ in range(3):
            wanted = np.roll(wanted, -1, axis=0)[:, ::-1] + 1
        np.testing.assert_array_equal(bindings[1].buffers["b"].read(two.outcome.memory).reshape(blocks, 64), wanted)


# Rows that two multiprocessors read, in several waves of blocks; floats that lanes add at few words of shared memory;
# fences behind loads, stores and nothing.
WAVES = """
template <class T>
__global__ void waves(const T *in, T *out, int n) {
    __shared__ T sums[40];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < 40)
        sums[t] = 0;
    __syncthreads();
    T sum = 0;
    for (int k = -64; k <= 64; k += 64)
        if (i + k >= 0 && i + k < n)
            sum += in[i + k];
    atomicAdd(&sums[t * t % 40], sum);
    __threadfence();
    __threadfence();
    out[i] = sums[t % 40];
    __threadfence();
    sum += in[i];
    __threadfence_system();
    out[i] += sum;
}
"""


@pytest.mark.parametrize("type_", ["float", "double"])
def test_waves_of_blocks_that_add_and_fence(type_: str) -> None:
    program = compile_source(SourceText("waves.cu", WAVES), f"waves<{type_}>")
    chip = Device(**{**vars(load_device("h200")), "multiprocessors": 2, "max_blocks": 2})
    n = 12 * 128
    values = np.arange(n).astype(np.float32 if type_ == "float" else np.float64)
    pair = tuple(bind(program, (12, 1, 1), (128, 1, 1), [values, np.zeros_like(values), n], 0) for _ in range(2))
    assert_same_run(program, *both(program, chip, (pair[0], pair[1]), Options(), SmOptions()))
