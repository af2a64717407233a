"""A BREAK with a second predicate counts as the branch behind it that has the same two: the multiprocessor has lanes as
predicated on that both let through, the instruction those that its guard does. Of a launch of 160 threads an H200 has
225 less than the counts of the instructions add up to: 221 of branches, and four of two BREAK."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview.diagnostics import SourceText
from warpview.sass import nvrtc
from warpview.sim.raw_counts import Raw

sys.path.insert(0, str(Path(__file__).parent))
from engines import Case, differences

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

# The quotient of extreme numbers goes to a function that leaves a barrier by two predicates.
SOURCE = """
extern "C" __global__ void k(const float *a, const float *b, float *o)
{
    o[threadIdx.x] = atan2f(a[threadIdx.x], b[threadIdx.x]);
}
"""


def test_lanes_whose_second_predicate_does_not_hold_leave_no_barrier_and_are_not_on(tmp_path: Path) -> None:
    with nvrtc._Program(SourceText("k.cu", SOURCE), {}, ()) as compiler:
        compiler.compile(["--use_fast_math", "--gpu-architecture=sm_90"])
        (tmp_path / "k.cubin").write_bytes(compiler.output("nvrtcGetCUBINSize", "nvrtcGetCUBIN"))
    program = wv.compile(tmp_path / "k.cubin", device="h200")
    a = np.array([0, 1e38, np.inf, 1, 1e-38, 3e38, -0.0, np.inf] * 4, np.float32)
    given = [a, np.roll(a, 3), np.zeros(32, np.float32)]
    run = wv.simulate(program, 1, 32, given, device="h200", check=False)
    natives = [i.native for i in program.instructions if i.native is not None]
    doubly = [n for n, native in enumerate(natives) if native.meaning == "break" and native.second_guard is not None]
    lanes = [int(run.counts[n, Raw.HALF_GUARDED]) for n in doubly]
    assert [natives[n + 1].second_guard for n in doubly] == [natives[n].second_guard for n in doubly]
    assert lanes == [run.counts[n + 1, Raw.HALF_GUARDED] for n in doubly]
    assert sum(lanes) > 0
    assert not differences(Case("k", program, 1, 32, given))
