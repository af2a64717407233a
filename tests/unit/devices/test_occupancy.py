"""Occupancy agrees with worked examples: NVIDIA's guides and spreadsheets, and rows worked by their rules."""

from dataclasses import replace

import pytest

from warpview.devices import (
    UNLIMITED,
    Limit,
    advice,
    clusters_at_once,
    load_capability,
    load_device,
    occupancy,
    occupancy_steps,
)
from warpview.devices.advice import _less_shared

# compute capability, threads, registers, shared bytes; limits by warps, registers, shared memory and blocks (None:
# unlimited); blocks and warps resident
EXAMPLES = [
    ("1.0", 128, 30, 5120, 6, 2, 3, 8, 2, 8), ("1.0", 512, 30, 5120, 1, 0, 3, 8, 0, 0),
    ("1.0", 512, 16, 5120, 1, 1, 3, 8, 1, 16), ("1.0", 128, 12, 0, 6, 5, None, 8, 5, 20),
    ("1.0", 256, 12, 0, 3, 2, None, 8, 2, 16), ("1.0", 256, 10, 0, 3, 3, None, 8, 3, 24),
    ("1.0", 256, 11, 0, 3, 2, None, 8, 2, 16), ("1.0", 64, 10, 0, 12, 10, None, 8, 8, 16),
    ("1.0", 96, 10, 0, 6, 6, None, 8, 6, 18), ("1.0", 96, 8, 0, 6, 8, None, 8, 6, 18),
    ("1.0", 128, 20, 68, 6, 3, 32, 8, 3, 12), ("1.0", 192, 13, 2600, 4, 3, 5, 8, 3, 18),
    ("1.0", 100, 15, 1000, 6, 4, 16, 8, 4, 16), ("1.2", 512, 16, 0, 2, 2, None, 8, 2, 32),
    ("1.2", 512, 17, 0, 2, 1, None, 8, 1, 16), ("1.3", 128, 30, 5120, 8, 4, 3, 8, 3, 12),
    ("1.3", 256, 20, 4200, 4, 3, 3, 8, 3, 24), ("1.3", 160, 25, 0, 5, 3, None, 8, 3, 15),
    ("1.3", 256, 16, 16, 4, 4, 32, 8, 4, 32), ("2.0", 256, 20, 0, 6, 6, None, 8, 6, 48),
    ("2.0", 192, 30, 0, 8, 5, None, 8, 5, 30), ("2.0", 288, 22, 0, 5, 4, None, 8, 4, 36),
    ("2.0", 416, 37, 0, 3, 1, None, 8, 1, 13), ("2.0", 1024, 32, 0, 1, 1, None, 8, 1, 32),
    ("2.0", 1024, 33, 0, 1, 0, None, 8, 0, 0), ("2.0", 128, 63, 0, 12, 4, None, 8, 4, 16),
    ("2.0", 224, 35, 0, 6, 4, None, 8, 4, 28), ("2.0", 96, 40, 1000, 16, 8, 48, 8, 8, 24),
    ("2.0", 256, 16, 12288, 6, 8, 4, 8, 4, 32), ("2.0", 32, 10, 0, 48, 102, None, 8, 8, 8),
    ("3.0", 256, 63, 0, 8, 4, None, 16, 4, 32), ("3.0", 128, 20, 3000, 16, 21, 16, 16, 16, 64),
    ("3.5", 192, 33, 6200, 10, 8, 7, 16, 7, 42), ("3.5", 1024, 32, 0, 2, 2, None, 16, 2, 64),
    ("3.5", 1024, 33, 0, 2, 1, None, 16, 1, 32), ("3.7", 256, 64, 0, 8, 8, None, 16, 8, 64),
    ("5.2", 128, 64, 20000, 16, 8, 4, 32, 4, 16), ("5.2", 1024, 33, 0, 2, 1, None, 32, 1, 32),
    ("6.0", 160, 40, 0, 12, 10, None, 32, 10, 50), ("6.1", 160, 40, 0, 12, 9, None, 32, 9, 45),
    ("6.0", 256, 40, 10000, 8, 6, 6, 32, 6, 48), ("7.0", 128, 37, 0, 16, 12, None, 32, 12, 48),
    ("7.0", 320, 37, 0, 6, 4, None, 32, 4, 40), ("7.0", 256, 32, 65536, 8, 8, 1, 32, 1, 8),
    ("7.0", 64, 24, 4096, 32, 42, 24, 32, 24, 48), ("7.5", 256, 65, 0, 4, 3, None, 16, 3, 24),
    ("7.5", 128, 32, 16384, 8, 16, 4, 16, 4, 16), ("8.0", 256, 32, 48000, 8, 8, 3, 32, 3, 24),
    ("8.0", 1024, 64, 166912, 2, 1, 1, 32, 1, 32), ("8.0", 1024, 65, 0, 2, 0, 164, 32, 0, 0),
    ("8.0", 288, 168, 0, 7, 1, 164, 32, 1, 9), ("8.0", 288, 176, 0, 7, 0, 164, 32, 0, 0),
    ("8.6", 256, 32, 2048, 6, 8, 33, 16, 6, 48), ("8.6", 128, 48, 16384, 12, 10, 5, 16, 5, 20),
    ("8.6", 512, 40, 0, 3, 3, 100, 16, 3, 48), ("8.9", 32, 16, 0, 48, 128, 100, 24, 24, 24),
    ("8.9", 256, 48, 30000, 6, 5, 3, 24, 3, 24), ("9.0", 384, 168, 200000, 5, 1, 1, 32, 1, 12),
    ("9.0", 128, 64, 45056, 16, 8, 5, 32, 5, 20), ("9.0", 1024, 32, 115712, 2, 2, 2, 32, 2, 64),
    ("9.0", 1024, 32, 115713, 2, 2, 1, 32, 1, 32), ("9.0", 33, 100, 1, 32, 8, 202, 32, 8, 16),
    ("10.0", 192, 168, 113664, 10, 2, 2, 32, 2, 12), ("12.0", 256, 96, 8192, 6, 2, 11, 24, 2, 16),
    ("12.0", 64, 20, 0, 24, 42, 100, 24, 24, 48), ("12.0", 128, 40, 50176, 12, 12, 2, 24, 2, 8),
]  # fmt: skip


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: f"{e[0]}: {e[1]} threads, {e[2]} registers, {e[3]} bytes")
def test_examples(example: tuple) -> None:
    version, threads, registers, shared, *expected = example
    got = occupancy(load_capability(version), threads, registers, shared)
    limits = [None if limit == UNLIMITED else limit for limit in got.limits.values()]
    assert [*limits, got.blocks, got.warps] == expected


