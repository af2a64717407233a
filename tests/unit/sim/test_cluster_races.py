"""Races between the blocks of a cluster in shared memory are found, told, and not seen where a barrier orders them."""

from __future__ import annotations

import numpy as np
import pytest
from support.agreement import findings
from support.clusters import HEAD
from support.compilers import COMPILERS

import warpview as wv
from warpview.devices import load_device
from warpview.sim.arguments.binding import bind
from warpview.sim.engine import run_profile
from warpview.sim.launch import Options
from warpview.sim.reference import run_reference

TEXT = (
    HEAD
    + """
__global__ void exchange(int *out) {
    __shared__ int own[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, rank = cluster.block_rank();
    int *other = cluster.map_shared_rank(own, (rank + 1) % cluster.num_blocks());
    BODY
    cluster.sync();
}"""
)
# Statements, and words of a message.
RACES = {
    "read before the barrier": (
        "own[t] = rank; __syncthreads(); out[blockIdx.x * 64 + t] = other[t];",
        "'own[0]' in shared memory of block (0, 0, 0)",
    ),
    "write to memory in use": (
        "own[t] = rank; cluster.sync(); other[t] = 5; out[blockIdx.x * 64 + t] = own[t];",
        "a cluster.sync() between the two accesses",
    ),
    "write of two blocks": (
        "cluster.map_shared_rank(own, 0)[t] = rank; cluster.sync(); out[blockIdx.x * 64 + t] = own[t];",
        "writes 'own[",
    ),
    "after arriving": (
        "own[t] = 1; auto token = cluster.barrier_arrive(); own[t] = 2;"
        " cluster.barrier_wait(static_cast<cg::cluster_group::arrival_token &&>(token));"
        " out[blockIdx.x * 64 + t] = other[t];", "nothing orders the two",
    ),
    "an atomic and a plain read": (
        "own[t] = 0; cluster.sync(); atomicAdd(other + t, 1); out[blockIdx.x * 64 + t] = own[t];",
        "updates it",
    ),
}  # fmt: skip
ORDERED = {
    "barriers": "own[t] = rank; cluster.sync(); int v = other[t]; cluster.sync(); own[t] = v;",
    "atomics": "own[t] = 0; cluster.sync(); atomicAdd(other + t / 2, 1); atomicAdd(own + t / 2, 1);",
    "one thread": "own[t] = 0; cluster.sync(); other[t] = 1; other[t] += 2;",
    "before arriving": (
        "own[t] = 1; auto token = cluster.barrier_arrive();"
        " cluster.barrier_wait(static_cast<cg::cluster_group::arrival_token &&>(token)); other[t] = 3;"
    ),
    "within the block": (
        "own[t] = 1; __syncthreads(); own[t ^ 1] = 2; cluster.sync(); out[blockIdx.x * 64 + t] = other[t];"
    ),
}  # fmt: skip


def launched(body: str, compiler: str) -> tuple[wv.Program, list[np.ndarray]]:
    return wv.compile(TEXT.replace("BODY", body), compiler=compiler, device="h200"), [np.zeros(512, np.int32)]


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("name", RACES)
def test_races_are_found(name: str, compiler: str) -> None:
    body, words = RACES[name]
    program, args = launched(body, compiler)
    run = wv.simulate(program, 8, 64, args, cluster=4)
    assert {finding.kind for finding in run.findings} >= {"race"}
    assert any(words in finding.message for finding in run.findings), [f.message for f in run.findings]
    race = run.findings[0]
    assert race.other is not None
    assert race.other.block != race.block
    check_agreement(program)


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("name", ORDERED)
def test_what_is_ordered_is_no_race(name: str, compiler: str) -> None:
    program, args = launched(ORDERED[name], compiler)
    assert wv.simulate(program, 8, 64, args, cluster=4).findings == ()
    check_agreement(program)


def check_agreement(program: wv.Program) -> None:
    """The reference, which logs all accesses, finds what the screen and the log of the suspected words find."""
    found = []
    for run in (run_reference, run_profile):
        bound = bind(program, (4, 1, 1), (64, 1, 1), [np.zeros(512, np.int32)], 0, cluster=(2, 1, 1))
        found.append(findings(run(program, load_device("h200"), bound.launch, bound.memory, Options())))
    assert found[0] == found[1]


def test_races_of_a_plane_of_blocks() -> None:
    """The blocks of such a cluster are not neighbours in the list of all blocks."""
    program, args = launched(RACES["read before the barrier"][0].replace("blockIdx.x", "0"), "warpview")
    run = wv.simulate(program, (4, 2), 64, args, cluster=(2, 2))
    assert any("in shared memory of block (" in finding.message for finding in run.findings)
