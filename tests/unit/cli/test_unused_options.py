"""An option that would do nothing is refused with a sentence, and what a message advises exists."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview.cli.main import main
from warpview.devices import DeviceError, load_device

KERNEL = "__global__ void twice(float *x, float f) { x[threadIdx.x] *= f; }\n"
LAUNCH = ("--grid", "1", "--block", "32", "--arg", "x=ones:32", "--arg", "f=2")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    captured = capsys.readouterr()
    return ended.value.code, captured.out, captured.err


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--timeline", "t.csv"), "--timeline is for a program"),
        (("--launch", "2"), "--launch is for a program"),
        (("--with", "other.cu"), "--with is for a program"),
        (("--time-limit", "3"), "--time-limit is for a program"),
        (("--tolerance", "3"), "--tolerance says how exact --expect is"),
        (("--preset", "small"), "--preset is for a library kernel"),
        (("--no-l1",), "--no-l1 changes nothing on NVIDIA H200"),
        (("-c", "time_us"), "no value for time_us: times and cycles need --engine sm"),
    ],
    ids=lambda words: words[0] if isinstance(words, tuple) else "",
)
def test_an_option_without_an_effect_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, given: tuple[str, ...], said: str
) -> None:
    path = tmp_path / "twice.cu"
    path.write_text(KERNEL)
    code, _, err = run(capsys, "run", str(path), *LAUNCH, *given)
    assert code == 2
    assert said in err
    assert run(capsys, "run", str(path), *LAUNCH)[0] == 0


def test_compare_takes_the_launch_of_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "twice.cu"
    path.write_text(KERNEL)
    code, out, _ = run(
        capsys, "compare", str(path), "-d", "h200,c2050", *LAUNCH, "--shared", "64", "-c", "blocks_launched"
    )
    assert code == 0
    assert "c2050" in out


def test_a_device_is_found_in_any_case_and_hinted_at_by_its_chip_or_generation() -> None:
    assert load_device("V100").key == "v100"
    for name, key in {"g80": "8800gtx", "gtx280": "c1060", "fermi": "c2050", "GH100": "h200"}.items():
        with pytest.raises(DeviceError, match=f"did you mean .*'{key}'"):
            load_device(name)


def test_fixed_shared_memory_is_limited_as_nvcc_limits_it() -> None:
    text = "__global__ void big(float *out) {{ __shared__ float a[{0}]; a[threadIdx.x] = 1; out[0] = a[0]; }}"
    with pytest.raises(wv.WarpviewError, match="declares 65536 bytes of shared memory; NVIDIA H200 has at most 49152"):
        wv.simulate(wv.compile(text.format(16384)), 1, 1, [np.zeros(1, np.float32)])
    assert not wv.simulate(wv.compile(text.format(12288)), 1, 1, [np.zeros(1, np.float32)]).findings


def test_missing_dynamic_shared_memory_is_explained() -> None:
    text = "__global__ void k(int *out) { extern __shared__ int s[]; s[threadIdx.x] = 1; out[0] = 1; }"
    for given in (0, 64):
        (finding,) = wv.simulate(wv.compile(text), 1, 32, [np.zeros(1, np.int32)], shared_bytes=given).findings
        assert f"the launch has {given} bytes of dynamic shared memory (--shared" in finding.message
