"""``warpview access`` prints the rules as a table over devices."""

import pytest

import warpview as wv
from warpview.cli import main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as exit:
        main(["access", *arguments])
    captured = capsys.readouterr()
    code = exit.value.code
    return (code if isinstance(code, int) else 0), captured.out, captured.err


def row(text: str, device: str) -> list[str]:
    """The words of a device's row."""
    return next(line.split() for line in text.splitlines() if line.split()[:1] == [device])


def test_a_misaligned_load(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--offset", "1")
    assert code == 0
    assert row(out, "8800gtx")[2:] == ["32", "1024", "12", "%", "32", "x", "32"]
    assert " ".join(row(out, "fx5800")[2:]) == "3 224 57 % 1 x 32 + 1 x 64 + 1 x 128"
    assert row(out, "c2050")[2:5] == ["2", "256", "50"]
    assert row(out, "h200")[2:5] == ["5", "160", "80"]
    assert len([line for line in out.splitlines() if "%" in line]) == len(wv.devices())


def test_strided_shared_memory(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "shared", "--stride", "2", "--devices", "8800gtx,k40,h200")
    assert code == 0
    assert row(out, "8800gtx")[2:] == ["4", "2", "2-way"]
    assert row(out, "k40")[2:] == ["1", "1", "none"]
    assert row(out, "h200")[2:] == ["2", "1", "2-way"]


def test_all_that_is_known_of_a_device(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["devices", "k40"])
    out = capsys.readouterr().out
    assert "[shared_memory]" in out
    assert row(out, "bank_widths")[1:] == ["4,", "8"]
    assert row(out, "imul")[-1] != "unverified"


def test_what_is_wrong_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--width", "3")[::2] == (2, "warpview: --width: a word has 1, 2, 4, 8, 16 bytes, not 3\n")
    assert run(capsys, "texture")[0] == 2
