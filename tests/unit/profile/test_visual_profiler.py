"""The Visual Profiler's view is counted in one place, multiplied by grid size over blocks launched there."""

import numpy as np
import pytest
from support.totals import totals_of

from warpview.devices import load_device
from warpview.diagnostics import WarpviewError
from warpview.isa.ops import Op, Unit
from warpview.isa.types import Space
from warpview.profile.totals import Totals
from warpview.profile.visual_profiler import Throughput, VisualProfile, visual_profile
from warpview.sim.raw_counts import N_RAW, Raw

BLOCKS = 90


def totals(blocks: int) -> Totals:
    """Per block 4 coalesced loads, 2 scattered stores, a bank conflict and a divergent branch."""
    rows = [
        (Op.LD, Space.GLOBAL, {Raw.EXECUTED: 4, Raw.REQUESTS: 4, Raw.TRANSACTIONS_64: 8, Raw.SECTORS: 16,
                               Raw.BYTES_REQUESTED: 512}),
        (Op.ST, Space.GLOBAL, {Raw.EXECUTED: 2, Raw.REQUESTS: 2, Raw.TRANSACTIONS_32: 64, Raw.SECTORS: 64,
                               Raw.BYTES_REQUESTED: 256, Raw.UNCOALESCED: 2}),
        (Op.LD, Space.SHARED, {Raw.EXECUTED: 1, Raw.REQUESTS: 1, Raw.WAVEFRONTS: 4, Raw.IDEAL_WAVEFRONTS: 2,
                               Raw.SERIALIZED: 1}),
        (Op.BRA, Space.NONE, {Raw.EXECUTED: 5, Raw.TAKEN: 3, Raw.DIVERGENT: 1}),
    ]  # fmt: skip
    counts = np.zeros((len(rows), N_RAW), dtype=np.int64)
    for pc, (_, _, values) in enumerate(rows):
        for column, value in values.items():
            counts[pc, column] = value * blocks
    return totals_of(counts, [op for op, _, _ in rows], [space for _, space, _ in rows])


def readings(profile: VisualProfile) -> dict[str, tuple[str, int, int]]:
    return {reading.name: (reading.scope, reading.value, reading.extrapolated) for reading in profile.readings}


def test_gt200_counts_memory_on_three_multiprocessors() -> None:
    profile = visual_profile(totals(BLOCKS), load_device("fx5800"), BLOCKS)
    got = readings(profile)
    assert got["instructions"] == ("SM", 36, 1080)
    assert got["divergent_branch"] == ("SM", 3, 90)
    assert got["branch"] == ("SM", 9, 270)
    assert got["warp_serialize"] == ("SM", 3, 90)
    assert got["gld_64b"] == ("TPC", 72, 720)
    assert got["gst_32b"] == ("TPC", 576, 5760)
    assert got["gld_128b"] == ("TPC", 0, 0)
    assert got["cta_launched"] == ("TPC", 9, 90)
    assert got["sm_cta_launched"] == ("SM", 3, 90)
    assert "gld_coherent" not in got


def test_g80_tells_coalesced_from_not() -> None:
    got = readings(visual_profile(totals(BLOCKS), load_device("8800gtx"), BLOCKS))
    assert got["gld_coherent"] == ("TPC", 48, 360)
    assert got["gld_incoherent"][1] == 0
    assert got["gst_coherent"][1] == 0
    assert got["gst_incoherent"] == ("TPC", 24, 180)
    assert "gld_64b" not in got


def test_fermi_counts_on_one_multiprocessor() -> None:
    got = readings(visual_profile(totals(BLOCKS), load_device("c2050"), BLOCKS))
    assert {scope for scope, _, _ in got.values()} == {"SM"}
    assert got["inst_executed"][1] == 12 * 7
    assert got["l1_shared_bank_conflict"][1] == 2 * 7
    assert got["global_store_transaction"][1] == 64 * 7
    assert got["gld_request"][1] == 4 * 7


def test_counts_of_one_multiprocessor_are_shown_as_they_are() -> None:
    got = readings(visual_profile(totals(3), load_device("fx5800"), BLOCKS, counted=3))
    assert got["instructions"] == ("SM", 36, 1080)
    assert got["gld_64b"] == ("TPC", 72, 720)


def test_a_grid_smaller_than_a_cluster() -> None:
    got = readings(visual_profile(totals(1), load_device("fx5800"), 1))
    assert got["gld_64b"] == ("TPC", 8, 8)
    assert got["cta_launched"] == ("TPC", 1, 1)


