"""NVRTC mixes the trips of the loops that sim/compiler_effects/unrolled_loops.py says it does, and of no others.

In machine code that is seen from the loads that are issued before the first instruction that waits for one of them.
"""

from __future__ import annotations

import pytest

import warpview as wv
from warpview.isa.ops import Op
from warpview.isa.program import Program
from warpview.sass import nvrtc
from warpview.sim.compiler_effects.loop_body import LOADS_AHEAD
from warpview.sim.compiler_effects.unrolled_loops import unrolled_loops

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

HEAD = "__global__ void kernel(const float *a, const int *x, float *c, int n) { int i = threadIdx.x; float s = 0; "
CLUSTER = (
    "#include <cooperative_groups.h>\n"
    + HEAD.replace("void", "void __cluster_dims__(2)")
    + "auto cluster = cooperative_groups::this_cluster(); "
)
RESTRICTED = HEAD.replace("*a", "*__restrict__ a").replace("*c", "*__restrict__ c")

MIXED = {
    "trips that are not known": HEAD + "for (int k = 0; k < n; k++) s += a[k * 1024 + i]; c[i] = s; }",
    "a stride that is not known": HEAD + "for (int k = 0; k < n; k++) s += a[k * n + i]; c[i] = s; }",
    "a constant step": HEAD + "for (int k = i; k < n; k += 32) s += a[k]; c[i] = s; }",
    "down to zero": HEAD + "for (int k = n; k > 0; k--) s += a[k * 8]; c[i] = s; }",
    "sixteen trips": HEAD + "for (int k = 0; k < 16; k++) s += a[k * 1024 + i]; c[i] = s; }",
    "many known trips": HEAD + "for (int k = 0; k < 1024; k++) s += a[k * 1024 + i]; c[i] = s; }",
    "an index that is loaded": HEAD + "for (int k = 0; k < n; k++) s += a[x[k * 1024 + i]]; c[i] = s; }",
    "a short branch": HEAD + "for (int k = 0; k < n; k++) if (i + k < 5000) s += a[k * 1024 + i]; c[i] = s; }",
    "restricted pointers": RESTRICTED + "for (int k = 0; k < n; k++) c[k * 1024 + i] = 2 * a[k * 1024 + i]; }",
    "an inner loop": HEAD + "for (int y = 0; y < n; y++) for (int k = 0; k < 7; k++) s += a[y * n + k]; c[i] = s; }",
    "a long branch": HEAD + "for (int k = 0; k < n; k++) if (i + k < 5000) { float v = a[k * 1024 + i];"
                     + "v = v * s + 1.5f;" * 12 + "s += v; } c[i] = s; }",
    "a bound that is loaded": HEAD + "for (int k = x[i]; k < x[i + 1]; k++) s += a[k]; c[i] = s; }",
    "an inner loop of halves": HEAD + "for (int y = 0; y < n; y++) { float v = a[y * 1024 + i];"
                               "for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d); s += v; } c[i] = s; }",
    "fast functions": HEAD + "for (int k = 0; k < n; k++) s += __expf(a[k * 1024 + i]); c[i] = s; }",
    "a rank in the cluster": CLUSTER + "int rank = cluster.block_rank();"
                             "for (int k = i; k < rank * n; k += 32) s += a[k]; c[i] = s; }",
    "shuffles": HEAD + "for (int k = 0; k < n; k++) s += __shfl_xor_sync(~0u, a[k * 1024 + i], 1); c[i] = s; }",
}  # fmt: skip
ONE_BY_ONE = {
    "a step that is not known": HEAD + "for (int k = i; k < n; k += blockDim.x) s += a[k]; c[i] = s; }",
    "pointers that may be equal": HEAD + "for (int k = 0; k < n; k++) c[k * 1024 + i] = 2 * a[k * 1024 + i]; }",
    "a search": HEAD + "while (x[i] != n) i += 32; c[0] = i; }",
    "a way out": HEAD + "for (int k = 0; k < n; k++) { float v = a[k]; if (v < 0) break; s += v; } c[i] = s; }",
    "halves": HEAD + "for (; n > 0; n >>= 1) s += a[i + n]; c[i] = s; }",
    "an exact division": HEAD + "for (int k = 0; k < n; k++) s = s / a[k]; c[i] = s; }",
    "a long body": HEAD + "for (int k = 0; k < n; k++) { float v = a[k];" + "v = v * s + 1.5f;" * 50
                   + "s += v; } c[i] = s; }",
    "a branch around most of it": HEAD + "for (int k = 0; k < n; k++) if (i + k < 5000) { float v = a[k * 1024 + i];"
                                  + "v = v * s + 1.5f;" * 24 + "s += v; } c[i] = s; }",
    "a rank that is asked for again": CLUSTER + "for (int k = i; k < (cluster.block_rank() + 1) * n; k += 32)"
                                      "s += a[k]; c[i] = s; }",
    "a cluster's size that is": CLUSTER + "for (int k = i; k < cluster.num_blocks() * n; k += 32) s += a[k];"
                                "c[i] = s; }",
    "a pragma": HEAD + "\n#pragma unroll 1\nfor (int k = 0; k < n; k++) s += a[k]; c[i] = s; }",
}  # fmt: skip


