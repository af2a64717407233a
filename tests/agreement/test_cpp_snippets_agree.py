"""Small pieces of unusual C++ compute the same as written and as NVIDIA's machine code.

A file of ``cpp_snippets`` holds pieces between lines of four dashes: declarations, then behind ``BODY:`` what the
kernel does, which leaves its result in ``r``. It has ``int *out`` (0, 1, 2, ...), ``int x`` (5) and ``float y`` (1.7).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview.sass import nvrtc

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

FOLDER = Path(__file__).parent / "cpp_snippets"
KERNEL = (
    'extern "C" __global__ void k(int *out, int x, float y) {\n    int r = 0;\n    %s\n    out[threadIdx.x] = r;\n}\n'
)
LENGTH = 40


def snippets() -> list[tuple[str, str]]:
    """Return each piece with the name of its test: its file and its number in it."""
    found = []
    for path in sorted(FOLDER.glob("*.txt")):
        pieces = path.read_text(encoding="utf-8").split("\n----\n")
        found += [(f"{path.stem}-{number}", piece) for number, piece in enumerate(pieces)]
    return found


def text_of(snippet: str) -> str:
    declarations, _, body = snippet.rpartition("BODY:")
    return f"#include <cmath>\n{declarations}\n{KERNEL % body.strip()}"


def computed(text: str, compiler: str) -> list[int]:
    program = wv.compile(text, compiler=compiler, device="h200")
    run = wv.simulate(program, 1, 1, [np.arange(LENGTH, dtype=np.int32), 5, 1.7], device="h200", check=False)
    return run.buffers["out"].tolist()


@pytest.mark.parametrize("snippet", [piece for _, piece in snippets()], ids=[name for name, _ in snippets()])
def test_a_snippet_computes_what_machine_code_does(snippet: str) -> None:
    text = text_of(snippet)
    assert computed(text, "warpview") == computed(text, "nvrtc")
