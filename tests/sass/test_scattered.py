"""``st.async`` and ``red.async`` store to and reduce shared memory of a cluster, and tell a barrier of the bytes.

What an H200 left in the blocks of a cluster is in ``test_varied_launches.py`` (p_stas_, p_redas_); what Nsight Compute
counted there of the cluster's shared memory is in ``data/scattered_h200.csv``.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpview as wv
from warpview.sass import nvrtc
from warpview.sim.engine import run_profile
from warpview.sim.reference import run_reference

sys.path.insert(0, str(Path(__file__).parent))
from engines import DATA, Case, differences, executed, program
from record_varied import words
from support.tiers import representatives

SOURCE = """__global__ void __cluster_dims__(1) k(const TYPE *x, TYPE *out) {
    __shared__ TYPE places[8];
    __shared__ unsigned long long barrier;
    int t = threadIdx.x;
    unsigned there = (unsigned)__cvta_generic_to_shared(&barrier);
    unsigned place = (unsigned)__cvta_generic_to_shared(places + t % 8);
    if (t < 8) places[t] = x[64 + t];
    if (t == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(there));
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" :: "r"(there), "r"(BYTES) : "memory");
    }
    __syncthreads();
    asm volatile("INSTRUCTION" :: "r"(place), "r"(there), "REGISTER"(x[t]) : "memory");
    unsigned over;
    do asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                    : "=r"(over) : "r"(there) : "memory"); while (!over);
    if (t < 8) out[t] = places[t];
}"""
REDUCTIONS: dict[tuple[str, str], Callable[[int, int], int]] = {
    ("add", "u32"): lambda old, value: old + value & 0xFFFFFFFF,
    ("min", "s32"): min,
    ("xor", "b32"): lambda old, value: old ^ value,
    ("inc", "u32"): lambda old, value: 0 if old >= value else old + 1,
    ("add", "u64"): lambda old, value: old + value & 0xFFFFFFFFFFFFFFFF,
}
TYPES: dict[str, tuple[str, Any]] = {
    "u32": ("unsigned", np.uint32),
    "b32": ("unsigned", np.uint32),
    "s32": ("int", np.int32),
    "u64": ("unsigned long long", np.uint64),
}

COUNTED = {row["kernel"]: row for row in csv.DictReader((DATA / "scattered_h200.csv").read_text().splitlines())}
# Two warps that store 16 bytes a lane to eight lines take three passes each where tags alone ask for two.
MORE_PASSES = {name: {"distributed_st_wavefronts": (8, 12)} for name in ("p_stas_v4b32", "p_stas_v2b64")}


def launch(instruction: str, kind: str) -> tuple[Case, np.ndarray]:
    """Return a launch of 64 threads, and what it reads: by eight threads each place, and what lay there before."""
    name, dtype = TYPES[kind]
    info = np.iinfo(dtype)
    x = np.random.default_rng(7).integers(info.min, info.max, 72, dtype, endpoint=True)
    texts = {"INSTRUCTION": instruction, "TYPE": name, "BYTES": str(64 * info.bits // 8),
             "REGISTER": "l" if info.bits == 64 else "r"}  # fmt: skip
    source = reduce(lambda text, pair: text.replace(*pair), texts.items(), SOURCE)
    program = wv.compile(source, kernel="k", compiler="nvrtc", device="h200")
    return Case("k", program, 1, 64, [x, np.zeros(8, dtype)]), x


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
@pytest.mark.parametrize(("operation", "kind"), list(REDUCTIONS))
def test_a_reduction_changes_shared_memory(operation: str, kind: str) -> None:
    text = "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes"
    case, x = launch(f"{text}.{operation}.{kind} [%0], %2, [%1];", kind)
    run = wv.simulate(case.program, 1, 64, case.arguments, device="h200")
    places = [reduce(REDUCTIONS[operation, kind], map(int, x[t:64:8]), int(x[64 + t])) for t in range(8)]
    assert np.asarray(run.buffers["out"]).tolist() == places
    assert not differences(case)


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
def test_the_words_are_those_of_nvdisasm() -> None:
    """``nvdisasm`` 13.2 explains the same kernels so."""
    named = {
        "p_stas_b32": "STAS [R8.64], R4",
        "p_stas_v4b32": "STAS.128 [R12.64], R4",
        "p_redas_min_s32": "REDAS.MIN.S32 [R6.64], R10",
        "p_redas_add_u64": "REDAS.ADD.64 [R12.64], R4",
    }
    for kernel, text in named.items():
        instructions = program("varied_sm90.zip", f"{kernel}.cubin", "k").instructions
        assert text in [instruction.native.text for instruction in instructions if instruction.native]


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
def test_a_store_leaves_the_word_of_one_thread() -> None:
    case, x = launch("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %2, [%1];", "u32")
    run = wv.simulate(case.program, 1, 64, case.arguments, device="h200", check=False)
    assert all(word in x[t:64:8] for t, word in enumerate(np.asarray(run.buffers["out"])))
    assert not differences(case)


@pytest.mark.parametrize("name", representatives(list(COUNTED), ["p_stas_v4b32", "p_stas_stride32", "p_redas_add_u64"]))
def test_the_shared_memory_of_the_cluster_counts_what_the_hardware_counts(name: str) -> None:
    arguments = [words(), np.zeros(4096, np.uint32)]
    case = Case(name, program("varied_sm90.zip", f"{name}.cubin", "k"), 2, 64, arguments)
    counters = wv.simulate(case.program, 2, 64, arguments, device="h200", check=False).counters
    measured = {key: int(count) for key, count in COUNTED[name].items() if key != "kernel"}
    different = {key: (counters[key], count) for key, count in measured.items() if counters[key] != count}
    assert different == MORE_PASSES.get(name, {})
    reference, jitted = (executed(case, engine)[1].counts for engine in (run_reference, run_profile))
    at = [i.native is not None and i.native.meaning == "scatter" for i in case.program.instructions]
    assert any(at)
    assert np.array_equal(reference[at], jitted[at])
