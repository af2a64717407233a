"""Kernels of many kinds leave what an H200 leaves, and are counted as Nsight Compute counts them.

Atomics of all types, groups of lanes, halves and bytes, every shape of ``mma.sync`` and ``mma.sp``, matrices in shared
memory, copies and their barriers, instructions on parts of words, double precision, calls by pointers, recursion, named
barriers; sorts and scans, transforms, hashes, mathematical functions (those whose names have one letter and a line);
tiles of matrices, blocks by CUB, functors, linked structures (y_), templates, roles of warps, switches, early returns,
nested breaks and functions that are not inlined (x_), what courses and blogs teach: passes of sorts and scans,
attention, sparse matrices, graphs, hash tables, transforms, solvers, ciphers, stencils, compression (z_), simulations,
codecs, geometry, inference, calendars, numbers of more digits, atomics of 64 bits by generic addresses (v_),
instructions that are rare (p_; p_stas_ and p_redas_: to the other block of a cluster, to the own one, to both), random
control flow and recursion (m_flow_, m_func_, m_rec_; those with a log write down which lanes come to a place, in
order), as do switches, loops, calls and recursion by one warp (o_).
``record_varied.py`` recorded them, of two blocks of 64 threads each.
"""

from __future__ import annotations

import sys
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpview as wv
from warpview.sass import nvrtc

sys.path.insert(0, str(Path(__file__).parent))
from counted_tables import counter_keys, read
from engines import Case, differences, program
from record_varied import ARCHIVE, SHARED, digest, kept, words
from support.tiers import representatives

RECORDED: dict[str, dict[str, Any]] = read("varied_h200.json.gz")
KEYS = counter_keys()


def numbered(family: str, *numbers: int) -> list[str]:
    return [f"{family}{number}" for number in numbers]


# Whose counts depend on when warps meet: loops of compare-and-swap at words that others change, polls, and races whose
# outcome is the same.
BY_CHANCE = frozenset(
    {"atom_shared_64", "atom_float", "atom_double", "cpasync_mbar", "cuda_atomic_ref", "y_ln_hash", "z_atom_lds_types",
     "z_hash_cuckoo", "z_levels_components", "z_lookback", "z_sssp_bellman", "v_genatom64_b"}
)  # fmt: skip
# Kernels of one warp that write down the order of their paths, whose functions begin with YIELD: those that run as on
# the hardware, and those that do not.
YIELDING_IN_ORDER = (
    "o_call_chain_0", "o_call_chain_1", "o_call_sites_0", "o_call_sites_1", "o_rec_loop_2", "o_rec_one_2",
    *numbered("o_rec_fib_", 0, 1, 2), *numbered("o_rec_two_", 1, 2),
)  # fmt: skip
YIELDING = frozenset(
    {*numbered("o_call_indirect_", 0, 1), *numbered("o_rec_branch_", 0, 1), *numbered("o_rec_cond_", 0, 1),
     *numbered("o_rec_guard_", 0, 1), *numbered("o_rec_mutual_", 0, 1), *numbered("o_rec_one_", 0, 1),
     *numbered("o_rec_sites_", 0, 2), *numbered("o_rec_twice_", 0, 1, 2), "o_rec_two_0"}
)  # fmt: skip
# Whose counters are not the hardware's: recursion that diverges, generic addresses in two memories, the sectors of a
# variable whose place the driver chooses, paths that meet elsewhere (in x_mix_goto_mesh only where Nsight Compute adds
# code that counts branches).
DIFFERENT = frozenset(
    {"recursion", "fib", "ack", "c_rec_quick", "generic", "g_two_ld", "g_two_one", "device_vars", "x_mix_goto_mesh",
     "z_regex_dfa",
     *numbered("m_func_log_", 0, 1, 4, 6, 7), *numbered("m_rec_", 0, 4, 5, 12, 16, 19, 20, 27, 34, 37),
     *numbered("m_rec_log_", 5, 8, 9, 16, 17, 18, 19, 20, 21, 22), *YIELDING}
)  # fmt: skip
# Whose counters are, and not the counts of some instructions: paths go on together in the code that Nsight Compute
# adds to count them, and warps come later to what they wait for.
TOGETHER = frozenset(
    {"y_ws_mbar", "tree", "mutual", "c_rec_two", "c_rec_hanoi", "s_quick", "s_fenwick", "s_unionfind", "y_ln_bst",
     "y_ln_heap", "y_ln_skip", "x_nb_matrix_scan", "m_func_8", "z_bfs_queue", "z_bvh_stack", "z_lu_pivot",
     "z_lz_matches", "z_spmv_scalar", "z_string_kmp", *numbered("m_flow_log_", 1, 2, 11, 13),
     *numbered("m_rec_", 1, 3, 6, 13, 14, 17, 18, 22, 23, 24, 26, 28, 29, 31, 32, 35, 36, 38, 39),
     *numbered("m_rec_log_", 4, 6, 7, 10, 12, 15), "v_bloom", "v_nms", "v_utf8_decode", "v_varint", "o_loop_break_0",
     "o_loop_break_nest_0", "o_loop_while_0", "o_rec_branch_2", "o_rec_sites_1", "o_sync_vote_0",
     *(set(YIELDING_IN_ORDER) - {"o_rec_loop_2", "o_rec_one_2"})}
)  # fmt: skip
# Which write down in what order their paths run, and have another one on the hardware.
OTHER_ORDER = frozenset(
    {
        *numbered("m_flow_log_", 0, 9, 10),
        "m_func_log_4",
        "m_func_log_7",
        *numbered("m_rec_log_", 16, 17),
        "o_rec_sites_1",
        *YIELDING,
    }
)

