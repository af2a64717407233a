"""A device file made from recorded measurements of a card is much like the one that comes with warpview."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview.cli import calibrate
from warpview.devices import load_device
from warpview.devices.calibration import GAPS, device_file, read_measurements
from warpview.devices.device import Device, DeviceError

TRUTH = Path(__file__).parents[2] / "truth"
NEAR = (
    "cluster_multiprocessors",
    "clock_mhz", "dram_gbps", "block_launch_cycles", "latency_l1", "latency_l2", "latency_global", "latency_constant",
    "latency_shared", "latency_barrier", "l2_sector_cycles", "l2_store_cycles", "l2_partial_store_cycles",
    "l2_port_cycles", "dram_read_efficiency", "dram_write_efficiency", "atomic_pass_cycles",
    "atomic_float_cycles", "l2_line_cycles", "l2_store_line_cycles", "l2_store_port_cycles", "l2_partial_port_cycles",
    "dram_scattered_reads", "dram_partial_stores", "cold_line_cycles", "l2_met_store_cycles",
    "memory_queue", "dram_queue_cycles",
)  # fmt: skip


@pytest.fixture(params=["h200", "h100"])
def card(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def path(tmp_path: Path, card: str) -> Path:
    file = tmp_path / "measured.toml"
    file.write_text(device_file(read_measurements(recorded_text(card))), encoding="utf-8")
    return file


def recorded_text(card: str = "h200") -> str:
    return (TRUTH / f"microbenchmarks_{card}.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NEAR)
def test_measured_facts_are_near_those_of_the_library(path: Path, card: str, name: str) -> None:
    assert getattr(load_device(path), name) == pytest.approx(getattr(load_device(card), name), rel=0.12)


def test_pipes_are_as_in_the_library(path: Path, card: str) -> None:
    measured, known = load_device(path), load_device(card)
    assert measured.issue_cycles == known.issue_cycles
    assert measured.latency == known.latency


def test_spreads_of_latencies_are_near_those_of_the_library(path: Path, card: str) -> None:
    measured, known = load_device(path), load_device(card)
    assert measured.l2_spread == pytest.approx(known.l2_spread, abs=8)
    assert measured.dram_spread == pytest.approx(known.dram_spread, abs=60)
    assert abs(sum(measured.l2_spread)) <= 4  # about their mean


def test_what_is_not_measured_is_of_the_compute_capability(path: Path, card: str) -> None:
    measured, known = load_device(path), load_device(card)
    for field in fields(known):
        if field.metadata and field.metadata["section"] in ("limits", "shared_memory", "global_memory"):
            assert getattr(measured, field.name) == getattr(known, field.name)


def test_a_kernel_runs_on_the_measured_device(path: Path) -> None:
    program = wv.compile("__global__ void k(int *a) { a[blockIdx.x * 64 + threadIdx.x] = threadIdx.x; }")
    run = wv.simulate(program, 132, 64, [np.zeros(132 * 64, np.int32)], device=path, engine="sm")
    assert run.time_us is not None
    assert 1.5 < run.time_us < 5


def described(path: Path, **figures: float) -> Device:
    """Return the device of the recorded measurements with some changed: ``name_parameter`` is the figure."""
    recorded = read_measurements(recorded_text())
    changed = {(name.rpartition("__")[0], float(name.rpartition("__")[2])): value for name, value in figures.items()}
    path.write_text(device_file(replace(recorded, figures=recorded.figures | changed)), encoding="utf-8")
    return load_device(path)


def test_a_barrier_takes_a_time_and_more_for_each_warp(tmp_path: Path) -> None:
    """One warp waits 30 + 20 cycles, 32 warps wait 30 + 32 * 20, and the loop takes 3."""
    device = described(tmp_path / "barrier.toml", barrier__1=53, barrier__32=673)
    assert (device.latency_barrier, device.barrier_cycles_per_warp) == (30, 20)


def test_costs_of_lines_and_sectors_are_told_apart(tmp_path: Path) -> None:
    """Of stores a line takes 2 cycles of the L2, a part of a sector 0.75 and a whole one 0.5: four whole ones 4."""
    line, part, whole = 2.0, 0.75, 0.5
    recorded = read_measurements(recorded_text())
    rate = recorded("multiprocessors") * recorded("clock") / 1000  # of the device, thousand millions of cycles a second
    largest = {
        f"{name}__{parameter}": 32 * rate / (cost + line / 4)
        for name, cost in (("l2_write_sectors", part), ("l2_write", whole))
        for parameter in (2, 8, 16, 24, 32)
    }
    device = described(tmp_path / "stores.toml", write_random__8=rate / (line + part), **largest)
    assert device.l2_store_line_cycles == pytest.approx(line, abs=1e-3)
    assert device.l2_partial_store_cycles == pytest.approx(part, abs=1e-3)
    assert device.l2_store_cycles == pytest.approx(whole, abs=1e-3)


def test_dram_is_later_by_what_half_a_load_adds_to_the_latency(tmp_path: Path) -> None:
    """Little's law: latency is what is under way by the rate. Warps that reach half of what DRAM can wait 200 cycles
    longer than one alone, which counts as it is; those that reach a quarter wait 150 longer, which counts three times.
    """
    recorded = read_measurements(recorded_text())
    cycles_per_us, most = recorded("clock") / 1000, recorded("dram_read", 2048)  # GB/s
    figures = {}
    for name, warps, load, size, longer in (
        ("dram_read_warps", 64, 2, 128, 200),
        ("dram_sectors_warps", 16, 4, 1024, 150),
    ):
        under_way = size * recorded("multiprocessors") * cycles_per_us  # by one warp of each multiprocessor
        loaded = warps * under_way / (most / load)
        figures |= {f"{name}__{warps}": most / load, f"{name}__1": under_way / (loaded - longer)}
    assert described(tmp_path / "dram.toml", **figures).dram_queue_cycles == (200 + 3 * 150) / 2


def test_scattered_reads_are_as_much_slower_as_measured(tmp_path: Path) -> None:
    slower = {f"read_stride__{gap}": 40.0 for gap in GAPS}
    device = described(tmp_path / "strides.toml", **(slower | {"read_stride__64": 100.0}))
    assert device.dram_scattered_reads == tuple(100 if gap == 64 else 250 for gap in GAPS)


def test_a_store_that_finds_room_waits_for_the_pipe_alone(tmp_path: Path) -> None:
    """16 cycles from one store to the next are no wait yet, 17 are; the queue holds what issues before the first wait,
    and the store that is being served."""
    room = {f"queue_global__{number}": 16.0 for number in range(2, 25)}
    waits = {f"queue_global__{number}": 17.0 for number in range(9, 25)}
    assert described(tmp_path / "queue.toml", **(room | waits)).memory_queue == 9
    assert described(tmp_path / "room.toml", **room).memory_queue == 25


def test_a_remark_is_passed_over() -> None:
    recorded = recorded_text()
    assert read_measurements(f"# a remark\n{recorded}") == read_measurements(recorded)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nothing", "no measurements"),
        ("# name: X\n# capability: 1.9\nfigure,parameter,value,unit\nclock,0,1,MHz\n", "1.9 is not described"),
        ("# name: X\n# capability: 9.0\nfigure,parameter,value,unit\nclock,0,1,MHz\n", "lack"),
        ("# name: X\n# capability: 9.0\nfigure,parameter,value,unit\nclock,0,fast,MHz\n", "no measurements"),
    ],
)  # fmt: skip
def test_other_files_are_refused(text: str, message: str) -> None:
    with pytest.raises(DeviceError, match=message):
        device_file(read_measurements(text))


def test_without_nvcc_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(calibrate.shutil, "which", lambda name: None)
    with pytest.raises(wv.WarpviewError, match="nvcc is not on the PATH"):
        calibrate.calibrate(tmp_path / "gpu.toml")


def test_without_a_gpu_it_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A program in place of nvcc fails as nvcc does where it finds no GPU."""
    failing = tmp_path / "nvcc"
    failing.write_text("#!/bin/sh\necho 'nvcc fatal : no GPU' >&2\nexit 1\n", encoding="utf-8")
    failing.chmod(0o755)
    monkeypatch.setattr(calibrate.shutil, "which", lambda name: str(failing))
    with pytest.raises(wv.WarpviewError, match=r"nvcc failed: nvcc fatal : no GPU"):
        calibrate.calibrate(tmp_path / "gpu.toml")
    assert not (tmp_path / "gpu.toml").exists()


def test_benchmarks_without_a_gpu_say_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The program that is made in place of the benchmarks fails as they do where there is no GPU."""
    compiler = tmp_path / "nvcc"
    compiler.write_text('#!/bin/sh\nprintf "#!/bin/sh\necho no device >&2\nexit 1" > "$4"\nchmod +x "$4"\n')
    compiler.chmod(0o755)
    monkeypatch.setattr(calibrate.shutil, "which", lambda name: str(compiler))
    with pytest.raises(wv.WarpviewError, match=r"microbenchmarks failed: they need an NVIDIA GPU: no device"):
        calibrate.calibrate(tmp_path / "gpu.toml")
