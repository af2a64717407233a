"""Kernels that synchronise their grid give the results of an H200, and count what Nsight Compute counted there.

``data/grid_sm90.zip`` is NVRTC's code of ``grid.cu``, ``data/grid_h200.json.gz`` what its nine cooperative launches
counted: for each instruction, how often it was executed, by how many threads, and with the predicate on. How often a
block polls depends on the order of the blocks. A ``BSYNC`` behind ``ENDCOLLECTIVE`` is issued there once for each of
the parts that had come together.
"""

from __future__ import annotations

import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpview as wv
from warpview.isa.program import Program

sys.path.insert(0, str(Path(__file__).parent))
from counted_tables import read
from engines import program

RECORDED = read("grid_h200.json.gz")
WORDS = 1 << 17


def polling(kernel: Program) -> set[int]:
    """Return the instructions of the loops in which blocks wait for one another."""
    texts = [i.native.text if i.native else "" for i in kernel.instructions]
    loops = [range(i.target, pc + 1) for pc, i in enumerate(kernel.instructions) if 0 <= i.target <= pc]
    return {pc for loop in loops if any(texts[k].startswith("YIELD") for k in loop) and len(loop) < 16 for pc in loop}


def ends_of_collectives(kernel: Program) -> set[int]:
    """Return the instructions behind those that end a part that lanes execute together."""
    texts = [i.native.text if i.native else "" for i in kernel.instructions]
    return {pc + 1 for pc, text in enumerate(texts) if text == "ENDCOLLECTIVE"}


@pytest.mark.parametrize("launch", RECORDED, ids=lambda launch: f"{launch['kernel']}-{launch['grid']}")
def test_a_cooperative_launch_counts_what_the_hardware_counts(launch: dict[str, Any]) -> None:
    kernel = program("grid_sm90.zip", "grid.cubin", launch["kernel"])
    start = ((np.arange(WORDS, dtype=np.uint64) * 2654435761 & 0xFFFFFFFF) >> 8).astype(np.uint32)
    run = wv.simulate(kernel, launch["grid"], launch["block"], [start, start.copy(), launch["n"]], device="h200")
    assert run.findings == ()
    assert zlib.crc32(b"".join(run.buffers[name].tobytes() for name in ("arg0", "arg1"))) == launch["crc"]
    polls, ends = polling(kernel), ends_of_collectives(kernel)
    assert 0 < len(polls) < 30
    for pc, row in enumerate(launch["instructions"]):
        threads = slice(1 if pc in ends else 0, 3)
        assert pc in polls or run.counts[pc, :3].tolist()[threads] == row[threads], pc
    for counter, metric in (
        ("global_st_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"),
        ("global_st_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"),
        ("global_atom_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"),
        ("global_atom_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum"),
    ):
        assert run.counters[counter] == launch["metrics"][metric], counter
