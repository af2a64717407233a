"""The commands work as a user types them: tables, files, exit codes and messages."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from warpview.__main__ import main as start
from warpview.cli import main
from warpview.profile import export
from warpview.sass import nvrtc

KERNEL = (
    "__global__ void twice(const float *in, float *out, int n) {\n  int i = threadIdx.x;\n  out[i] = 2 * in[i];\n}\n"
)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output, standard error."""
    with pytest.raises(SystemExit) as exit:
        main(list(arguments))
    captured = capsys.readouterr()
    code = exit.value.code
    return (code if isinstance(code, int) else 0), captured.out, captured.err


def test_list_names_every_variant(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "list")
    assert code == 0
    assert "reduction/interleaved" in out
    assert "reduction/atomic" in out


def test_devices(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "devices")
    assert code == 0
    for key in ("8800gtx", "c2050", "h200"):
        assert key in out


def test_show_prints_source_and_instructions(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "show", "reduction/sequential")
    assert code == 0
    assert "sdata[tid] += sdata[tid + s];" in out
    code, out, _ = run(capsys, "show", "reduction/sequential", "--instructions")
    assert code == 0
    assert "bar.sync" in out


def test_occupancy(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "occupancy", "-d", "8800gtx", "-t", "128", "-r", "30", "-s", "5120")
    assert code == 0
    assert "2 blocks, 8 of 24 warps" in out


