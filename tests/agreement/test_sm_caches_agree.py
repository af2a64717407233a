"""The jitted multiprocessor's caches serve every access where the readable ones do."""

from dataclasses import replace

import numpy as np
import pytest

from warpview.devices import load_device
from warpview.diagnostics import SourceText
from warpview.frontend import compile_source
from warpview.isa.ops import Op
from warpview.sim.arguments.binding import bind
from warpview.sim.engine_sm import run_sm
from warpview.sim.history.events import SmOptions
from warpview.sim.launch import Options
from warpview.sim.reference.machine_sm import run_sm_reference

KERNEL = """
__global__ void walk(const float *__restrict__ in, float *out, volatile float *v, int *bins, int n, int step)
{
    float own[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 8; k++)
        own[(i + k) & 7] = k + i;
    float sum = 0;
    for (int k = 0; k < n; k++) {
        int at = (i * step + k * 97) & 4095;
        sum += in[at] + v[(i + k) & 63] + own[(k + i) & 7] + out[at];
        out[at] = sum;
        if (k & 1)
            own[k & 7] = sum;
        if ((i + k) % 5 == 0)
            atomicAdd(&bins[(i * 7 + k) & 255], 1);
    }
    out[i] = sum;
}
"""
PROGRAM = compile_source(SourceText("walk.cu", KERNEL))


def bound(step: int):
    data = np.ones(4096, dtype=np.float32)
    args = [data, data * 2, np.ones(64, dtype=np.float32), np.zeros(256, dtype=np.int32), 6, step]
    return bind(PROGRAM, (2, 1, 1), (64, 1, 1), args, 0)


@pytest.mark.sample(6)
@pytest.mark.parametrize("step", [1, 3, 40])
@pytest.mark.parametrize("cached", [True, False])
@pytest.mark.parametrize("key", ["c2050", "gtx680", "k40", "gtx980", "p100", "h200"])
def test_accesses_take_the_same_time(key: str, cached: bool, step: int):
    """With caches so small that lines are evicted."""
    device = load_device(key)
    small = {
        name: cache and cache._replace(
            bytes=cache.line * 2 * sets, ways=2, kept=cache.kept // 2, tagged=cache.tagged and cache.line * 4 * sets
        )
        for name, cache, sets in (
            ("l1", device.l1, 3), ("read_only_cache", device.read_only_cache, 5), ("l2", device.l2, 16)
        )
    }  # fmt: skip
    device = replace(device, multiprocessors=1, unified_bytes=0, **small)
    options = Options(check=False, cache_global_in_l1=cached)
    a, b = bound(step), bound(step)
    reference = run_sm_reference(PROGRAM, device, a.launch, a.memory, options, SmOptions())
    jitted = run_sm(PROGRAM, device, b.launch, b.memory, options, SmOptions())
    assert np.array_equal(reference.events.pc, jitted.events.pc)
    assert np.array_equal(reference.events.ready, jitted.events.ready)
    assert np.array_equal(reference.events.cycle, jitted.events.cycle)
    assert np.array_equal(reference.result.stalls, jitted.result.stalls)


def test_what_is_in_a_cache_comes_sooner():
    times = []
    for step in (1, 40):
        run = bound(step)
        times.append(run_sm(PROGRAM, load_device("h200"), run.launch, run.memory, Options(check=False)).result.cycles)
    assert times[0] < times[1]


ROWS = """
__global__ void rows(const int *next, int *out, int n)
{
    int at = threadIdx.x & 7;
    for (int k = 0; k < n; k++)
        at += next[at];
    out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}
"""


def test_sectors_of_others_come_in_pairs():
    """Of a table that all multiprocessors read together every other sector of 32 bytes waits for DRAM: a read of DRAM
    brings two in."""
    program, between = compile_source(SourceText("rows.cu", ROWS)), []
    for engine in (run_sm_reference, run_sm):
        args = [np.full(8 * 24, 8, np.int32), np.zeros(132 * 32, np.int32), 24]
        run = bind(program, (132, 1, 1), (32, 1, 1), args, 0)
        events = engine(program, load_device("h200"), run.launch, run.memory, Options(check=False), SmOptions()).events
        loads = [k for k in range(len(events.pc)) if program.instructions[events.pc[k]].op is Op.LD]
        between.append(np.diff(np.asarray(events.cycle)[loads]))
    assert np.array_equal(*between)
    assert len(between[0]) == 23
    assert 0.4 < (between[0] > 450).mean() < 0.6


SWEEPS = """
__global__ void sweeps(float *data, const float *table, int *bins, int n, int passes)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    for (int p = 0; p < passes; p++)
        for (int k = i; k < n; k += all) {
            data[k] += table[k * 3 % 1024];
            if (k % 7 == 0)
                atomicAdd(&bins[k], 1);
        }
}
"""


def swept(passes: int, kept: float, engine=run_sm):
    """Return a run of one multiprocessor over 8 KB of data, whose L2 of 32 KB keeps such a part."""
    program, device = compile_source(SourceText("sweeps.cu", SWEEPS)), load_device("h200")
    assert device.l2 is not None
    device = replace(device, multiprocessors=1, l2=device.l2._replace(bytes=1 << 15), l2_kept=(round(1000 * kept),) * 8)
    arrays = [np.ones(2048, np.float32), np.ones(1024, np.float32), np.zeros(2048, np.int32)]
    run = bind(program, (4, 1, 1), (64, 1, 1), [*arrays, 2048, passes], 0)
    return engine(program, device, run.launch, run.memory, Options(check=False, cache_global_in_l1=False), SmOptions())


def test_replaced_lines_agree():
    reference, jitted = swept(2, 0.15, run_sm_reference), swept(2, 0.15)
    for column in ("pc", "cycle", "ready", "l2_sectors", "dram_sectors"):
        assert np.array_equal(getattr(reference.events, column), getattr(jitted.events, column)), column
    assert reference.result.traffic == jitted.result.traffic


def test_what_the_l2_has_replaced_is_read_again():
    """Data and bins of 16 KB that are swept over thrice: an L2 that keeps 5 of its 32 KB reads them each time."""
    whole, once, some = (swept(passes, kept).events.dram_sectors.sum() for passes, kept in
                         ((3, 1.0), (1, 0.15), (3, 0.15)))  # fmt: skip
    assert whole < 1.3 * once
    assert some > 2 * once
