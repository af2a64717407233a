"""Every counter agrees with its definition, worked out by hand from raw figures that are all different."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from support.totals import totals_of

from warpview.devices import load_device
from warpview.isa.native import Bulk
from warpview.isa.ops import Op
from warpview.isa.program import NONE
from warpview.isa.types import Space
from warpview.isa.work import Work
from warpview.profile.counters import BY_KEY, LABEL, counter_values
from warpview.profile.totals import Totals
from warpview.sim.raw_counts import N_RAW, Raw, elsewhere, in_other_blocks

BULKS = {
    "bulk.ld": Bulk.LOAD, "bulk.st": Bulk.STORE, "bulk.red": Bulk.REDUCE, "bulk.move": Bulk.MOVE,
    "scatter": Bulk.SCATTER, "scatter.red": Bulk.SCATTER_REDUCE,
}  # fmt: skip
# Name of a row -> operation, space, guard. The raw figure in column c of row r is 1000 + 37 r + 5 c.
ROWS = {
    "ld.global": (Op.LD, Space.GLOBAL, NONE), "ld.generic": (Op.LD, Space.GENERIC, NONE),
    "st.global": (Op.ST, Space.GLOBAL, NONE), "red.global": (Op.RED, Space.GLOBAL, NONE),
    "atom.global": (Op.ATOM, Space.GLOBAL, NONE), "ld.shared": (Op.LD, Space.SHARED, NONE),
    "st.shared": (Op.ST, Space.SHARED, NONE), "red.shared": (Op.RED, Space.SHARED, NONE),
    "atom.shared": (Op.ATOM, Space.SHARED, NONE), "ld.local": (Op.LD, Space.LOCAL, NONE),
    "st.local": (Op.ST, Space.LOCAL, NONE), "ld.const": (Op.LD, Space.CONST, NONE), "bra": (Op.BRA, Space.NONE, NONE),
    "bra.guarded": (Op.BRA, Space.NONE, 3), "bar": (Op.BAR_SYNC, Space.NONE, NONE), "shfl": (Op.SHFL, Space.NONE, NONE),
    "add": (Op.ADD, Space.NONE, NONE), "copy": (Op.LD, Space.GLOBAL, NONE),
    "tex": (Op.NATIVE, Space.NONE, NONE), "tld": (Op.NATIVE, Space.NONE, NONE), "tld4": (Op.NATIVE, Space.NONE, NONE),
    "suld": (Op.NATIVE, Space.NONE, NONE), "sust": (Op.NATIVE, Space.NONE, NONE),
    **dict.fromkeys([*BULKS], (Op.NATIVE, Space.NONE, NONE)),
}  # fmt: skip
FETCHES = {"tex": 0, "tld": 1, "tld4": 2, "suld": 3, "sust": 4}
FACTS = {
    key: 7.0 + number
    for number, key in enumerate(
        ["blocks_launched", "warps_launched", "registers_per_thread", "shared_mem_per_block", "limit_blocks_warps",
         "limit_blocks_registers", "limit_blocks_shared", "limit_blocks_slots", "theoretical_occupancy_pct",
         "achieved_occupancy_pct", "cycles", "ipc", "time_us", "dram_bytes", "l2_bytes", "l1_hit_pct",
         "l2_hit_pct", "partition_camping", "stall_selected", "stall_not_selected", "stall_wait",
         "stall_long_scoreboard", "stall_short_scoreboard", "stall_barrier", "stall_membar", "stall_math_pipe_throttle",
         "stall_mio_throttle", "stall_lg_throttle", "stall_reconvergence", "stall_no_instruction", "stall_drain"]
    )
}  # fmt: skip


def figure(row: str, column: int) -> int:
    if column >= len(Raw) and row not in ("ld.generic", "scatter", "scatter.red"):
        return 0  # only a generic access and one to the shared memory of the cluster have a part elsewhere
    return 1000 + 37 * list(ROWS).index(row) + 5 * int(column)


def total(column: int, *rows: str) -> int:
    return sum(figure(row, column) for row in rows)


def in_global(column: Raw, *rows: str) -> int:
    return total(column, *rows) - total(elsewhere(column), *rows) - total(in_other_blocks(column), *rows)


def wasted(row: str) -> int:
    return max(0, 32 * in_global(Raw.SECTORS, row) - in_global(Raw.BYTES_REQUESTED, row))


def in_shared(column: Raw, *rows: str) -> int:
    return total(column, *rows) + total(elsewhere(column), *GENERIC.get(rows, ()))


@pytest.fixture(scope="module")
def totals() -> Totals:
    counts = np.array([[figure(row, column) for column in range(N_RAW)] for row in ROWS], np.int64)
    assert counts.shape == (len(ROWS), N_RAW)
    ops, spaces, guards = (np.array(column, np.int32) for column in zip(*ROWS.values(), strict=True))
    work = np.arange(len(ROWS) * len(Work), dtype=np.int64).reshape(len(ROWS), len(Work))
    return totals_of(
        counts, ops, spaces, guards, work=work, facts=FACTS, copies=[row == "copy" for row in ROWS],
        fetches=[FETCHES.get(row, NONE) for row in ROWS], bulks=[BULKS.get(row, NONE) for row in ROWS],
    )  # fmt: skip


KINDS = {
    "ld": ("ld.global", "ld.generic", "copy"), "st": ("st.global",), "red": ("red.global",), "atom": ("atom.global",),
}  # fmt: skip
SHARED = {"ld": ("ld.shared",), "st": ("st.shared",), "atom": ("atom.shared", "red.shared")}
GENERIC = {SHARED["ld"]: ("ld.generic",)}
NAMED = {"ld": ("ld.global",)}  # by the instruction; the rest of KINDS is, too
ATOMICS = ("red.global", "atom.global", "red.shared", "atom.shared")


def expected() -> dict[str, float]:
    """Each counter by key, as its description says."""
    every = tuple(ROWS)
    reissued = total(Raw.REISSUED_LANES, *every)
    lanes = total(Raw.LANES, *every) + reissued
    executed = total(Raw.EXECUTED, *every) + total(Raw.REISSUED, *every)
    guarded, divergent = figure("bra.guarded", Raw.EXECUTED), total(Raw.DIVERGENT, "bra", "bra.guarded")
    branches = guarded + total(Raw.FURTHER_TARGETS, "bra", "bra.guarded")
    values: dict[str, float] = {
        **FACTS,
        "inst_executed": executed,
        "thread_inst_executed": lanes,
        "thread_inst_executed_on": total(Raw.LANES_ON, *every) + reissued - total(Raw.HALF_GUARDED, *every),
        "active_lanes_average": lanes / executed,
        "warp_execution_efficiency_pct": 100 * lanes / executed / 32,
        "branches": branches,
        "divergent_branches": divergent,
        "branch_efficiency_pct": 100 * (branches - divergent) / branches,
        "barriers": figure("bar", Raw.EXECUTED),
        "warp_collectives": figure("shfl", Raw.EXECUTED),
        "warp_serialize": total(
            Raw.SERIALIZED, "ld.shared", "st.shared", "red.shared", "atom.shared", "ld.const"
        ) + figure("ld.generic", elsewhere(Raw.SERIALIZED)),
        "atomics": total(Raw.REQUESTS, *ATOMICS),
        "atomic_lanes": total(Raw.LANES_ON, *ATOMICS),
        "atomic_collisions": total(Raw.COLLISIONS, *ATOMICS),
        "inst_local_ld": figure("ld.local", Raw.EXECUTED),
        "inst_local_st": figure("st.local", Raw.EXECUTED),
        "local_ld_sectors": figure("ld.local", Raw.SECTORS) + figure("ld.generic", elsewhere(Raw.SECTORS)),
        "local_st_sectors": figure("st.local", Raw.SECTORS),
        "inst_copies": figure("copy", Raw.EXECUTED),
        "inst_generic_ld": figure("ld.generic", Raw.EXECUTED),
        "inst_generic_st": 0,
        "inst_generic_atom": figure("atom.global", Raw.EXECUTED),
        "inst_const_ld": figure("ld.const", Raw.EXECUTED),
        "const_ld_passes": figure("ld.const", Raw.WAVEFRONTS),
        "inst_texture": total(Raw.EXECUTED, "tex", "tld", "tld4"),
        "texture_requests": total(Raw.REQUESTS, "tex", "tld", "tld4"),
        "texture_sectors": total(Raw.SECTORS, "tex", "tld", "tld4"),
        "inst_bulk_ld": figure("bulk.ld", Raw.EXECUTED),
        "inst_bulk_st": total(Raw.EXECUTED, "bulk.st", "bulk.red", "bulk.move"),
        "bulk_ld_sectors": figure("bulk.ld", Raw.SECTORS),
        "bulk_st_sectors": figure("bulk.st", Raw.SECTORS),
        "bulk_red_sectors": figure("bulk.red", Raw.SECTORS),
        "bulk_shared_sectors": figure("bulk.move", Raw.SECTORS),
        "surface_ld_requests": figure("suld", Raw.REQUESTS),
        "surface_ld_sectors": figure("suld", Raw.SECTORS),
        "surface_st_requests": figure("sust", Raw.REQUESTS),
        "surface_st_sectors": figure("sust", Raw.SECTORS),
    }  # fmt: skip
    for kind, key in enumerate(
        ("flop_count_sp", "flop_count_dp", "flop_count_hp", "flop_count_matrix", "inst_integer")
    ):
        values[key] = sum(figure(row, Raw.LANES_ON) * (len(Work) * n + kind) for n, row in enumerate(ROWS))
    for kind, rows in KINDS.items():
        requests, sectors = in_global(Raw.REQUESTS, *rows), in_global(Raw.SECTORS, *rows)
        asked = in_global(Raw.BYTES_REQUESTED, *rows)
        values |= {
            f"inst_global_{kind}": total(Raw.EXECUTED, *NAMED.get(kind, rows)),
            f"global_{kind}_requests": requests,
            f"global_{kind}_sectors": sectors,
            f"global_{kind}_sectors_per_request": sectors / requests,
        }
        if kind in ("ld", "st"):
            values |= {
                f"global_{kind}_transactions_32": in_global(Raw.TRANSACTIONS_32, *rows),
                f"global_{kind}_transactions_64": in_global(Raw.TRANSACTIONS_64, *rows),
                f"global_{kind}_transactions_128": in_global(Raw.TRANSACTIONS_128, *rows),
                f"global_{kind}_bytes_requested": asked,
                f"global_{kind}_bytes_moved": 32 * sectors,
                f"global_{kind}_efficiency_pct": 100 * asked / (32 * sectors),
                f"global_{kind}_bytes_wasted": sum(map(wasted, rows)),
                f"global_{kind}_ideal_sectors_per_request": asked / (32 * requests),
                f"global_{kind}_uncoalesced": in_global(Raw.UNCOALESCED, *rows),
            }
    for kind, row in (("ld", "ld.generic"), ("st", "scatter"), ("atom", "add"), ("redas", "scatter.red")):
        for unit, column in (("requests", Raw.REQUESTS), ("sectors", Raw.SECTORS), ("wavefronts", Raw.WAVEFRONTS)):
            values[f"distributed_{kind}_{unit}"] = figure(row, in_other_blocks(column))
    values["global_ld_transactions_96"] = in_global(Raw.TRANSACTIONS_96, *KINDS["ld"])
    for kind, rows in SHARED.items():
        waves = in_shared(Raw.WAVEFRONTS, *rows)
        requests = in_shared(Raw.REQUESTS, *rows) - total(Raw.IN_LOCAL, *GENERIC.get(rows, ()))
        values |= {
            f"inst_shared_{kind}": total(Raw.EXECUTED, *rows),
            f"shared_{kind}_wavefronts": waves,
            f"shared_{kind}_bank_conflicts": waves - in_shared(Raw.IDEAL_WAVEFRONTS, *rows),
            f"shared_{kind}_wavefronts_per_request": waves / requests,
        }
    return values


def test_every_counter_is_its_definition(totals: Totals) -> None:
    found = counter_values(totals, load_device("8800gtx")) | counter_values(totals, load_device("h200"))
    assert set(found) == set(BY_KEY)
    assert found == pytest.approx(expected())


def test_an_instruction_whose_lanes_share_addresses_wastes_nothing() -> None:
    """A broadcast asks for 32 x 4 bytes of one sector: it does not make up for what another instruction wastes."""
    counts = np.zeros((2, N_RAW), np.int64)
    counts[0, [Raw.SECTORS, Raw.BYTES_REQUESTED]] = 1, 128
    counts[1, [Raw.SECTORS, Raw.BYTES_REQUESTED]] = 32, 128
    totals = totals_of(counts, Op.LD, Space.GLOBAL)
    assert BY_KEY["global_ld_bytes_wasted"].compute(totals) == 32 * 32 - 128


def test_reductions_in_other_blocks_count_as_atomics() -> None:
    counts = np.zeros((4, N_RAW), np.int64)
    counts[:, in_other_blocks(Raw.SECTORS)] = 1, 2, 4, 8
    totals = totals_of(counts, [Op.LD, Op.ST, Op.ATOM, Op.RED], Space.GENERIC)
    assert [BY_KEY[f"distributed_{kind}_sectors"].compute(totals) for kind in ("ld", "st", "atom")] == [1, 2, 12]


def test_ratios_over_nothing_are_not_known() -> None:
    nothing = totals_of(np.zeros((0, N_RAW), np.int64), [], [])
    values = counter_values(nothing, load_device("8800gtx"))
    ratios: Callable[[str], bool] = lambda key: key.endswith(("_pct", "_per_request", "_average"))  # noqa: E731
    assert {key for key, value in values.items() if value is None} == set(FACTS) | set(filter(ratios, BY_KEY))


def test_names_of_the_visual_profiler_are_those_of_its_time() -> None:
    names = {key: counter.visual_profiler for key, counter in BY_KEY.items() if counter.visual_profiler}
    for prefix, kind in (("gld", "ld"), ("gst", "st")):
        assert names[f"global_{kind}_requests"] == f"{prefix}_request"
        assert names[f"global_{kind}_transactions_64"] == f"{prefix}_64b"
        assert names[f"global_{kind}_uncoalesced"] == f"{prefix}_incoherent"
    assert [
        key for key in ("global_ld_transactions_96", "global_red_requests", "flop_count_matrix") if key in names
    ] == []
    assert (names["flop_count_sp"], names["flop_count_hp"]) == ("flop_count_sp", "flop_count_hp")
    assert BY_KEY["global_red_requests"].label == "Reduction requests"
    assert BY_KEY["global_ld_requests"].label == "Global load requests"


def test_short_titles_tell_all_counters_apart() -> None:
    """Where there is little room each counter still has a title of its own."""
    titles = [counter.label for counter in BY_KEY.values()]
    assert len(set(titles)) == len(titles)
    assert max(map(len, titles)) == LABEL, "the table is no wider than its longest title"
