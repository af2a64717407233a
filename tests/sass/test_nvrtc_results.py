"""What NVRTC made of a source is shared among tests only where it must be the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import nvrtc_results

from warpview.diagnostics import SourceText
from warpview.run.device_source import include_folders
from warpview.sass import nvrtc

if not nvrtc.is_installed():
    pytest.skip("NVRTC is not installed", allow_module_level=True)


def test_a_source_is_compiled_once_for_the_same_options_and_anew_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled = []
    monkeypatch.setattr(nvrtc, "compile_source", lambda source, *args, **options: compiled.append((args, options)))
    with nvrtc_results.shared_in(tmp_path / "results"):
        for _ in range(2):
            nvrtc.compile_source(SourceText("a.cu", "x"), 90, fma=True)
        nvrtc.compile_source(SourceText("a.cu", "x"), 80, fma=True)
        nvrtc.compile_source(SourceText("a.cu", "x"), 90, fma=False)
        nvrtc.compile_source(SourceText("a.cu", "y"), 90, fma=True)
        nvrtc.compile_source(SourceText("b.cu", "y"), 90, fma=True)
    assert len(compiled) == 5


@pytest.mark.parametrize("lines", ['#include "mine.h"', " # include <mine.h>"])
def test_a_source_with_a_header_of_its_own_is_compiled_each_time(tmp_path: Path, lines: str) -> None:
    text = lines + '\nextern "C" __global__ void store(int *out) { *out = VALUE; }'
    cubins = []
    with nvrtc_results.shared_in(tmp_path / "results"):
        for value in (1, 2):
            (tmp_path / "mine.h").write_text(f"#define VALUE {value}\n")
            cubins.append(nvrtc.compile_source(SourceText("own.cu", text), 90, include_folders=[tmp_path]).cubin)
    assert cubins[0] != cubins[1]


def test_headers_that_stay_as_they_are_do_not_keep_a_source_from_being_shared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that come with NVIDIA's packages and with warpview, which has some of the same names."""
    compiled = []
    monkeypatch.setattr(nvrtc, "compile_source", lambda source, *args, **options: compiled.append(source))
    with nvrtc_results.shared_in(tmp_path / "results"):
        for _ in range(2):
            source = SourceText("a.cu", "#include <cooperative_groups.h>\n")
            nvrtc.compile_source(source, 90, include_folders=include_folders(tmp_path))
    assert len(compiled) == 1