def test_published_percentages() -> None:
    """Examples printed in the CUDA C++ Best Practices Guide (7.0) and the occupancy spreadsheet (8.6)."""
    v100, rtx3090 = load_device("v100"), load_device("rtx3090")
    assert occupancy(v100, 128, 37).fraction == 0.75
    assert occupancy(v100, 320, 37).fraction == 0.625
    assert occupancy(rtx3090, 256, 32, 2048).fraction == 1.0
    assert occupancy("h200", 256, 32).fraction == 1.0, "a key will do"


def test_three_limits_tie() -> None:
    got = occupancy(load_capability("3.0"), 128, 20, 3000)
    assert got.limiting == Limit.WARPS | Limit.SHARED | Limit.BLOCKS
    assert got.limiting_factors == {"warps", "shared", "blocks"}


def test_hardware_barriers_limit_from_9_0() -> None:
    got = occupancy(load_capability("9.0"), 256, 40, 0, barriers=16)
    assert (got.blocks, got.limit_barriers) == (4, 4)
    assert int(got.limiting) == 18
    assert occupancy(load_capability("8.0"), 256, 40, 0, barriers=16).limit_barriers == UNLIMITED
    assert occupancy(load_capability("9.0"), 256, 40).limit_barriers == UNLIMITED, "none where none is named"


