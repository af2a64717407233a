"""NVRTC does without the branches that sim/compiler_effects/predicated_branches.py says it does, and keeps others."""

from __future__ import annotations

import pytest
from support.tiers import representatives

import warpview as wv
from warpview.devices import load_device
from warpview.isa.ops import Op
from warpview.sass import nvrtc
from warpview.sim.compiler_effects.absorbed_operations import absorbed
from warpview.sim.compiler_effects.predicated_branches import predicated_branches
from warpview.sim.compiler_effects.repeated_operations import repeated_operations

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

SOURCE = """
__global__ void kernel(const float *a, float *c, int n)
{
    int i = threadIdx.x;
    float s = a[i], q = a[i + 100];
    if (CONDITION) {
        BODY
    }
    c[i] = s + q;
}
"""
PRODUCT, STORE = "s = s * q + 1.5f;", "c[i + {0}000] = s * {0}.5f;"
CASES = {
    "a product": ("i > n", PRODUCT, 0),
    "six products, in all lanes or none": ("n > 5", PRODUCT * 6, 0),
    "as many products as may be": ("i > n", "MOST", 0),
    "one more": ("i > n", "MOST" + PRODUCT, 1),
    "thirty products": ("i > n", PRODUCT * 30, 1),
    "four loads": ("i > n", "".join(f"s += a[i + {k} * n];" for k in range(1, 5)), 0),
    "twelve loads": ("i > n", "".join(f"s += a[i + {k} * n];" for k in range(1, 13)), 1),
    "two stores": ("i > n", "".join(STORE.format(k) for k in range(1, 3)), 0),
    "eight stores": ("i > n", "".join(STORE.format(k) for k in range(1, 9)), 1),
    "an exact division": ("i > n", "s = s / q;", 1),
}  # fmt: skip


@pytest.mark.parametrize(
    "device", representatives(["rtx2080", "a100", "rtx3090", "rtx4090", "h200", "b200", "rtx5090"], ["h200", "a100"])
)
def test_as_many_branches_are_left_as_the_compiler_writes(device: str) -> None:
    most = load_device(device).predicated_instructions
    for name, (condition, body, count) in CASES.items():
        source = SOURCE.replace("CONDITION", condition).replace("BODY", body).replace("MOST", PRODUCT * most)
        program = wv.compile(source, "kernel")
        repeated = repeated_operations(program)
        gone = set(predicated_branches(program, {*repeated, *absorbed(program, repeated)}, most))
        left = [n for n, i in enumerate(program.instructions) if i.op == Op.BRA and n not in gone]
        native = [i.native for i in wv.compile(source, "kernel", compiler="nvrtc", device=device).instructions]
        mnemonics = [i.mnemonic for i in native if i is not None]
        end = mnemonics.index("EXIT")
        written = sum(mnemonic.startswith("BRA") for mnemonic in mnemonics[:end])
        assert len(left) == count, name
        assert bool(written) == bool(count), name  # a division has a branch of its own
