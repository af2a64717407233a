"""Leave inefficiencies out of the timing model, to find what they are worth."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from warpview.sim.history.events import Inefficiency
from warpview.sim.timing.model import OWN_SPREAD, SPREAD, Timing


def without(timing: Timing, inefficiencies: Iterable[Inefficiency]) -> Timing:
    """Return the numbers of a machine that does not know some inefficiencies."""
    free = np.zeros_like(timing.sector_cost)
    values: dict[Inefficiency, dict[str, object]] = {
        Inefficiency.UNCOALESCED: {"coalesced": 1},
        Inefficiency.CONFLICTS: {"wavefront": 0, "wavefront_busy": 0, "replay": 0},
        Inefficiency.BANDWIDTH: {
            "sector_cost": free, "l2_cost": free, "line_cost": free, "partial_cost": 0, "store_port": 0,
            "partial_port": 0, "near_line": 0,
        },
        Inefficiency.LATENCY: {
            "global_latency": timing.l1_latency, "l2_latency": timing.l1_latency, "dram_queue": 0,
            "l2_spread": (0,) * SPREAD, "dram_own_spread": (0,) * OWN_SPREAD, "dram_shared_spread": (0,) * OWN_SPREAD,
        },
        Inefficiency.BARRIERS: {"barrier": 0, "cluster_barrier": 0, "barrier_per_warp": 0},
        Inefficiency.ATOMICS: {
            "pass_cost": free, "pass_part": free, "pass_again": free, "pass_apart": free, "met_cost": 0,
        },
        Inefficiency.DISTRIBUTED: {
            "distributed_load": 0, "distributed_wavefront": 0, "distributed_store": 0, "distributed_atomic": 0,
            "distributed_later": 0, "fence_distributed": 0,
        },
        Inefficiency.STARTS: {"block_start": 0, "warp_start": 0, "block_interval": 0, "first_interval": 0},
    }  # fmt: skip
    for one in inefficiencies:
        timing = timing._replace(**values[one])  # type: ignore[arg-type]
    return timing