LOOP = HEAD + "for (int k = 0; k < n; k++) { BODY } c[i] = s; }"
# Loops with one load a trip: how often NVRTC writes it.
COPIES = {
    "s += a[k];": 16,
    "s += a[k * n + i];": 16,
    "s += a[k * 2];": 16,
    "s += a[k + i * 1024];": 16,
    "s = fmaxf(s, a[k]);": 16,
    "float v = a[k]; " + "v = v * s + 1.5f; " * 8 + "s += v;": 16,
    "float v = a[k]; " + "v = v * s + 1.5f; " * 10 + "s += v;": 4,
    "float v = a[k]; " + "v = v * s + 1.5f; " * 30 + "s += v;": 2,
    "s += __expf(a[k]) * __expf(s);": 4,
    "s = rsqrtf(a[k]) + rsqrtf(s) * rsqrtf(s + 1);": 4,
    "s += a[k * 1024 + i];": 4,
    "s += a[k * n + threadIdx.x];": 4,
    "if (k + i < 5000) s += a[k + i];": 4,
}
COPIES_OF_KNOWN = {1: 16, 4: 16, 10: 8, 20: 4, 40: 2}  # by products in a trip, up to as many as are mixed


INSIDE = "i + x >= 0 && i + x < n && blockIdx.x + y >= 0 && blockIdx.x + y < n"
# Loops in loops, and how many loads their code has.
NESTS = {
    "three by three": ("for (int y = 0; y < 3; y++) for (int x = 0; x < 3; x++) s += a[y * n + x + i];", 9),
    "a window": ("for (int y = -2; y < 3; y++) for (int x = -2; x < 3; x++) if (INSIDE) s += a[y * n + x + i];", 25),
    "a cube": ("for (int z = 0; z < 3; z++) for (int y = 0; y < 3; y++) for (int x = 0; x < 3; x++) "
               "s += a[(z * n + y) * n + x + i];", 27),
}  # fmt: skip


def loads_ahead(program: Program) -> int:
    """Return how many loads go before the first instruction that waits for one: the most of all straight code."""
    most = found = awaited = 0
    ends = {i.target for i in program.instructions if i.op == Op.BRA}
    for n, instruction in enumerate(program.instructions):
        native = instruction.native
        assert native is not None
        if n in ends or native.waits & awaited:
            most, found, awaited = max(most, found), 0, 0
        if native.mnemonic.startswith(("LDG", "LDS")) and native.write_barrier is not None:
            found, awaited = found + 1, awaited | 1 << native.write_barrier
    return max(most, found)