def test_run_writes_the_counters(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    files = tmp_path / "a.csv", tmp_path / "a.json"
    code, out, err = run(
        capsys,
        "run",
        "reduction/interleaved",
        "-p",
        "step",
        "-d",
        "8800gtx",
        "--csv",
        str(files[0]),
        "--json",
        str(files[1]),
    )
    assert code == 0, err
    assert "global_ld_transactions_64" in out
    (row,) = csv.DictReader(files[0].read_text().splitlines())
    assert list(row) == export.columns()
    # 4 blocks of 4 warps: 2 half-warps each, one 64-byte transaction a half-warp.
    assert row["global_ld_transactions_64"] == "32"
    assert row["grid"] == "4x1x1"
    (entry,) = json.loads(files[1].read_text())
    assert entry["global_ld_requests"] == 16


def test_run_of_a_file_with_arguments(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "twice.cu"
    path.write_text(KERNEL)
    code, out, err = run(
        capsys, "run", str(path), "--grid", "1", "--block", "64",
        "-a", "in=iota:64", "-a", "out=blank:64", "-a", "n=64",
        "--counters", "global_ld_sectors,inst_global_st",
    )  # fmt: skip
    assert code == 0, err
    assert "global_ld_sectors" in out
    assert "inst_global_st" in out


def test_compare_sets_devices_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(
        capsys, "compare", "reduction/interleaved", "reduction/sequential", "-p", "step", "-d", "8800gtx,h200",
        "--counters", "divergent_branches",
    )  # fmt: skip
    assert code == 0
    assert out.count("8800gtx") == out.count("h200") == 2


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
def test_compared_times_are_those_of_machine_code_where_it_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("compare", "reduction/sequential", "-p", "step", "-d", "8800gtx,h200", "--counters", "time_us")
    code, out, _ = run(capsys, *arguments, "--engine", "sm")
    assert code == 0
    assert (out.count("warpview"), out.count("nvrtc")) == (1, 1)
    _, out, _ = run(capsys, *arguments)
    assert (out.count("warpview"), out.count("nvrtc")) == (0, 0)


def test_compared_times_are_those_of_code_as_written_elsewhere(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nvrtc, "is_installed", lambda: False)
    code, out, _ = run(capsys, "compare", "reduction/sequential", "-p", "step", "-d", "8800gtx,h200", "-e", "sm")
    assert code == 0
    assert "nvrtc" not in out


def test_a_struct_is_given_field_by_field(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "view.cu"
    path.write_text("struct View { int *data; int n; };\n__global__ void fill(View v) { v.data[threadIdx.x] = v.n; }\n")
    launch = ("run", str(path), "--grid", "1", "--block", "32", "-a", "v.data=zeros:16")
    code, out, _ = run(capsys, *launch, "-a", "v.n=7")
    assert code == 1
    assert "past the end of 'v.data' (64 bytes)" in out
    code, _, err = run(capsys, *launch)
    assert code == 2
    assert "no value for field 'n'" in err


def test_a_finding_is_reported_with_its_place(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "twice.cu"
    path.write_text(KERNEL)
    code, out, _ = run(
        capsys, "run", str(path), "--grid", "1", "--block", "64", "-a", "in=iota:64", "-a", "out=blank:32", "-a", "n=64"
    )
    assert code == 1
    assert "twice.cu:3:" in out
    assert (
        "thread (32, 0, 0) of block (0, 0, 0) writes 4 bytes, just past the end of 'out' (128 bytes) (32 times)" in out
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run", "reduction/interleave"), "did you mean 'reduction/interleaved'"),
        (("run", "reduction/interleaved", "-d", "h300"), "there is no device 'h300'"),
        (("run", "reduction/interleaved", "--grid", "a"), "--grid: 'a' is not one to three whole numbers"),
        (("run", "reduction/interleaved", "--block", "2048"), "a block of 2048 threads is too large for NVIDIA H200"),
        (("run", "reduction/interleaved", "--shared", "999999"), "999999 bytes of shared memory"),
        (("run", "reduction/interleaved", "-a", "input"), "--arg: 'input' is not NAME=VALUE"),
        (("run", "reduction/interleaved", "-a", "m=4"), "has no parameter 'm'"),
        (("run", "reduction/interleaved", "--counters", "sectors"), "--counters: there is no counter 'sectors'"),
        (("run", "reduction/interleaved", "--names", "x"), "--names: there is no 'x'"),
        (("run", "nowhere.cu"), "cannot read nowhere.cu"),
        (("run", "reduction/interleaved", "--counters", ","), "--counters: ',' names nothing"),
        (("compare", "reduction/interleaved", "-d", ","), "--devices: ',' names nothing"),
        (("compare", "reduction/interleaved", "--compiler", ""), "--compiler: '' names nothing"),
        (("access", "global", "-d", " , "), "--devices: ' , ' names nothing"),
        (("run",), "Missing argument 'kernel'"),
        (("walk",), "there is no command 'walk'"),
        (("occupancy", "-t", "many"), "Invalid value for '--threads'"),
    ],
)
def test_what_is_wrong_is_said_in_one_line_with_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert message in err
    assert "Traceback" not in err


def test_other_text_than_ptx_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "notes.ptx"
    path.write_text("Notes on .version numbers.\n")
    code, _, err = run(capsys, "run", str(path), "--grid", "1", "--block", "1")
    assert code == 2
    assert "notes.ptx:1:1: error: this is not PTX: it has no .version" in err


def test_a_compile_error_has_a_caret(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "bad.cu"
    path.write_text("__global__ void k(int *a) {\n  a[0] = lenght;\n}\n")
    code, _, err = run(capsys, "run", str(path), "--grid", "1", "--block", "1")
    assert code == 2
    assert f"{path.name}:2:10" in err
    assert "         ^~~~~~" in err


def test_help_shows_the_command_that_installs_the_compiler(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "250")
    code, out, _ = run(capsys, "run", "--help")
    assert code == 0
    assert "pip install 'warpview[nvidia]'" in out


def test_a_missing_include_is_a_warning(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "twice.cu"
    path.write_text('#include "helpers.hpp"\n' + KERNEL)
    arguments = ("-a", "in=iota:32", "-a", "out=blank:32", "-a", "n=32")
    code, _, err = run(capsys, "run", str(path), "--grid", "1", "--block", "32", *arguments)
    assert code == 0, err
    assert "twice.cu:1:10: warning: the file 'helpers.hpp' was not found" in err


def test_counters_by_line_and_instruction_add_up(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path, total = tmp_path / "lines.csv", tmp_path / "total.csv"
    code, _, err = run(
        capsys,
        "run",
        "reduction/strided_index",
        "-p",
        "step",
        "-d",
        "8800gtx",
        "--lines",
        str(path),
        "--csv",
        str(total),
    )
    assert code == 0, err
    rows = list(csv.DictReader(path.read_text().splitlines()))
    (launch,) = csv.DictReader(total.read_text().splitlines())
    lines = [row for row in rows if not row["instruction"]]
    instructions = [row for row in rows if row["instruction"]]
    for key in ("inst_executed", "shared_ld_bank_conflicts", "global_ld_transactions_64", "divergent_branches"):
        assert sum(int(row[key]) for row in lines) == sum(int(row[key]) for row in instructions) == int(launch[key])
    conflicts = {row["text"] for row in lines if int(row["shared_ld_bank_conflicts"])}
    assert conflicts == {"sdata[index] += sdata[index + s];"}


def test_a_launch_in_the_host_code_offers_itself(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "host.cu"
    path.write_text(KERNEL + "int main() { float *d; cudaMalloc(&d, 4); twice<<<2, 64>>>(d, d, 128); return 0; }\n")
    code, out, err = run(capsys, "run", str(path), "-a", "in=iota:64", "-a", "out=blank:64", "-a", "n=64")
    assert code == 0, err
    assert "grid 2x1x1, block 64x1x1" in out


@pytest.mark.parametrize("arguments", [["mine.cu", "--device", "h200"], ["reduction/interleaved", "other.cu"]])
def test_the_window_takes_one_kernel_and_no_options(
    arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["warpview", *arguments])
    with pytest.raises(SystemExit) as ended:
        start()
    assert ended.value.code == 2
    assert f"one kernel or file and not '{arguments[1]}'" in capsys.readouterr().err
