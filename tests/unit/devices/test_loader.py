"""Devices are read from files and checked, each fault named with its file and key."""

import dataclasses
from pathlib import Path

import pytest

import warpview
from warpview.devices import (
    DeviceError,
    capability_versions,
    device_keys,
    devices,
    load_capability,
    load_device,
    loader,
)
from warpview.isa.ops import Unit

KEYS = [
    "8800gtx", "fx5600", "fx5800", "c1060", "c2050", "gtx480", "gtx680", "k40", "gtx980", "p100", "gtx1080", "v100",
    "rtx2080", "a100", "rtx3090", "rtx4090", "h100", "h200", "b200", "rtx5090",
]  # fmt: skip

MINE = """
name = "Mine"
chip = "X1"
capability = "7.5"

[board]
multiprocessors = 4
cluster_multiprocessors = 2
clock_mhz = 1000
memory_gtps = 8.0
bus_bits = 128
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own folder of devices."""
    monkeypatch.setattr(loader, "user_folder", lambda: tmp_path)
    return tmp_path


def test_all_devices_are_there() -> None:
    assert set(device_keys()) >= set(KEYS)
    assert {device.key for device in devices()} == set(device_keys())


# Bandwidths in GB/s as the vendors publish them.
@pytest.mark.parametrize(
    ("key", "gbps", "multiprocessors"),
    [
        ("8800gtx", 86.4, 16), ("fx5600", 76.8, 16), ("fx5800", 102.4, 30), ("c1060", 102.4, 30), ("c2050", 144, 14),
        ("gtx480", 177.4, 15), ("gtx680", 192.26, 8), ("k40", 288, 15), ("gtx980", 224.3, 16), ("p100", 732, 56),
        ("gtx1080", 320, 20), ("v100", 898, 80), ("rtx2080", 448, 46), ("a100", 1555, 108), ("rtx3090", 935.8, 82),
        ("rtx4090", 1008, 128), ("h100", 3352, 132), ("h200", 4814, 132), ("b200", 8000, 148), ("rtx5090", 1792, 170),
    ],
)  # fmt: skip
def test_bandwidth_follows_from_bus_and_data_rate(key: str, gbps: float, multiprocessors: int) -> None:
    device = load_device(key)
    assert device.dram_gbps == pytest.approx(gbps, rel=1e-3)
    assert device.multiprocessors == multiprocessors


def test_fx5600_is_what_devicequery_printed() -> None:
    """The deviceQuery listing of a Quadro FX 5600 in NVIDIA's CUDA tutorial of 2007."""
    device = load_device("fx5600")
    assert device.capability == (1, 0)
    assert device.constant_bytes == 65536
    assert device.shared_per_block == 16384
    assert device.registers_per_block == 8192
    assert device.max_threads_per_block == 512
    assert device.max_block_dims == (512, 512, 64)
    assert device.max_grid_dims == (65535, 65535, 1)
    assert device.clock_mhz * 1000 == 1_350_000


@pytest.mark.parametrize("key", KEYS)
def test_values_hang_together(key: str) -> None:
    device = load_device(key)
    assert len(device.issue_cycles) == len(device.latency) == len(Unit)
    assert device.divergence == ("its" if device.capability >= (7, 0) else "stack")
    assert device.shared_group == (16 if device.capability[0] == 1 else 32)
    fields = {
        f"{f.metadata['section']}.{f.metadata['key'] or f.name}" for f in dataclasses.fields(device) if f.metadata
    }
    sections = {name.split(".")[0] for name in fields}
    assert all(mark.split(".")[0] in sections for mark in device.unverified)


def test_capabilities_ascend_and_load() -> None:
    versions = capability_versions()
    assert {"1.0", "9.0", "10.0", "12.0"} <= set(versions)
    assert list(versions) == sorted(versions, key=lambda version: [int(part) for part in version.split(".")])
    for version in versions:
        assert load_capability(version).version == version


def test_unknown_device_suggests_the_nearest() -> None:
    with pytest.raises(DeviceError, match="did you mean 'h200'"):
        load_device("H-200")


def test_a_users_device_by_key_and_by_path(own: Path) -> None:
    (own / "mine.toml").write_text(MINE)
    assert load_device("mine").name == "Mine"
    assert load_device(own / "mine.toml").dram_gbps == 128
    assert "mine" in device_keys()
    (own / "mine.toml").write_text(MINE.replace("128", "256"))
    assert load_device("mine").dram_gbps == 256, "a changed file is read again"


