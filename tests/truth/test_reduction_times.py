"""The reduction ladder takes the times of a G80: 2^22 integers, 128 threads a block.

Times in ms from M. Harris, "Optimizing Parallel Reduction in CUDA" (NVIDIA 2007). They say whether the cycle-level
engine has the costs in proportion: of latencies, multiplication, remainder, replays and memory. His kernels, unlike the
library's, do not ask whether an element lies within the array.
"""

import re

import numpy as np
import pytest

from warpview.devices import load_device
from warpview.diagnostics import SourceText
from warpview.frontend import compile_source
from warpview.resources import kernels_dir
from warpview.sim.arguments.binding import bind
from warpview.sim.engine_sm import run_sm
from warpview.sim.history.events import SmOptions
from warpview.sim.launch import Options

ELEMENTS = 1 << 22
# kernel: (blocks, milliseconds)
LADDER = {
    "interleaved": (32768, 8.054),
    "strided_index": (32768, 3.456),
    "sequential": (32768, 1.722),
    "first_add": (16384, 0.965),
    "unroll_last_warp": (16384, 0.536),
    "unroll_completely<128>": (16384, 0.381),
    "many_per_thread<128>": (64, 0.268),
}
TOLERANCE = 0.15
BOUNDS = re.compile(r"if \(i \+ \S+ < n\)|i < n \?(?= input)|(?<=input\[i\]) : 0")


@pytest.fixture(scope="module")
def times():
    """Simulated milliseconds by kernel; of the launches of many blocks a sixteenth, which is in steady state."""
    device = load_device("8800gtx")
    found = {}
    for kernel, (blocks, _) in LADDER.items():
        part = 16 if blocks > 64 else 1
        elements = ELEMENTS // part
        path = kernels_dir() / "reduction" / f"{kernel.split('<')[0]}.cu"
        program = compile_source(SourceText(path.name, BOUNDS.sub("", path.read_text())), f"reduce_{kernel}")
        args = [np.ones(elements, dtype=np.int32), np.zeros(blocks // part, dtype=np.int32), elements]
        bound = bind(program, (blocks // part, 1, 1), (128, 1, 1), args, 512)
        run = run_sm(program, device, bound.launch, bound.memory, Options(check=False), SmOptions(record=False))
        assert bound.buffers["output"].read(bound.memory).sum() == elements
        found[kernel] = run.result.time_us * part / 1000
    return found


@pytest.mark.parametrize("kernel", LADDER)
def test_time(times, kernel):
    assert times[kernel] == pytest.approx(LADDER[kernel][1], rel=TOLERANCE)


def test_each_variant_is_faster_than_the_one_before(times):
    in_order = [times[kernel] for kernel in LADDER]
    assert in_order == sorted(in_order, reverse=True)