def test_throughput_of_the_hardware_and_of_the_program() -> None:
    device = load_device("fx5800")
    rates = visual_profile(totals(BLOCKS), device, BLOCKS, time_us=10.0).throughput
    assert rates.hardware_read == pytest.approx(BLOCKS * 512 / 1e4)
    assert rates.hardware_write == pytest.approx(BLOCKS * 2048 / 1e4)
    assert rates.program_write == pytest.approx(BLOCKS * 256 / 1e4)
    assert rates.instructions == pytest.approx(BLOCKS * 12 * 4 / (10 * 1296 * 30))
    assert visual_profile(totals(BLOCKS), device, BLOCKS).throughput.hardware_read is None


def test_it_ends_with_kepler() -> None:
    visual_profile(totals(BLOCKS), load_device("k40"), BLOCKS)
    with pytest.raises(WarpviewError, match="end with CC 3"):
        visual_profile(totals(BLOCKS), load_device("h200"), BLOCKS)


def test_memory_events_cover_a_cluster_and_others_one_multiprocessor() -> None:
    for key in ("8800gtx", "c1060"):
        got = readings(visual_profile(totals(9), load_device(key), 9))
        scopes = {name: scope for name, (scope, _, _) in got.items()}
        in_cluster = {name for name, scope in scopes.items() if scope == "TPC"}
        assert in_cluster == {name for name in scopes if name.startswith(("gld_", "gst_"))} | {"cta_launched"}
    fermi = readings(visual_profile(totals(9), load_device("c2050"), 9))
    assert list(fermi) == [
        "branch", "divergent_branch", "local_load", "local_store", "gld_request", "gst_request", "inst_executed",
        "thread_inst_executed", "shared_load", "shared_store", "l1_shared_bank_conflict", "global_load_transaction",
        "global_store_transaction", "atom_count", "gred_count", "sm_cta_launched",
    ]  # fmt: skip


def test_throughput_in_words() -> None:
    timed = visual_profile(totals(BLOCKS), load_device("fx5800"), BLOCKS, time_us=10.0).throughput
    assert timed.lines == (
        "Global memory as the hardware sees it: read 4.608, write 18.43, overall 23.04 GB/s.",
        "As the program sees it: read 4.608, write 2.304, overall 6.912 GB/s.",
        f"Instruction throughput {BLOCKS * 12 * 4 / (10 * 1296 * 30):.4g}.",
    )
    untimed = visual_profile(totals(BLOCKS), load_device("fx5800"), BLOCKS).throughput
    assert untimed.lines == ("No throughput without a time: use the engine sm.",)


def test_no_transaction_has_96_bytes_before_fermi() -> None:
    got = readings(visual_profile(totals(BLOCKS), load_device("fx5800"), BLOCKS))
    assert [name for name in got if name.startswith("gld_")] == ["gld_request", "gld_32b", "gld_64b", "gld_128b"]


def test_the_blocks_of_a_profile() -> None:
    """An FX 5800 has 10 clusters of 3 multiprocessors, a C2050 14 multiprocessors without clusters."""
    clustered = visual_profile(totals(BLOCKS), load_device("fx5800"), BLOCKS)
    assert (clustered.blocks_on_multiprocessor, clustered.blocks_on_cluster, clustered.blocks) == (3, 9, 90)
    plain = visual_profile(totals(BLOCKS), load_device("c2050"), BLOCKS)
    assert (plain.blocks_on_multiprocessor, plain.blocks_on_cluster) == (7, 7)


def test_throughput_of_a_part_is_that_of_the_whole_grid() -> None:
    """Seven of 90 blocks were counted: bytes and instructions are multiplied by 90 / 7, which is no whole number."""
    device = load_device("c2050")
    rates = visual_profile(totals(7), device, BLOCKS, counted=7, time_us=10.0).throughput
    assert rates.hardware_read == pytest.approx(BLOCKS * 512 / 1e4)
    assert rates.program_read == pytest.approx(BLOCKS * 512 / 1e4)
    slots = 10 * device.clock_mhz * 14 * 2  # two schedulers on each of 14 multiprocessors
    assert rates.instructions == pytest.approx(BLOCKS * 12 * device.issue_cycles[Unit.ALU] / slots)


def test_a_program_that_reads_nothing_reads_zero_bytes() -> None:
    lines = Throughput(0.0, 0.0, 0.0, 0.0, 0.5).lines
    assert lines[1] == "As the program sees it: read 0, write 0, overall 0 GB/s."
    assert Throughput(1.0, None, 1.0, 1.0, 0.5).lines == ("No throughput without a time: use the engine sm.",)
