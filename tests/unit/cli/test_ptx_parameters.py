"""PTX that a person wrote is launched by the names that it gives its parameters."""

from __future__ import annotations

from pathlib import Path

import pytest

from warpview.cli.main import main
from warpview.sass import nvjitlink

PTX = """.version 8.0
.target sm_80
.address_size 64
.visible .entry fill(.param .u64 p, // the buffer
                     .param .u32 n) {
 .reg .b64 %rd<4>; .reg .b32 %r<4>;
 ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd1, %rd1; ld.param.u32 %r2, [n];
 mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;
 st.global.u32 [%rd3], %r2; ret; }
"""


@pytest.mark.parametrize("device", ["h200", "gtx1080"])
def test_the_names_of_parameters_are_those_of_the_text(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, device: str
) -> None:
    if device == "h200" and not nvjitlink.is_installed():
        pytest.skip("nvJitLink is not installed")
    path = tmp_path / "fill.ptx"
    path.write_text(PTX.replace("sm_80", "sm_80" if device == "h200" else "sm_60"))
    launch = ("--grid", "1", "--block", "32", "--arg", "p=int32 zeros:32", "--arg", "n=5", "-d", device)
    with pytest.raises(SystemExit) as ended:
        main(["run", str(path), *launch, "--who-wrote", "p[3]"])
    captured = capsys.readouterr()
    assert ended.value.code == 0, captured.err
    assert "as compiled by NVIDIA" not in captured.out
    assert "p[3]" in captured.out
