"""NVRTC carries out once for a warp the atomics that sim/compiler_effects/merged_atomics.py says, and no others.

In machine code that is seen from the votes, reductions and shuffles around the atomic; these kernels have none of their
own.
"""

from __future__ import annotations

import pytest

import warpview as wv
from warpview.devices import load_device
from warpview.isa.ops import Op
from warpview.isa.types import Space
from warpview.sass import nvrtc
from warpview.sim.compiler_effects.merged_atomics import ALL, SEVERAL, MergedAtomic, merged_atomics

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

COUNTED, REDUCED, SHUFFLED, NOT = "counted", "reduced", "shuffled", "not"
HEAD = (
    "__global__ void kernel(int *c, const int *v, int *o, int n, unsigned long long *l, float *f)"
    "{ int t = threadIdx.x, x = v[t]; "
)
BODIES = {
    "a counter": ("atomicAdd(c, 1);", COUNTED, COUNTED),
    "a counter whose old value is used": ("o[t] = atomicAdd(c, 1);", COUNTED, COUNTED),
    "a difference": ("o[t] = atomicSub(c, 1);", COUNTED, COUNTED),
    "a parameter": ("atomicAdd(c, n);", COUNTED, COUNTED),
    "a long counter": ("atomicAdd(l, 1ull);", COUNTED, COUNTED),
    "a condition": ("if (x > 3) atomicAdd(&c[1], 1);", COUNTED, COUNTED),
    "a place in a list": ("if (x > 3) o[atomicAdd(c, 1)] = t;", COUNTED, COUNTED),
    "an index that all lanes load": ("atomicAdd(&c[v[blockIdx.x]], 1);", COUNTED, COUNTED),
    "one of two addresses": ("int *p = n > 3 ? c : o; atomicAdd(p, 1);", COUNTED, COUNTED),
    "values of lanes": ("atomicAdd(c, x);", SHUFFLED, REDUCED),
    "a word of the block": ("atomicAdd(&c[blockIdx.x], x);", SHUFFLED, REDUCED),
    "the same loop in all lanes": ("int k = 0; while (v[k] < n) k++; atomicAdd(&c[k], x);", SHUFFLED, REDUCED),
    "a maximum": ("atomicMax(c, x);", SHUFFLED, REDUCED),
    "a mask": ("atomicOr(c, x);", SHUFFLED, REDUCED),
    "sums before each lane": ("o[t] = atomicAdd(c, x);", SHUFFLED, SHUFFLED),
    "a maximum whose old value is used": ("o[t] = atomicMax(c, x);", NOT, NOT),
    "long values of lanes": ("atomicAdd(l, (unsigned long long)x);", NOT, NOT),
    "a long maximum": ("atomicMax(l, 5ull);", NOT, NOT),
    "floats": ("atomicAdd(f, 1.0f);", NOT, NOT),
    "an exchange": ("atomicExch(c, x);", NOT, NOT),
    "a compare-and-swap": ("atomicCAS(c, 3, x);", NOT, NOT),
    "a word of the warp": ("atomicAdd(&c[t >> 5], 1);", NOT, NOT),
    "a row of threads": ("atomicAdd(&c[threadIdx.y], 1);", NOT, NOT),
    "what a lane has loaded": ("atomicAdd(&c[x], 1);", NOT, NOT),
    "another loop in each lane": ("int k = 0; while (v[k + t] < n) k++; atomicAdd(&c[k], 1);", NOT, NOT),
    "one of two addresses by lanes": ("if (x) c += 3; atomicAdd(c, 1);", NOT, NOT),
}  # fmt: skip


def of_machine_code(source: str, device: str) -> str:
    """Return what the instructions around the atomic of NVRTC's code say."""
    program = wv.compile(source, kernel="kernel", device=device, compiler="nvrtc")
    names = {i.native.mnemonic.split(".")[0] for i in program.instructions if i.native is not None}
    if "REDUX" in names:
        return REDUCED
    counts = not names.isdisjoint({"POPC", "UPOPC"})
    if "SHFL" in names and not counts:
        return SHUFFLED
    return COUNTED if counts else NOT


def of_model(source: str, device: str) -> str:
    program = wv.compile(source, kernel="kernel", device=device)
    (at,) = (n for n, i in enumerate(program.instructions)
             if i.op in (Op.ATOM, Op.RED) and i.space == Space.GLOBAL)  # fmt: skip
    found = {each.at: each for each in merged_atomics(program, load_device(device))}
    return kind_of(found[at]) if at in found else NOT


def kind_of(merged: MergedAtomic) -> str:
    if merged.lanes == ALL:
        return SHUFFLED
    assert merged.lanes == SEVERAL
    return COUNTED if merged.slots in (6, 10) else REDUCED


@pytest.mark.parametrize("name", BODIES)
def test_the_model_merges_what_nvrtc_merges(name: str) -> None:
    body, on_turing, on_hopper = BODIES[name]
    source = HEAD + body + " }"
    for device, expected in (("rtx2080", on_turing), ("h200", on_hopper)):
        assert of_machine_code(source, device) == expected
        assert of_model(source, device) == expected
