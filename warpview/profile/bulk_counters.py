"""Define the counters of bulk copies, each in one row."""

from __future__ import annotations

from warpview.isa.native import Bulk
from warpview.profile.counter import Counter
from warpview.profile.formulas import in_bulk
from warpview.sim.raw_counts import Raw

_READ, _WRITTEN = "l1tex__m_xbar2l1tex_read_sectors_mem_{}.sum", "l1tex__m_l1tex2xbar_write_sectors_mem_{}.sum"


def bulk_counters() -> list[Counter]:
    """Return the counters of bulk copies, which compute capability 9.0 brought."""
    group, of_copies = "bulk copies", "Sectors of 32 bytes that bulk {} between an SM and the L2."
    needs = "largest_cluster"
    instructions = (
        ("inst_bulk_ld", "Bulk loads", "Warp instructions that copy bytes of global memory to shared memory.",
         (Bulk.LOAD,), "smsp__inst_executed_op_tma_ld.sum"),
        ("inst_bulk_st", "Bulk stores", "Warp instructions that copy bytes of shared memory to global memory or to "
         "another block, or reduce global memory by them.", (Bulk.STORE, Bulk.REDUCE, Bulk.MOVE),
         "smsp__inst_executed_op_tma_st.sum"),
    )  # fmt: skip
    sectors = (
        ("bulk_ld_sectors", "Bulk load sectors", "loads move", Bulk.LOAD, _READ.format("global_op_tma_ld")),
        ("bulk_st_sectors", "Bulk store sectors", "stores move", Bulk.STORE, _WRITTEN.format("global_op_tma_st")),
        ("bulk_red_sectors", "Bulk reduction sectors", "reductions move", Bulk.REDUCE,
         _WRITTEN.format("global_op_tma_red")),
        ("bulk_shared_sectors", "Bulk sectors to blocks", "copies to another block move", Bulk.MOVE,
         _WRITTEN.format("dshared_op_tma_st")),
    )  # fmt: skip
    return [
        *(Counter(key, group, "instructions", title, text, in_bulk(Raw.EXECUTED, *kinds), nsight,
                  needs=needs)
          for key, title, text, kinds, nsight in instructions),
        *(Counter(key, group, "sectors", title, of_copies.format(text), in_bulk(Raw.SECTORS, kind), nsight, needs=needs)
          for key, title, text, kind, nsight in sectors),
    ]  # fmt: skip