@pytest.mark.parametrize("source", MIXED.values(), ids=MIXED)
def test_loads_of_several_trips_go_first(source: str) -> None:
    (loop,) = unrolled_loops(wv.compile(source, "kernel"), {})
    ahead = loads_ahead(wv.compile(source, "kernel", compiler="nvrtc", device="h200"))
    assert loop.together > 1
    assert 2 <= ahead <= LOADS_AHEAD + 2


def copies(program: Program) -> int:
    """Return how many loads the longest loop of machine code has."""
    backs = [(i.target, n) for n, i in enumerate(program.instructions) if i.op == Op.BRA and 0 <= i.target < n]
    first, last = max(backs, key=lambda loop: loop[1] - loop[0])
    body = (i.native for i in program.instructions[first:last])
    return sum(native is not None and native.mnemonic.startswith("LDG") for native in body)


@pytest.mark.parametrize("body", COPIES)
def test_short_bodies_are_written_sixteen_times(body: str) -> None:
    (loop,) = unrolled_loops(wv.compile(LOOP.replace("BODY", body), "kernel"), {})
    assert loop.together == COPIES[body]
    assert copies(wv.compile(LOOP.replace("BODY", body), "kernel", compiler="nvrtc", device="h200")) == COPIES[body]


@pytest.mark.parametrize("name", NESTS)
def test_loops_in_loops_are_written_out_together(name: str) -> None:
    body, count = NESTS[name]
    source = HEAD + body.replace("INSIDE", INSIDE) + " c[i] = s; }"
    (loop,) = unrolled_loops(wv.compile(source, "kernel"), {})
    native = [i.native for i in wv.compile(source, "kernel", compiler="nvrtc", device="h200").instructions]
    assert loop.copies == sum(i is not None and i.mnemonic.startswith("LDG") for i in native) == count


def test_addresses_of_unsigned_numbers_are_computed_in_each_trip() -> None:
    source = HEAD + "for (unsigned k = 0; k < n; k++) s += a[k * n + threadIdx.x]; c[i] = s; }"
    program = wv.compile(source, "kernel")
    (loop,) = unrolled_loops(program, {})
    wide = {n for n, i in enumerate(program.instructions) if i.op == Op.MADWIDE and loop.first <= n <= loop.last}
    assert len(wide) == 1
    assert not wide & loop.folded
    native = [i.native for i in wv.compile(source, "kernel", compiler="nvrtc", device="h200").instructions]
    assert sum(i is not None and i.mnemonic.startswith("IMAD.WIDE.U32") for i in native) >= loop.copies


@pytest.mark.parametrize("products", COPIES_OF_KNOWN)
def test_loops_of_many_known_trips_are_written_in_part(products: int) -> None:
    body = "float v = a[k]; " + "v = v * s + 1.5f; " * products + "s += v;"
    source = LOOP.replace("BODY", body).replace("k < n", "k < 4096")
    (loop,) = unrolled_loops(wv.compile(source, "kernel"), {})
    assert loop.together == COPIES_OF_KNOWN[products]
    assert min(copies(wv.compile(source, "kernel", compiler="nvrtc", device="h200")), 16) == COPIES_OF_KNOWN[products]


@pytest.mark.parametrize("source", ONE_BY_ONE.values(), ids=ONE_BY_ONE)
def test_each_trip_waits_for_its_loads(source: str) -> None:
    assert not list(unrolled_loops(wv.compile(source, "kernel"), {}))
    assert loads_ahead(wv.compile(source, "kernel", compiler="nvrtc", device="h200")) <= 1


@pytest.mark.parametrize(("device", "ahead"), [("rtx2080", 4), ("a100", 4), ("rtx4090", 4), ("b200", 16)])
def test_other_architectures_have_such_loops(device: str, ahead: int) -> None:
    source = MIXED["trips that are not known"]
    assert loads_ahead(wv.compile(source, "kernel", compiler="nvrtc", device=device)) == ahead