@pytest.mark.parametrize(
    ("version", "shared", "carve_out", "limit"),
    [
        ("2.0", 12288, 16384, 1), ("2.0", 12288, None, 4), ("3.5", 20000, 16384, 2), ("3.5", 6200, 32768, 5),
        ("7.0", 4096, 49152, 16), ("7.0", 4096, None, 24), ("7.0", 40000, 8192, 1), ("8.6", 2048, 65536, 21),
    ],
)  # fmt: skip
def test_carve_out(version: str, shared: int, carve_out: int | None, limit: int) -> None:
    assert occupancy(load_capability(version), 64, 16, shared, carve_out=carve_out).limit_shared == limit


@pytest.mark.parametrize("version", ["1.0", "1.3", "2.0", "3.5", "6.0", "7.5", "8.6", "9.0", "12.0"])
def test_steps_are_the_smallest_that_help(version: str) -> None:
    chip = load_capability(version)
    for threads, registers, shared in [(96, 30, 3000), (192, 33, 6000), (416, 37, 9000), (512, 64, 14000)]:
        now = occupancy(chip, threads, registers, shared).warps
        for step in occupancy_steps(chip, threads, registers, shared):
            changed = {"threads": threads, "registers": registers, "shared_bytes": shared}
            key = "shared_bytes" if step.kind == "shared" else step.kind
            changed[key] = step.new
            assert occupancy(chip, **changed).warps == step.result.warps > now
            if step.kind != "threads":
                changed[key] += 1
                assert occupancy(chip, **changed).warps <= now


@pytest.mark.parametrize(("registers", "shared"), [(10**18, 0), (32, 10**18)])
def test_advice_on_a_launch_far_beyond_the_device_comes_at_once(registers: int, shared: int) -> None:
    h200 = load_capability("9.0")
    (step,) = occupancy_steps(h200, 256, registers, shared)
    assert (step.kind, step.new) == (("shared", 232_448) if shared else ("registers", 255))


def test_advice_in_words() -> None:
    assert advice(load_capability("7.0"), 1024, 33, 0)[1] == (
        "With 32 registers per thread instead of 33, 2 blocks fit: 64 of 64 warps, 100 %."
    )
    assert advice(load_capability("9.0"), 1024, 32, 115_713)[-1] == (
        "With 115712 bytes of shared memory per block instead of 115713, 2 blocks fit: 64 of 64 warps, 100 %."
    )
    assert advice(load_capability("9.0"), 256, 32, 0) == ("The multiprocessor is full.",)
    assert "the older spreadsheet allows 8 blocks" in advice(load_capability("1.0"), 96, 8, 0)[-1]
    assert "No single change" in advice(load_capability("8.0"), 1024, 64, 166_912)[0]


def test_of_two_sizes_that_are_as_near_the_smaller_is_named() -> None:
    """Of blocks of 22 warps two fit on 9.0, of 21 three, of 23 two: both make more of the 64 warps resident."""
    (step,) = occupancy_steps(load_capability("9.0"), 704, 32, 0)
    assert (step.kind, step.old, step.new, step.result.warps) == ("threads", 704, 672, 63)
    assert step.text == "with blocks of 672 threads instead of 704, 3 blocks fit: 63 of 64 warps, 98 %"


def test_the_largest_block_is_advised_too() -> None:
    """Two blocks of 32 warps fill the 64 of 9.0, of which two of 31 leave two free."""
    (step,) = occupancy_steps(load_capability("9.0"), 992, 32, 0)
    assert (step.kind, step.new, step.result.warps) == ("threads", 1024, 64)


def test_advice_on_a_block_that_does_not_fit_at_all() -> None:
    """The 8,192 registers of 1.0 hold 8 warps of 30 a thread, and 16 warps of 16; shared memory does not matter."""
    assert advice(load_capability("1.0"), 512, 30, 5120) == (
        "With blocks of 256 threads instead of 512, 1 block fits: 8 of 24 warps, 33 %.",
        "With 16 registers per thread instead of 30, 1 block fits: 16 of 24 warps, 67 %.",
    )


@pytest.mark.parametrize(("threads", "differs"), [(96, True), (98, False), (224, False), (128, False)])
def test_the_older_spreadsheet_is_named_only_where_it_differs(threads: int, differs: bool) -> None:
    sentences = advice(load_capability("1.0"), threads, 8, 0)
    assert any("spreadsheet" in sentence for sentence in sentences) == differs


