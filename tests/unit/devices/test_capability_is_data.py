"""A compute capability is one data file: no rule asks for a version, and a new one runs without a line of code."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import numpy as np
import platformdirs
import pytest

import warpview as wv
from warpview.devices import Device, capability_versions, load_capability, load_device
from warpview.profile.counters import COUNTERS

PACKAGE = Path(wv.__file__).parent
# What a program or NVRTC needs is stated as the version that CUDA's documents name, and compared with the device's.
COMPARES_VERSIONS = {
    "sim/launch_check.py", "ui/session/device_compatibility.py", "ui/session/fitness.py", "run/nvrtc_targets.py",
}  # fmt: skip


def asks_for_a_version(tree: ast.AST) -> list[int]:
    """The lines of comparisons with, and subscripts of, an attribute ``capability``."""
    lines = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            parts = [node.left, *node.comparators]
        elif isinstance(node, ast.Subscript):
            parts = [node.value]
        else:
            continue
        if any(isinstance(part, ast.Attribute) and part.attr == "capability" for part in parts):
            lines.append(node.lineno)
    return lines


def test_no_rule_asks_for_a_version() -> None:
    found = {
        f"{path.relative_to(PACKAGE).as_posix()}:{line}"
        for path in PACKAGE.rglob("*.py")
        if path.relative_to(PACKAGE).as_posix() not in COMPARES_VERSIONS
        and re.search(r"\bcapability\b", text := path.read_text(encoding="utf-8"))
        for line in asks_for_a_version(ast.parse(text))
    }
    assert {place for place in found if not place.startswith("devices/capability.py")} == set()


def test_what_a_counter_needs_is_a_fact_of_a_device() -> None:
    device = load_device("8800gtx")
    for counter in COUNTERS:
        assert not counter.needs or hasattr(device, counter.needs), counter.key
    assert {counter.needs for counter in COUNTERS} == {
        "",
        "counts_serialised_warps",
        "transactions_differ",
        "memory_partitions",
        "copies_to_shared",
        "largest_cluster",
    }


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own folder of devices."""
    monkeypatch.setattr(platformdirs, "user_config_dir", lambda name: str(tmp_path / name))
    (tmp_path / "warpview" / "devices" / "capabilities").mkdir(parents=True)
    return tmp_path / "warpview" / "devices"


def test_a_new_capability_is_one_file(folder: Path) -> None:
    (folder / "capabilities" / "13.7.toml").write_text(
        'capability = "13.7"\nextends = "2.0"\n[shared_memory]\nbanks = 16\n[limits]\nwarps = 64\n'
    )
    (folder / "mine.toml").write_text(
        'name = "Mine"\nchip = "M1"\ncapability = "13.7"\n'
        "[board]\nmultiprocessors = 3\ncluster_multiprocessors = 1\nclock_mhz = 900\nmemory_gtps = 2\nbus_bits = 128\n"
    )
    assert capability_versions()[-1] == "13.7"
    assert load_capability("13.7").max_warps == 64
    program = wv.compile(
        "__global__ void k(int *out) {\n  __shared__ int s[64];\n  s[2 * threadIdx.x] = 1;\n  out[0] = s[0];\n}\n"
    )
    runs = {
        key: wv.simulate(program, 1, 32, [np.zeros(1, np.int32)], device=key, engine="sm", check=False)
        for key in ("mine", "c2050")
    }
    assert runs["mine"].counters["shared_st_wavefronts"] == 4  # 32 even words over 16 banks
    assert runs["c2050"].counters["shared_st_wavefronts"] == 2  # over 32 banks
    assert isinstance(load_device("mine"), Device)


@pytest.mark.parametrize(
    ("fact", "true_for"),
    [
        ("shared_extra_pass_128", {"2.0", "2.1"}),
        ("replays", {"1.0", "1.1", "1.2", "1.3", "2.0", "2.1", "3.0", "3.5", "3.7"}),
        ("doubled_register_units", {"2.0", "2.1"}),
        ("register_check_partitions", {"6.0"}),
    ],
)
def test_old_generations_differ_in_what_their_files_say(fact: str, true_for: set[str]) -> None:
    assert {version for version in capability_versions() if getattr(load_capability(version), fact)} == true_for


def test_the_issue_port_is_held_as_long_as_the_lanes_need() -> None:
    cycles = {version: load_capability(version).issue_port_cycles for version in capability_versions()}
    assert {version: n for version, n in cycles.items() if n > 1} == {
        "1.0": 4, "1.1": 4, "1.2": 4, "1.3": 4, "2.0": 2, "2.1": 2,
    }  # fmt: skip
    queued = {version for version in cycles if load_capability(version).shared_queue}
    assert queued == {version for version in cycles if not version.startswith("1.")}
    grows = {version for version in cycles if load_capability(version).carve_out_grows}
    assert grows == {version for version in cycles if int(version.split(".")[0]) >= 7}
    sets = {version: load_capability(version).visual_profiler for version in cycles}
    assert {version: sets[version] for version in ("1.1", "1.2", "2.1", "3.7", "5.0")} == {
        "1.1": "coherence", "1.2": "transactions", "2.1": "events", "3.7": "events", "5.0": "none",
    }  # fmt: skip