def test_a_device_overrides_its_capability(own: Path) -> None:
    (own / "mine.toml").write_text(MINE + "[issue_cycles]\nfp64 = 7\n")
    device = load_device("mine")
    assert device.issue_cycles[Unit.FP64] == 7
    assert device.issue_cycles[Unit.ALU] == load_device("rtx2080").issue_cycles[Unit.ALU]
    assert "issue_cycles.fp64" not in device.unverified


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("clock_mhz", "clock_ghz", r"board.clock_ghz is not known; did you mean 'clock_mhz'"),
        ("clock_mhz = 1000", "clock_mhz = 1000000", r"board.clock_mhz must be a number from 100 to 5000"),
        ("clock_mhz = 1000", 'clock_mhz = "fast"', r"board.clock_mhz must be a number"),
        ("multiprocessors = 4\n", "multiprocessors = 0\n", r"board.multiprocessors must be a whole number from 1"),
        ("multiprocessors = 4\n", "multiprocessors = true\n", r"board.multiprocessors must be a whole number"),
        ("bus_bits = 128", "", r"board.bus_bits is missing"),
        ('"7.5"', '"7.6"', r"capability '7.6' is not described"),
        ('"7.5"', "7.5", r"capability must be given"),
        ('name = "Mine"', 'name = ""', r"name must be a text"),
        ('chip = "X1"', 'chop = "X1"', r"chop is not known; did you mean 'chip'"),
        ("[board]", "[bored]", r"bored is not known; did you mean 'board'"),
        ("[board]", "[board", r"is not a TOML file"),
        ('chip = "X1"', 'chip = "X1"\nunverified = ["board.x"]', r"unverified: must list keys that this file gives"),
        ('chip = "X1"', 'chip = "X1"\nlimits = 3', r"limits must be a table"),
    ],
)
def test_faults_are_named(own: Path, old: str, new: str, message: str) -> None:
    assert old in MINE
    (own / "mine.toml").write_text(MINE.replace(old, new, 1))
    with pytest.raises(DeviceError, match=rf"mine\.toml: {message}"):
        load_device("mine")


@pytest.mark.parametrize(
    ("addition", "message"),
    [
        ("[issue_cycles]\nalu = 0\n", "issue_cycles alu must be a whole number from 1"),
        ("[issue_cycles]\nfpu = 1\n", "issue_cycles has no unit 'fpu'"),
        ("[execution]\ndivergence = 'both'\n", "execution.divergence must be one of 'stack', 'its'"),
        ("[global_memory]\natomics = 1\n", "global_memory.atomics must be true or false"),
        ("[caches]\nl1 = {bytes = 100, line = 128, sector = 32, ways = 4}\n", "caches.l1 must hold a whole number"),
        ("[caches]\nl1 = 32768\n", "caches.l1 must be a table of bytes"),
        ("[memory_latency]\nl1 = 0\n", "memory_latency.l1 must be 0 exactly where caches.l1 is absent"),
        ("[shared_memory]\nbank_width = 8\n", "shared_memory.bank_width must be one of bank_widths"),
        ("[limits]\nthreads_per_block = 2048\n", "limits.threads_per_block must not exceed"),
        ("[limits]\nshared_configurations = [65536, 32768]\n", "limits.shared_configurations must ascend"),
        ("[limits]\nblock_dims = [1024, 1024]\n", "limits.block_dims must be a list of 3"),
        ("[limits]\nregisters_per_block = 131072\n", "limits.registers_per_block must not exceed"),
        ("[limits]\nshared_per_block = 131072\n", "limits.shared_per_block must not exceed"),
    ],
)
def test_impossible_values_are_named(own: Path, addition: str, message: str) -> None:
    (own / "mine.toml").write_text(MINE + addition)
    with pytest.raises(DeviceError, match=rf"mine\.toml: {message}"):
        load_device("mine")


def test_a_missing_file_is_named(own: Path) -> None:
    with pytest.raises(DeviceError, match="cannot be read"):
        load_device(own / "none.toml")


def test_the_package_is_the_public_function_too() -> None:
    assert warpview.devices() == devices()
    assert warpview.occupancy("h200", threads=256).blocks == 8


@pytest.mark.parametrize(
    ("key", "shared", "kib"),
    [
        ("h200", 0, 248),
        ("h200", 1, 240),
        ("h200", 233_472, 20),
        ("v100", 50_000, 64),
        ("rtx2080", 0, 64),
        ("c2050", 0, 16),
    ],
)
def test_l1_has_what_shared_memory_leaves(key: str, shared: int, kib: int) -> None:
    l1 = load_device(key).l1_with(shared)
    assert l1 is not None
    assert l1.bytes == kib * 1024


def test_bank_mode() -> None:
    assert load_device("k40").with_bank_width(8).shared_bank_width == 8
    with pytest.raises(DeviceError, match="banks of NVIDIA H200 are 4 bytes wide"):
        load_device("h200").with_bank_width(8)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('unverified = [["a"]]\n', "unverified: must list keys"),
        ("unverified = 0\n", "unverified: must list keys"),
        ("unverified = [{}]\n", "unverified: must list keys"),
        ("memory_latency = 3\n", "memory_latency must be a table"),
        ("board = [[]]\n", "board must be a table"),
        ("name = []\n", "name must be a text"),
        ("x = " + "[" * 100_000 + "]" * 100_000 + "\n", "is not a TOML file"),
    ],
)
def test_a_value_of_the_wrong_kind_is_named(own: Path, text: str, message: str) -> None:
    table = MINE.split("[board]")[0]
    lines = [line for line in table.splitlines() if not text.startswith(line.split("=")[0].strip() or "#")]
    (own / "mine.toml").write_text("\n".join(lines) + "\n" + text)
    with pytest.raises(DeviceError, match=message):
        load_device("mine")


@pytest.mark.parametrize("version", ["../mine", "9.0/../9.0", "99.9"])
def test_a_capability_is_one_that_is_described(own: Path, version: str) -> None:
    (own / "mine.toml").write_text(f'name = "x"\nchip = "y"\ncapability = "{version}"\n')
    with pytest.raises(DeviceError, match="is not described"):
        load_device("mine")