def test_less_shared_memory_is_tried_by_units_of_allocation() -> None:
    """Units of 128 bytes, 1,024 of which the system takes for a block, on 9.0; of 512 on 1.0."""
    hopper, tesla = load_capability("9.0"), load_capability("1.0")
    sizes = list(_less_shared(hopper, 3000))
    assert (sizes[:3], sizes[-1], len(sizes)) == ([2944, 2816, 2688], 0, 24)
    assert next(iter(_less_shared(hopper, 2944))) == 2816
    assert list(_less_shared(tesla, 1025)) == [1024, 512]
    assert list(_less_shared(tesla, 1024)) == [512]


def test_warps_that_are_allocated_in_pairs_are_named() -> None:
    """Three warps of 8.0 are three; of 1.0 they are counted as four."""
    assert "3 warps are counted as 4, as the CUDA 7.0 header does" in advice(load_capability("1.0"), 96, 8, 0)[-1]
    assert not any("counted as" in sentence for sentence in advice(load_capability("8.0"), 96, 8, 0))


def test_what_is_not_said_does_not_limit() -> None:
    """No registers, no shared memory but the 1,024 bytes of the system on 8.0, no barriers."""
    alone = occupancy(load_capability("8.0"), 256)
    assert (alone.limit_registers, alone.limit_shared, alone.limit_barriers) == (UNLIMITED, 164, UNLIMITED)


def test_what_cannot_run_at_all_has_no_block() -> None:
    chip = load_capability("8.0")
    assert (occupancy(chip, 1025).limit_warps, occupancy(chip, 1025).blocks) == (0, 0)
    assert (occupancy(chip, 32, 256).limit_registers, occupancy(chip, 32, 256).blocks) == (0, 0)


def test_barriers_that_bind_as_much_as_blocks_are_named() -> None:
    """9.0 has two barriers for each of its 32 resident blocks; 32 blocks of two take them all."""
    tied = occupancy(load_capability("9.0"), 32, barriers=2)
    assert tied.blocks == tied.limit_barriers == 32
    assert tied.limiting_factors == {"barriers", "blocks"}


def test_a_carve_out_that_just_holds_a_block_is_taken() -> None:
    """7,168 bytes and 1,024 of the system fill the configuration of 8 KB on 8.0."""
    assert occupancy(load_capability("8.0"), 32, shared_bytes=7168, carve_out=8192).limit_shared == 1


def test_a_block_that_cannot_start_is_not_told_of_warps_that_are_counted_in_pairs() -> None:
    device = load_device("8800gtx")
    assert occupancy(device, device.max_threads_per_block + 1, 8, 0).blocks == 0
    assert not any("counted as" in sentence for sentence in advice(device, device.max_threads_per_block + 1, 8, 0))


@pytest.mark.parametrize(
    ("device", "resident", "size", "clusters"),
    [
        ("h100", 1, 1, 132), ("h100", 1, 8, 15), ("h100", 2, 8, 30), ("h100", 1, 16, 7), ("h100", 2, 16, 14),
        ("h100", 1, 17, 2), ("rtx5090", 1, 1, 170), ("rtx5090", 1, 8, 20), ("rtx5090", 1, 17, 5), ("rtx5090", 1, 19, 0),
    ],
)  # fmt: skip
def test_clusters_lie_in_groups_of_multiprocessors(device: str, resident: int, size: int, clusters: int) -> None:
    """An H100 has groups of 18, 18, 16, 16, 16, 16, 16, 8, 2, 2, 2 and 2. Of the RTX 5090 they are not known: its 85
    pairs of multiprocessors are five groups of nine pairs and five of eight."""
    assert clusters_at_once(load_device(device), resident, size) == clusters


def test_a_small_device_whose_groups_are_not_known_is_one_group() -> None:
    small = replace(load_device("rtx5090"), multiprocessors=14)
    assert [clusters_at_once(small, 1, size) for size in (7, 14, 15)] == [2, 1, 0]
