"""``warpview run --visual-profiler`` and ``--nsight`` print their tables."""

from pathlib import Path

import pytest

from warpview.cli import main

REPORT = (
    '"ID","Kernel Name","Block Size","Grid Size","l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",'
    '"smsp__inst_executed.sum"\n"","","","","sector","inst"\n'
    '"0","reduce_interleaved(const int *, int *)","({block}, 1, 1)","({grid}, 1, 1)","64","1,000"\n'
)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the command printed; it ends well."""
    with pytest.raises(SystemExit) as exit:
        main(["run", "reduction/interleaved", "--preset", "step", *arguments])
    assert not exit.value.code
    return capsys.readouterr().out


def test_as_the_visual_profiler(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run(capsys, "--device", "fx5800", "--visual-profiler")
    assert "gld_64b" in shown
    assert "use the engine sm" in shown


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])  # the second is what PowerShell redirects
def test_beside_nsight_compute(capsys: pytest.CaptureFixture[str], tmp_path: Path, encoding: str) -> None:
    report = tmp_path / "report.csv"
    report.write_text(REPORT.format(block=128, grid=4), encoding)
    shown = run(capsys, "--nsight", str(report))
    assert "1 of 1 metrics that follow from the addresses are equal" in shown


@pytest.mark.parametrize(("option", "sectors"), [((), "32"), (("--no-l1",), "20")])
def test_loads_go_through_l1_or_around_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, option: tuple[str, ...], sectors: str
) -> None:
    source = tmp_path / "shift.cu"
    source.write_text(
        "__global__ void shift(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x + 1]; }\n"
    )
    launch = ("--device", "c2050", "--grid", "1", "--block", "128", "--arg", "in=iota:200", "--arg", "out=zeros:128")
    with pytest.raises(SystemExit):
        main(["run", str(source), *launch, *option, "--counters", "global_ld_sectors"])
    assert f" {sectors} " in capsys.readouterr().out


def test_the_bank_mode_of_kepler(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit:
        main(["run", "reduction/interleaved", "--preset", "step", "--bank-width", "8"])
    assert exit.value.code == 2
    assert "banks of NVIDIA H200 are 4 bytes wide, not 8" in capsys.readouterr().err
