"""Bulk copies and reductions (UBLKCP, UBLKRED) leave what an H200 leaves, and are counted as ncu counts them.

``data/bulk_h200.json.gz`` has the launches of ``bulk_copies.cu``; ``record_bulk.py`` recorded them.
"""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.tiers import representatives

import warpview as wv
from warpview.run.result import Series
from warpview.sass import nvrtc
from warpview.sass.decoder import decode
from warpview.ui.views.counters.counters_model import CounterTable

sys.path.insert(0, str(Path(__file__).parent))
from counted_tables import counter_keys, read
from engines import Case, differences, program

LAUNCHES: list[dict[str, Any]] = read("bulk_h200.json.gz")
KEYS = counter_keys()
WORDS, SHARED_BYTES = 8192, 16384  # of each array; of a block, as bulk_copies.cu has them
NAMES = [f"{launch['kernel']} {launch['how']} {launch['threads']}" for launch in LAUNCHES]
OF_CLUSTERS = ("over", "multicast")
NOT_AS_WRITTEN = ("add_bf16", "min_f16", "max_bf16")
EVERY_FOURTH = [str(number) for number in range(0, len(LAUNCHES), 4)]
_KERNELS = [launch["kernel"] for launch in LAUNCHES]
FIRST_OF_EACH = [str(_KERNELS.index(name)) for name in ("one", "lanes", "store", "add_f16", "over", "multicast")]

WORDS_OF_CODE = {  # as nvdisasm explains them
    0x0003D8000800020800000006040073BA: "UBLKCP.S.G [UR6], [UR4], UR8",
    0x0005E2000800040500000008040073BA: "UBLKCP.G.S [UR8], [UR4], UR5",
    0x0001D80008000A0800000006040073BA: "UBLKCP.S.G.MULTICAST [UR6], [UR4], UR8",
    0x0001D8000800060600000004080073BA: "UBLKCP.S.S [UR4], [UR8], UR6",
    0x0003E4000800000600000000080073BC: "UBLKPF.L2 [UR8], UR6",
    0x0003D8000910040A00000004090073BB: "UBLKRED.G.S.MAX.BF16.RN [UR4], [UR9], UR10",
    0x0003D8000888040A00000004090073BB: "UBLKRED.G.S.MIN.F16.RN [UR4], [UR9], UR10",
    0x0003D8000810040A00000004090073BB: "UBLKRED.G.S.ADD.BF16.RN [UR4], [UR9], UR10",
    0x0003D8000808040A00000004090073BB: "UBLKRED.G.S.ADD.F16.RN [UR4], [UR9], UR10",
    0x0003D800080E040A00000004090073BB: "UBLKRED.G.S.ADD.F64.RN [UR4], [UR9], UR10",
    0x0003D800080A040A00000004090073BB: "UBLKRED.G.S.ADD.F32.RN [UR4], [UR9], UR10",
    0x0003D8000B80040A00000004090073BB: "UBLKRED.G.S.XOR [UR4], [UR9], UR10",
    0x0003D8000B04040A00000004090073BB: "UBLKRED.G.S.OR.U64 [UR4], [UR9], UR10",
    0x0003D8000A00040A00000004090073BB: "UBLKRED.G.S.DEC [UR4], [UR9], UR10",
    0x0003D8000886040A00000004090073BB: "UBLKRED.G.S.MIN.S64 [UR4], [UR9], UR10",
    0x0003D8000802040A00000004090073BB: "UBLKRED.G.S.ADD.S32 [UR4], [UR9], UR10",
    0x0003D8000800040A00000004090073BB: "UBLKRED.G.S.ADD [UR4], [UR9], UR10",
    0x0003D8000800020800000006040083BA: "@!UP0 UBLKCP.S.G [UR6], [UR4], UR8",
}


def _numbers(state: int) -> Any:
    while True:
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        yield (state >> 4) * 2654435761 & 0xFFFFFFFF


def arrays() -> list[np.ndarray[Any, Any]]:
    """Return what bulk_copies.cu fills its arrays with: what is copied from, and what is copied to."""
    words = np.fromiter(islice(_numbers(7), 2 * WORDS), np.uint32).reshape(2, WORDS)
    return list(words & np.uint32(0x87FF87FF) | np.uint32(0x38003800))


def case(launch: dict[str, Any]) -> Case:
    kernel = launch["kernel"]
    loaded = program("bulk_sm90.zip", "bulk_copies.cubin", kernel)
    arguments = [*arrays(), np.array(launch["how"], np.int32)]
    return Case(kernel, loaded, 2 if kernel in OF_CLUSTERS else 1, launch["threads"], arguments, SHARED_BYTES)


def executed(launch: dict[str, Any], engine: str = "profile") -> Any:
    made = case(launch)
    return wv.simulate(made.program, made.grid, made.block, made.arguments, shared_bytes=SHARED_BYTES, device="h200",
                       engine=engine)  # fmt: skip


def sum_of(words: np.ndarray[Any, Any]) -> str:
    total = 0
    for word in words.view(np.uint32).tolist():
        total = (total * 6364136223846793005 + word + 1442695040888963407) & (1 << 64) - 1
    return f"{total:016x}"


