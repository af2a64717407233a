"""The caches of a traced multiprocessor are counted."""

import numpy as np
import pytest

from warpview.devices import load_device
from warpview.diagnostics import SourceText
from warpview.frontend import compile_source
from warpview.sim.arguments.binding import bind
from warpview.sim.launch import Options
from warpview.trace import Trace, record
from warpview.trace.cache_report import cache_report

TWICE = """
__global__ void twice(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] + in[i ^ 32];
}
"""


@pytest.fixture(scope="module")
def traces() -> dict[str, Trace]:
    """Each warp reads its own line and its neighbour's, on three devices."""
    result = {}
    for key in ("fx5800", "c2050", "h200"):
        program = compile_source(SourceText("twice.cu", TWICE))
        data = np.ones(256, dtype=np.float32)
        binding = bind(program, (2, 1, 1), (128, 1, 1), [data, np.zeros_like(data)], 0)
        device = load_device(key)
        _, result[key] = record(program, device, binding.launch, binding.memory, Options())
    return result


def test_a_line_read_by_two_warps_misses_once(traces: dict[str, Trace]) -> None:
    report = cache_report(traces["c2050"])
    assert report.complete
    assert (report.levels["L1"].hits, report.levels["L1"].misses) == (4, 4)
    assert report.dram_sectors_read == 16


def test_sectors(traces: dict[str, Trace]) -> None:
    report = cache_report(traces["h200"])
    assert report.levels["L1"].hits == 16
    assert report.accesses == 12


def test_no_caches(traces: dict[str, Trace]) -> None:
    report = cache_report(traces["fx5800"])
    assert report.levels == {}
    assert report.dram_sectors_read == 32
    assert report.dram_sectors_written == 16


def test_it_can_be_cut_short(traces: dict[str, Trace]) -> None:
    assert cache_report(traces["h200"], limit=3).accesses == 3
    assert not cache_report(traces["h200"], limit=3).complete
    assert not cache_report(traces["h200"], progress=lambda done, total: False).complete
