"""Counters are declared once, well, and add up."""

from __future__ import annotations

import json

import numpy as np
from support.totals import totals_of

from warpview.devices import load_device
from warpview.isa.ops import Op
from warpview.isa.program import NONE
from warpview.isa.types import Space
from warpview.profile import export
from warpview.profile.counters import BY_KEY, COUNTERS, counter_values, counters_of
from warpview.profile.totals import Totals
from warpview.sim.raw_counts import N_RAW, Raw


def _totals() -> Totals:
    """A global load, a shared load with conflicts, a divergent conditional branch and a plain branch."""
    rows = [
        (Op.LD, Space.GLOBAL, NONE, {Raw.EXECUTED: 4, Raw.LANES: 128, Raw.REQUESTS: 4, Raw.SECTORS: 20,
                                     Raw.BYTES_REQUESTED: 512, Raw.TRANSACTIONS_64: 8}),
        (Op.LD, Space.SHARED, NONE, {Raw.EXECUTED: 4, Raw.LANES: 64, Raw.REQUESTS: 4, Raw.WAVEFRONTS: 8,
                                     Raw.IDEAL_WAVEFRONTS: 4, Raw.SERIALIZED: 4}),
        (Op.BRA, Space.NONE, 3, {Raw.EXECUTED: 4, Raw.LANES: 128, Raw.DIVERGENT: 1, Raw.TAKEN: 3}),
        (Op.BRA, Space.NONE, NONE, {Raw.EXECUTED: 2, Raw.LANES: 64, Raw.TAKEN: 2}),
    ]  # fmt: skip
    counts = np.zeros((len(rows), N_RAW), dtype=np.int64)
    for pc, (_, _, _, values) in enumerate(rows):
        for column, value in values.items():
            counts[pc, column] = value
    return totals_of(counts, *([row[k] for row in rows] for k in range(3)), facts={"blocks_launched": 2})


def test_values() -> None:
    values = counter_values(_totals(), load_device("8800gtx"))
    assert values["inst_executed"] == 14
    assert values["active_lanes_average"] == 384 / 14
    assert values["global_ld_sectors"] == 20
    assert values["global_ld_transactions_64"] == 8
    assert values["global_ld_efficiency_pct"] == 80
    assert values["global_ld_bytes_wasted"] == 128
    assert values["global_ld_ideal_sectors_per_request"] == 4
    assert values["shared_ld_bank_conflicts"] == 4
    assert values["warp_serialize"] == 4
    assert values["branches"] == 4
    assert values["divergent_branches"] == 1
    assert values["branch_efficiency_pct"] == 75
    assert values["global_st_efficiency_pct"] is None
    assert values["blocks_launched"] == 2
    assert values["time_us"] is None


def test_rows_are_complete_and_unique() -> None:
    assert len(BY_KEY) == len(COUNTERS)
    for counter in COUNTERS:
        assert counter.key == counter.key.lower()
        assert counter.unit
        assert counter.title
        assert counter.description.endswith(".")


def test_transactions_by_size_belong_to_devices_that_have_sizes() -> None:
    old = {counter.key for counter in counters_of(load_device("8800gtx"))}
    new = {counter.key for counter in counters_of(load_device("h200"))}
    assert "global_ld_transactions_64" in old - new


def test_exports_have_the_same_columns_for_every_device() -> None:
    launch = dict.fromkeys(export.LAUNCH_COLUMNS, "x")
    rows = [export.ExportRow(launch, counter_values(_totals(), load_device(key))) for key in ("8800gtx", "h200")]
    header, first, second = export.to_csv(rows).splitlines()
    names = header.split(",")
    assert names == export.columns()
    assert first.split(",")[names.index("global_ld_transactions_64")] == "8"
    assert second.split(",")[names.index("global_ld_transactions_64")] == ""
    objects = json.loads(export.to_json(rows, "nsight"))
    assert objects[1]["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] == 20
