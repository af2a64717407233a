"""Programs as a course has them print on the simulated device what they printed on an H200 (see h200_outputs.json)."""

import json
from pathlib import Path

import pytest

import warpview as wv

HERE = Path(__file__).parent
PROGRAMS = HERE / "programs"
RECORDED = json.loads((HERE / "h200_outputs.json").read_text(encoding="utf-8"))["programs"]


def files_of(name):
    """The files of a program: one of its name, or those of a folder of its name."""
    folder = PROGRAMS / name
    return [folder / "main.cu", folder / "kernels.cu"] if folder.is_dir() else [PROGRAMS / f"{name}.cu"]


def test_every_program_was_recorded():
    found = {p.stem for p in PROGRAMS.glob("*.cu")} | {p.name for p in PROGRAMS.iterdir() if p.is_dir()}
    assert found == set(RECORDED)
    assert len(found) >= 40


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_a_program_prints_what_the_hardware_printed(name):
    result = wv.run_program(files_of(name), compiler=RECORDED[name].get("compiler", "warpview"))
    assert result.output == RECORDED[name]["output"]
    assert result.exit_code == RECORDED[name]["exit_code"]
    assert not [f for f in result.host_findings if f.kind in ("crash", "missing synchronisation")]