# Where all lanes store to one word, an H200 counts no, one or two bank conflicts: the same number in four launches of
# one run, and another one in another run.
STORES_BY_CHANCE = frozenset(numbered("m_flow_log_", 5, 6, 9, 10, 11))
OF_STORES = ("shared_st_wavefronts", "shared_st_bank_conflicts")

SCATTERED = [name for name in RECORDED if name.startswith(("p_stas_", "p_redas_"))]
CLUSTERS = frozenset({"cluster", "w_clusterhist", "z_dsmem_hist", "z_dsmem_reduce", *SCATTERED})


@cache
def case(name: str) -> Case:
    return Case(name, program("varied_sm90.zip", f"{name}.cubin", "k"), 2, 64, [words(), np.zeros(4096, np.uint32)],
                SHARED.get(name, 0))  # fmt: skip


def compare_with_the_hardware(name: str) -> None:
    recorded, launch = RECORDED[name], case(name)
    run = wv.simulate(
        launch.program, 2, 64, launch.arguments, device="h200", shared_bytes=launch.shared_bytes, check=False
    )
    assert name in OTHER_ORDER or digest(kept(name, np.asarray(run.buffers["arg1"]))) == recorded["results"]
    if name in BY_CHANCE | DIFFERENT:
        return
    real = {KEYS[metric]: value for metric, value in recorded["metrics"].items() if metric in KEYS}
    if name in STORES_BY_CHANCE:
        real |= {key: run.counters[key] for key in OF_STORES}
    assert {key: run.counters[key] for key in real} == real
    instructions = recorded["instructions"]
    assert name in TOGETHER or run.counts[: len(instructions), :3].tolist() == instructions


@pytest.mark.sample(12)
@pytest.mark.parametrize("name", RECORDED)
def test_a_launch_leaves_and_counts_what_the_hardware_does(name: str) -> None:
    compare_with_the_hardware(name)


@pytest.mark.parametrize(
    "name",
    representatives(
        YIELDING_IN_ORDER, ["o_call_chain_0", "o_call_sites_1", "o_rec_fib_1", "o_rec_loop_2", "o_rec_one_2"]
    ),
)
def test_paths_that_yield_run_in_the_order_of_the_hardware(name: str) -> None:
    compare_with_the_hardware(name)
    assert not differences(case(name))


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", [name for name in RECORDED if name not in CLUSTERS])  # tests/agreement has these
def test_the_engines_agree(name: str) -> None:
    assert not differences(case(name))


def test_each_kernel_has_its_source() -> None:
    with zipfile.ZipFile(ARCHIVE) as archive:
        assert {name.removesuffix(".cu") for name in archive.namelist() if name.endswith(".cu")} == set(RECORDED)


@pytest.mark.parametrize(("barriers", "blocks"), [(2, 32), (3, 21), (4, 16), (9, 7), (16, 4)])
def test_named_barriers_limit_the_blocks_of_a_multiprocessor(barriers: int, blocks: int) -> None:
    """As ``launch__occupancy_limit_barriers`` of the same cubins on an H200."""
    launch = case(f"bars_{barriers - 1}")
    run = wv.simulate(launch.program, 2, 64, launch.arguments, device="h200")
    assert (run.occupancy.limit_barriers, run.occupancy.blocks) == (blocks, blocks)


@pytest.mark.parametrize("device", ["rtx2080", "h200", "b200"])
def test_a_kernel_reads_how_much_dynamic_shared_memory_it_has(device: str) -> None:
    if not nvrtc.is_installed():
        pytest.skip("NVRTC is not installed")
    source = """__global__ void k(unsigned *out) {
        asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(out[threadIdx.x]));
    }"""
    program = wv.compile(source, compiler="nvrtc", device=device)
    run = wv.simulate(program, 1, 32, [np.zeros(32, np.uint32)], device=device, shared_bytes=1000)
    assert set(np.asarray(run.buffers["out"])) == {1000}


EARLIER = {
    "rtx2080": ("mma_884_f16", "mma_8832_s4", "mma_88128_b1_xor", "bmma", "sats"),
    "a100": ("sp_16832_f16_0", "t_sp_16816_bf16_3", "t_sp_16864_s8", "t_sp_16864_s4", "t_sp_168128_u4", "mma_8832_s4",
             "mma_16832_u4", "mma_16864_s4", "mma_168256_b1_xor", "mma_168128_b1_and", "pack4", "sats"),
    "b200": ("sats", "pack4", "flt_cmp"),
    "v100": ("p_prefetch", "p_vmad", "p_vmadneg"),  # from PTX
}  # fmt: skip


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
@pytest.mark.parametrize(("device", "name"), [(device, name) for device, names in EARLIER.items() for name in names])
def test_other_generations_give_the_same_by_opcodes_of_their_own(device: str, name: str) -> None:
    with zipfile.ZipFile(ARCHIVE) as archive:
        source = archive.read(f"{name}.cu").decode()
    program = wv.compile(source, kernel="k", compiler="nvrtc", device=device)
    arguments = [words(), np.zeros(4096, np.uint32)]
    run = wv.simulate(program, 2, 64, arguments, device=device, check=False)
    assert digest(np.asarray(run.buffers["out"])) == RECORDED[name]["results"]
    assert not differences(Case(name, program, 2, 64, arguments))
