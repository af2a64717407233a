"""Define the counters of accesses to the shared memory of a cluster of blocks, each in one row."""

from __future__ import annotations

from warpview.isa.native import Bulk
from warpview.isa.ops import Op
from warpview.profile.counter import Counter
from warpview.profile.formulas import Count, distributed, in_bulk, plus
from warpview.sim.raw_counts import Raw, in_other_blocks


def distributed_counters() -> list[Counter]:
    """Return the counters of accesses to the shared memory of other blocks of a cluster, and of what the lanes of a
    warp scatter there, also in the own block."""
    figures = (
        (Raw.REQUESTS, "requests", "requests",
         "Warp instructions that are {}s with lanes in the shared memory of other blocks of the cluster."),
        (Raw.SECTORS, "sectors", "sectors", "32-byte sectors of other blocks' shared memory that {}s accessed."),
        (Raw.WAVEFRONTS, "wavefronts", "output_wavefronts",
         "Passes over the tags that {}s of other blocks' shared memory took."),
    )  # fmt: skip
    kinds = (("ld", "load"), ("st", "store"), ("atom", "atomic"), ("redas", "asynchronous reduction"))
    return [
        Counter(f"distributed_{kind}_{unit}", "distributed shared memory", unit, f"Distributed {noun} {unit}",
                text.format(noun), _of(kind, figure), f"l1tex__t_{metric}_pipe_lsu_mem_dshared_op_{kind}.sum",
                needs="largest_cluster", short=f"DSM {'redas' if kind == 'redas' else noun} {unit}")
        for kind, noun in kinds
        for figure, unit, metric, text in figures
    ]  # fmt: skip


def _of(kind: str, figure: Raw) -> Count:
    """Return a figure of one kind of access."""
    ops = {"ld": {Op.LD}, "st": {Op.ST}, "atom": {Op.ATOM, Op.RED}}
    if kind == "redas":
        return in_bulk(in_other_blocks(figure), Bulk.SCATTER_REDUCE)
    found = distributed(figure, frozenset(ops[kind]))
    return plus(found, in_bulk(in_other_blocks(figure), Bulk.SCATTER)) if kind == "st" else found
