"""NVRTC reads NVIDIA's large headers once a process, and never a text that has changed since."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from warpview.diagnostics import SourceText
from warpview.sass import nvidia_packages, nvrtc, precompiled

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

HEAD = "#define HEAD {head}\n#include <cooperative_groups.h>\n"
KERNEL = "__global__ void store(int *out) {{ out[threadIdx.x] = {value}; }}\n"


def compiled(head: str, value: object, *folders: Path, **options: dict[str, str] | dict[str, object]) -> bytes:
    source = SourceText("k.cu", HEAD.format(head=head) + KERNEL.format(value=value))
    every = (*folders, *nvidia_packages.include_folders())
    return nvrtc.compile_source(source, 90, ["store"], include_folders=every, **options).cubin  # type: ignore[arg-type]


def seconds(head: str, value: int) -> float:
    before = time.process_time()
    compiled(head, value)
    return time.process_time() - before


def test_the_headers_are_read_once() -> None:
    compiled("warm", 0)  # loads the library
    first = seconds("once", 1)
    assert min(seconds("once", value) for value in (2, 3)) < first / 2


def test_the_machine_code_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled("same", 1)
    twice = [compiled("same", 7)]
    monkeypatch.setattr(precompiled, "options", lambda *_: [])
    twice.append(compiled("same", "7 "))  # another text, or the tests have it already
    assert twice[0] == twice[1]


def test_a_changed_text_is_read_again() -> None:
    texts = [compiled('text\n#include "mine.h"', "V", headers={"mine.h": f"#define V {v}\n"}) for v in (1, 2)]
    macros = [compiled("macro", "V", defines={"V": v}) for v in (1, 2)]
    assert texts[0] != texts[1]
    assert macros[0] != macros[1]


@pytest.mark.parametrize("include", ['"mine.h"', "<mine.h>", "MINE"])
def test_a_changed_file_is_read_again(tmp_path: Path, include: str) -> None:
    made = []
    for value in (1, 2):
        (tmp_path / "mine.h").write_text(f"#define V {value}\n")
        made.append(compiled(f'file\n#define MINE "mine.h"\n#include {include}', "V" + " " * value, tmp_path))
    assert made[0] != made[1]


def test_few_files_are_kept() -> None:
    for number in range(precompiled.KEPT + 2):
        compiled(f"few_{number}", 1)
    assert len(list(precompiled._folder().glob("*.pch"))) == precompiled.KEPT


def test_small_headers_are_not_precompiled() -> None:
    assert precompiled.options("#include <cuda_fp16.h>\n", {}, nvidia_packages.include_folders()) == []


def test_a_source_without_large_headers_takes_no_place() -> None:
    compiled("kept", 1)
    kept = sorted(precompiled._folder().glob("*.pch"))
    for number in range(precompiled.KEPT):
        source = SourceText("k.cu", f"#define HEAD plain\n{KERNEL.format(value=number)}")
        nvrtc.compile_source(source, 90, ["store"], include_folders=nvidia_packages.include_folders())
    assert sorted(precompiled._folder().glob("*.pch")) == kept


def test_the_files_go_with_the_process() -> None:
    code = "from warpview.sass import precompiled; print(precompiled._folder())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert Path(done.stdout.strip()).name.startswith("warpview-headers-")
    assert not Path(done.stdout.strip()).exists()