@pytest.mark.parametrize("number", representatives(range(len(LAUNCHES)), EVERY_FOURTH))
def test_a_launch_leaves_and_counts_what_the_hardware_does(number: int) -> None:
    launch = LAUNCHES[number]
    run = executed(launch)
    assert sum_of(np.asarray(run.buffers["arg1"])) == launch["sum"], NAMES[number]
    assert not run.findings
    wrong = {
        metric: (run.counters[KEYS[metric]], value)
        for metric, value in launch["metrics"].items()
        if metric in KEYS and run.counters[KEYS[metric]] != value
    }
    assert not wrong, NAMES[number]


@pytest.mark.parametrize("number", representatives(range(len(LAUNCHES)), FIRST_OF_EACH))
def test_code_as_written_leaves_what_the_hardware_does(number: int) -> None:
    launch = LAUNCHES[number]
    if launch["kernel"] in NOT_AS_WRITTEN:
        pytest.skip("reductions of these halves are refused")
    program = wv.compile(Path(__file__).parent / "bulk_copies.cu", kernel=launch["kernel"])
    blocks = 2 if launch["kernel"] in OF_CLUSTERS else 1
    arguments = [*arrays(), np.array(launch["how"], np.int32)]
    run = wv.simulate(program, blocks, launch["threads"], arguments, shared_bytes=SHARED_BYTES, device="h200")
    assert sum_of(np.asarray(run.buffers["to"])) == launch["sum"], NAMES[number]
    assert not run.findings


def test_a_series_and_the_table_of_the_window_count_copies_as_a_run_does() -> None:
    runs = tuple(executed(LAUNCHES[0], engine) for engine in ("sm", "profile"))
    for key in ("inst_bulk_ld", "bulk_ld_sectors"):
        counted = [run.counters[key] for run in runs]
        assert counted[0] == counted[1] > 0
        assert CounterTable(runs[0]).so_far(runs[0].counts)[key] == counted[0]
        assert Series(runs).counters[key] == sum(counted)


@pytest.mark.parametrize("number", representatives(range(len(LAUNCHES)), FIRST_OF_EACH))
def test_the_engines_agree(number: int) -> None:
    made = case(LAUNCHES[number])
    # Of a cluster the engines keep the registers of different blocks.
    assert not [found for found in differences(made) if made.grid == 1 or not found.startswith("register")]


@pytest.mark.parametrize("word", WORDS_OF_CODE)
def test_a_word_reads_as_nvdisasm_writes_it(word: int) -> None:
    assert decode(word, 0, 90).text == WORDS_OF_CODE[word]


@pytest.mark.parametrize(
    ("kernel", "how", "kind"),
    [
        ("one", [1, WORDS - 4, 0, 0, 32], "out of bounds"),
        ("one", [1, 0, SHARED_BYTES // 4 - 4, 0, 32], "out of bounds"),
        ("one", [1, 1, 0, 0, 32], "misaligned access"),
        ("store", [1, 0, WORDS - 4, 0, 32], "out of bounds"),
        ("add_u32", [1, 0, WORDS - 4, 0, 32], "out of bounds"),
    ],
)
def test_what_is_copied_is_checked_for_bounds(kernel: str, how: list[int], kind: str) -> None:
    launch = {"kernel": kernel, "how": how, "threads": 32}
    made = case(launch)
    run = wv.simulate(made.program, 1, 32, made.arguments, shared_bytes=SHARED_BYTES, device="h200", step_budget=20000)
    found = [finding for finding in run.findings if finding.kind == kind]
    assert found
    assert all("UBLK" in made.program.instructions[finding.pc].native.text for finding in found)


def test_copying_what_nobody_has_written_is_told() -> None:
    made = case(LAUNCHES[0])
    blank = wv.Uninitialised(WORDS, np.uint32)
    run = wv.simulate(made.program, 1, 32, [blank, *made.arguments[1:]], shared_bytes=SHARED_BYTES, device="h200")
    assert any(finding.kind == "uninitialised read" for finding in run.findings)


EARLY = """
extern "C" __global__ void k(const int *a, int *out) {
    __shared__ __align__(128) int s[256];
    __shared__ __align__(8) unsigned long long bar;
    unsigned at = (unsigned)__cvta_generic_to_shared(s), b = (unsigned)__cvta_generic_to_shared(&bar);
    s[threadIdx.x] = 0;
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(b) : "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 1024;" :: "r"(b) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];"
                     :: "r"(at), "l"(a), "r"(b) : "memory");
    }
    unsigned done = WAITS ? 0 : 1;
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(b) : "memory");
    out[threadIdx.x] = s[255 - threadIdx.x];
}
"""


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
@pytest.mark.parametrize("waits", [0, 1])
@pytest.mark.parametrize("device", ["h200", "b200"])
def test_who_does_not_wait_for_the_barrier_races_with_the_copy(device: str, waits: int) -> None:
    a = np.arange(256, dtype=np.int32)
    code = wv.compile(EARLY, kernel="k", compiler="nvrtc", device=device, defines={"WAITS": waits})
    assert any("UBLKCP" in instruction.native.text for instruction in code.instructions)
    run = wv.simulate(code, 1, 256, [a, np.zeros_like(a)], device=device)
    if waits:
        np.testing.assert_array_equal(run.buffers["out"], a[::-1])
        assert not run.findings
    else:
        assert {finding.kind for finding in run.findings} == {"race"}
