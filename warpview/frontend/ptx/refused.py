"""List the instructions and registers of PTX that are not supported, and who refuses them (PTX ISA 9.0, 9.7 and 10)."""

from __future__ import annotations

from warpview.diagnostics import Refusal

# Instructions whose operands have forms of their own, and what they are.
WITH_OTHER_OPERANDS = {
    **dict.fromkeys(("txq", "istypep"), "queries of textures"),
    **dict.fromkeys(("suld", "sust", "sured", "suq"), "surfaces"),
    **dict.fromkeys(("wgmma", "tcgen05"), "instructions of tensor cores"),
}
# What NVIDIA's machine code does is supported.
_TAKEN = frozenset({
    "alloca", "brkpt", "brx", "fns", "multimem", "stackrestore", "stacksave", "suld", "sust",
    "testp",
    "%aggr_smem_size", "%dynamic_smem_size", "%gridid", "%is_explicit_cluster", "%nsmid", "%nwarpid",
    "%reserved_smem_offset_0", "%reserved_smem_offset_1", "%reserved_smem_offset_begin", "%reserved_smem_offset_cap",
    "%total_smem_size",
})  # fmt: skip
# It is refused there, too.
_REFUSED = frozenset({
    "clusterlaunchcontrol", "istypep", "pmevent", "setmaxnreg", "suq", "sured", "tcgen05", "tensormap", "txq", "wgmma",
    "%current_graph_exec", "%reserved_smem_offset_end",
})  # fmt: skip


def refusal_of(name: str) -> Refusal | None:
    """Return who refuses an instruction or a register; None where it is no PTX, as far as is known."""
    if name in _REFUSED:
        return Refusal.ANYHOW
    return Refusal.FRONT_END if name in _TAKEN else None
