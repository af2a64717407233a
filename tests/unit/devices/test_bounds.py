"""Every number in a device file has bounds, and sizes follow from its facts.

The bounds are wide: they refuse slips of the pen (a bus of 3 bits, a clock in Hz), not devices to come.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from warpview.devices import Capability, load_capability, load_device
from warpview.devices.consistency import check
from warpview.devices.device import Device

GIB2 = 2_147_483_648
CYCLES = (0, 20_000)
BYTES = (0, GIB2)
BOUNDS: dict[str, tuple[float, float]] = {
    "memory_queue": (0, 32), "load_queue": (0, 32), "store_merge_sectors": (0, 1024), "register_banks": (0, 2),
    "schedulers": (1, 8), "dispatch_per_scheduler": (1, 2), "sass": (0, 999), "issue_port_cycles": (1, 64),
    "latency_shared": CYCLES, "latency_l1": CYCLES, "latency_l2": CYCLES, "latency_global": CYCLES,
    "latency_constant": CYCLES, "latency_barrier": CYCLES, "barrier_cycles_per_warp": CYCLES,
    "shared_wavefront_cycles": (1, 64), "l2_sector_cycles": (0, 100), "atomic_pass_cycles": (0.1, 1000),
    "constant_pass_cycles": (1, 64), "constant_group": (16, 32), "constant_cache_bytes": BYTES,
    "constant_bytes": BYTES, "local_bytes_per_thread": BYTES, "unified_bytes": BYTES, "shared_banks": (1, 64),
    "shared_bank_width": (4, 8), "shared_bank_bytes": (4, 8), "shared_group": (16, 32), "max_warps": (1, 256),
    "max_blocks": (1, 256), "max_threads_per_block": (32, 4096), "registers": (1024, 1_048_576),
    "registers_per_block": (1024, 1_048_576), "max_registers_per_thread": (16, 1024), "register_unit": (1, 4096),
    "register_check_partitions": (0, 8), "sub_partitions": (1, 8), "warp_unit": (1, 8), "shared_bytes": BYTES,
    "shared_per_block": BYTES, "shared_per_block_optin": BYTES, "shared_unit": (1, 4096), "shared_reserved": BYTES,
    "barriers_per_block_slot": (0, 64), "bus_gbps": (0.1, 10_000), "year": (0, 2100), "multiprocessors": (1, 1024),
    "cluster_multiprocessors": (1, 32),
    "largest_cluster": (0, 64), "clock_mhz": (100, 5000), "memory_gtps": (0.1, 100), "bus_bits": (32, 16_384),
    "memory_bytes": (0, 1 << 44),
    "core_mhz": (0, 5000), "partition_store_bytes": (0, 1024),
    "memory_partitions": (0, 64), "l2_slices": (1, 1024), "block_launch_cycles": (0, 1000),
    "block_start_cycles": CYCLES, "shared_wavefront_busy": (0, 64), "l1_pass_cycles": (0, 64),
    "l2_store_cycles": (0, 100), "l2_partial_store_cycles": (0, 100), "l2_port_cycles": (0, 100),
    "l2_dirty_part": (0, 1), "dram_queue_cycles": CYCLES, "dram_sectors": (1, 4), "dram_read_efficiency": (0.01, 1),
    "dram_shared_sooner": CYCLES,
    "dram_write_efficiency": (0.01, 1), "launch_overhead_us": (0, 1000), "cold_start_cycles": CYCLES,
    "cold_line_cycles": CYCLES, "warp_start_cycles": CYCLES, "l2_line_cycles": (0, 100),
    "l2_store_line_cycles": (0, 100), "l2_store_port_cycles": (0, 100), "l2_partial_port_cycles": (0, 100),
    "l2_met_store_cycles": (0, 100),
    "atomic_float_cycles": (0, 1000), "l2_parts": (1, 4), "block_launch_groups": (1, 64),
    "cold_constant_cycles": CYCLES, "cold_constant_line_cycles": CYCLES, "latency_special": CYCLES,
    "store_drain_cycles": CYCLES, "atomic_later_cycles": CYCLES,
    "far_word_cycles": CYCLES, "changed_word_cycles": CYCLES, "atomic_backlog": (0, 10_000), "queue_read": (0, 32),
    "loads_in_flight": (0, 1024),
    "mio_register_cycles": (0, 16), "held_loads": (0, 64),
    "shared_for_further": BYTES, "threads_with_further": (0, 2048),
    "special_slots": (0, 16), "shared_swap_times": (1, 16), "shared_set_cycles": (0, 256),
    "bulk_cycles": CYCLES, "bulk_bytes": (1, 1024), "bulk_issue_cycles": (0, 1024),
    "bulk_interval_cycles": (1, 1024),
    "l2_near_cycles": (0, 100), "l2_near_line_cycles": (0, 100), "shuffle_slots": (0, 16),
    "unused_slots": (0, 16), "side_slots": (0, 16), "reconvergence_cycles": CYCLES, "fence_cycles": CYCLES,
    "system_fence_cycles": CYCLES, "cluster_barrier_cycles": CYCLES, "cluster_start_cycles": CYCLES,
    "fence_interval_cycles": CYCLES, "fence_distributed_cycles": CYCLES, "distributed_later_cycles": CYCLES,
    "path_change_cycles": CYCLES, "indirect_branch_cycles": CYCLES, "latency_shared_atomic": CYCLES,
    "predicated_instructions": (0, 64), "wide_product_cycles": (0, 64), "wide_product_slots": (1, 64),
    "l2_recent_part": (0, 1), "l2_partial_part": (0, 1), "atomic_repeat_cycles": (0, 1000),
}  # fmt: skip
OF_EACH: dict[str, tuple[int, int]] = {  # lists: the bounds of each number
    "tag_bank_masks": (1, 1_099_511_627_776), "cluster_groups": (1, 256),
    "shared_bank_widths": (4, 8), "doubled_register_units": (1, 1024),
    "shared_configurations": BYTES, "l2_spread": (-10_000, 10_000), "dram_spread": (-10_000, 10_000),
    "dram_scattered_reads": (1, 10_000), "dram_partial_stores": (1, 10_000),
    "dram_late_spread": (-10_000, 10_000), "l2_kept": (1, 1000),
    "dram_late_pairs": (0, 64), "fence_trips": CYCLES, "distributed_costs": (0, 100_000),
    "max_block_dims": (1, 2_147_483_647), "max_grid_dims": (1, 2_147_483_647),
}  # fmt: skip
# In a whole list.
LENGTHS = {
    "l2_spread": 8, "dram_spread": 8, "dram_late_spread": 4, "dram_scattered_reads": 4,
    "dram_partial_stores": 5, "fence_trips": 8, "l2_kept": 8, "dram_late_pairs": 2,
    "distributed_costs": 4, "max_block_dims": 3, "max_grid_dims": 3,
}  # fmt: skip
UNITS = ("alu", "imul", "idiv", "fp64", "sfu", "lsu", "branch", "sync", "warp", "fma")
DEFAULTS: dict[str, object] = {
    "copies_to_shared": False, "largest_cluster": 0, "cluster_groups": (),
    "sass": 0, "issue_port_cycles": 1, "replays": False, "l2_sector_cycles": 0.0, "atomic_pass_cycles": 1.0,
    "tag_bank_masks": (), "unified_bytes": 0, "l1": None, "read_only_cache": None, "l2": None,
    "shared_extra_pass_128": False, "shared_queue": True, "doubled_register_units": (), "register_check_partitions": 0,
    "carve_out_grows": False, "shared_for_further": 0, "threads_with_further": 0,
    "visual_profiler": "none", "year": 0, "memory_partitions": 0, "l2_slices": 0,
    "core_mhz": 0.0, "memory_bytes": 0, "partition_store_bytes": 0,
    "unverified": (), "separate_fma": False, "block_launch_cycles": 0.0, "block_start_cycles": 20,
    "shared_wavefront_busy": 0, "l1_pass_cycles": 0, "l2_store_cycles": 0.0, "l2_partial_store_cycles": 0.0,
    "l2_port_cycles": 0.0, "l2_dirty_part": 0.0, "dram_queue_cycles": 0, "dram_shared_sooner": 0, "dram_sectors": 1,
    "dram_read_efficiency": 0.8, "dram_write_efficiency": 0.8, "launch_overhead_us": 0.0, "cold_start_cycles": 0,
    "cold_line_cycles": 0, "warp_start_cycles": 0, "l2_line_cycles": 0.0, "l2_store_line_cycles": 0.0,
    "l2_store_port_cycles": 0.0, "l2_partial_port_cycles": 0.0, "l2_met_store_cycles": 0.0,
    "atomic_float_cycles": 0.0, "l2_spread": (),
    "dram_spread": (), "dram_scattered_reads": (), "dram_partial_stores": (), "memory_queue": 0,
    "dram_late_spread": (), "dram_late_pairs": (),
    "load_queue": 0, "store_merge_sectors": 0, "register_banks": 0, "fence_cycles": 0, "fence_trips": (),
    "system_fence_cycles": 0, "cluster_barrier_cycles": 0, "cluster_start_cycles": 0, "distributed_costs": (),
    "distributed_later_cycles": 0, "fence_distributed_cycles": 0, "fence_interval_cycles": 0,
    "reconvergence_cycles": 0,
    "indirect_branch_cycles": 0, "path_change_cycles": 0, "latency_shared_atomic": 0, "l2_parts": 1,
    "wide_product_cycles": 0, "wide_product_slots": 1, "l2_recent_part": 1.0, "l2_partial_part": 1.0,
    "l2_kept": (),
    "atomic_repeat_cycles": 0.0, "block_launch_groups": 1, "cold_constant_cycles": 0, "cold_constant_line_cycles": 0,
    "latency_special": 0, "store_drain_cycles": 0, "atomic_later_cycles": 0,
    "far_word_cycles": 0, "changed_word_cycles": 0, "atomic_backlog": 0, "queue_read": 0,
    "loads_in_flight": 0,
    "mio_register_cycles": 0, "held_loads": 0,
    "special_slots": 0, "shared_swap_times": 1, "shared_set_cycles": 0, "bulk_cycles": 0, "bulk_bytes": 1024,
    "bulk_issue_cycles": 0, "bulk_interval_cycles": 1, "l2_near_cycles": 0.0,
    "l2_near_line_cycles": 0.0, "shuffle_slots": 0, "unused_slots": 0, "side_slots": 0, "unrolls_loops": False,
    "predicated_instructions": 0,
    "reduces_lanes": False, "last_warp_first": False, "managed_access": False,
}  # fmt: skip
FIELDS = {field.name: field for field in dataclasses.fields(Device)}


def rule_of(name: str) -> Any:
    return FIELDS[name].metadata["rule"]


def test_every_number_has_bounds_here() -> None:
    numbers = {
        name for name, field in FIELDS.items()
        if field.metadata and str(field.type) in ("int", "float", "tuple[int, ...]", "tuple[int, int, int]")
    }  # fmt: skip
    assert numbers - {"issue_cycles", "latency"} == BOUNDS.keys() | OF_EACH.keys()  # these two have a number by unit


@pytest.mark.parametrize("name", BOUNDS)
def test_both_bounds_are_allowed_and_nothing_beyond(name: str) -> None:
    low, high = BOUNDS[name]
    rule = rule_of(name)
    assert (rule(low), rule(high)) == (low, high)
    less, more = (low - 1, high + 1) if isinstance(low, int) and isinstance(high, int) else (low - 0.01, high + 0.01)
    for beyond in (less, more):
        with pytest.raises(ValueError, match="must be a"):
            rule(beyond)


@pytest.mark.parametrize("name", OF_EACH)
def test_the_bounds_of_lists_hold_for_each_number(name: str) -> None:
    low, high = OF_EACH[name]
    rule, length = rule_of(name), LENGTHS.get(name, 2)
    numbers = ([low, high] * length)[:length]
    assert rule(numbers) == tuple(numbers)
    for beyond in (low - 1, high + 1):
        with pytest.raises(ValueError, match="must be a whole number"):
            rule([*numbers[:-1], beyond])


@pytest.mark.parametrize("name", ["l2_spread", "dram_spread", "dram_scattered_reads", "dram_partial_stores"])
def test_lists_by_place_have_all_places(name: str) -> None:
    with pytest.raises(ValueError, match="must be a list of"):
        rule_of(name)([1, 1])


@pytest.mark.parametrize("name", ["issue_cycles", "latency"])
def test_every_unit_takes_1_to_4096_cycles(name: str) -> None:
    rule = rule_of(name)
    assert rule(dict.fromkeys(UNITS, 1)) == (1,) * len(UNITS)
    assert rule(dict.fromkeys(UNITS, 4096)) == (4096,) * len(UNITS)
    for beyond in (0, 4097):
        with pytest.raises(ValueError, match="sfu must be a whole number from 1 to 4096"):
            rule(dict.fromkeys(UNITS, 1) | {"sfu": beyond})


@pytest.mark.parametrize("name", ["max_block_dims", "max_grid_dims"])
def test_dimensions_are_three_numbers_of_31_bits(name: str) -> None:
    rule = rule_of(name)
    assert rule([1, 65_535, 2_147_483_647]) == (1, 65_535, 2_147_483_647)
    for wrong in ([0, 1, 1], [1, 1, GIB2], [1, 1]):
        with pytest.raises(ValueError, match="must be a"):
            rule(wrong)


def test_what_a_file_need_not_say() -> None:
    assert {n: f.default for n, f in FIELDS.items() if f.default is not dataclasses.MISSING} == DEFAULTS


@pytest.mark.parametrize(
    ("key", "units", "threads", "differ"),
    [("8800gtx", 6, 768, True), ("c1060", 8, 1024, True), ("c2050", 6, 1536, True), ("h200", 94, 2048, False)],
)
def test_what_follows_from_the_facts(key: str, units: int, threads: int, differ: bool) -> None:
    """Units of the L2 that carry out atomics, threads of a multiprocessor, and whether transactions differ in size."""
    device = load_device(key)
    assert (device.atomic_units, device.max_threads, device.transactions_differ) == (units, threads, differ)


def changed(**facts: object) -> Capability:
    return dataclasses.replace(load_capability("7.5"), **facts)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"unified_bytes": 65_536}, "caches.unified must exceed"),
        ({"shared_configurations": (32_768,)}, "shared_configurations must ascend and end"),
        ({"shared_configurations": (65_536, 32_768, 65_536)}, "shared_configurations must ascend"),
        ({"shared_per_block_optin": 65_537}, "shared_per_block must not exceed"),
        ({"shared_per_block": 65_537}, "shared_per_block must not exceed"),
        ({"registers_per_block": 65_537}, "registers_per_block must not exceed"),
        ({"max_threads_per_block": 1025}, "threads_per_block must not exceed"),
        ({"tag_bank_masks": (1,)}, "tag_bank_masks must be two"),
    ],
)
def test_facts_that_contradict_one_another(facts: dict[str, object], message: str) -> None:
    check(load_capability("7.5"))
    with pytest.raises(ValueError, match=message):
        check(changed(**facts))


def test_a_cache_has_whole_sets_of_lines() -> None:
    rule = rule_of("l1")
    cache = rule({"bytes": 3072, "line": 128, "sector": 32, "ways": 3})
    assert (cache.sets, cache.line, cache.hashed) == (8, 128, False)
    assert rule({"bytes": 1, "line": 1, "sector": 1, "ways": 1}).sets == 1
    assert rule({"bytes": 1 << 30, "line": 128, "sector": 32, "ways": 4}).sets == 2_097_152
    for wrong in ({"bytes": 3200}, {"line": 144}, {"ways": 0}, {"bytes": (1 << 30) + 384}):
        with pytest.raises(ValueError, match="must"):
            rule({"bytes": 3072, "line": 128, "sector": 32, "ways": 3} | wrong)


@pytest.mark.parametrize("text", ["7", "7.x", "x.5", "7.5.1", "", 7.5])
def test_a_compute_capability_is_two_numbers(text: object) -> None:
    assert rule_of("capability")("7.5") == (7, 5)
    with pytest.raises(ValueError, match="must be a compute capability"):
        rule_of("capability")(text)
