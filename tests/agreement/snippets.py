"""Small pieces of unusual C++, and what NVIDIA's machine code computes of them.

A file of ``cpp_snippets`` holds pieces between lines of four dashes: declarations, then behind ``BODY:`` what the
kernel does, which leaves its result in ``r``. It has ``int *out`` (0, 1, 2, ...), ``int x`` (5) and ``float y`` (1.7).
``PUT(value)`` writes the bits of one more value of any arithmetic type behind ``r``.

``python -m tests.agreement.snippets`` runs those as compiled by NVRTC that ``machine_code.json`` does not hold, all of
them where there is no such file, and writes it: the elements of ``out`` that each piece changes, under a digest of its
text.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import numpy as np

import warpview as wv

FOLDER = Path(__file__).parent / "cpp_snippets"
RECORDED = FOLDER / "machine_code.json"
KERNEL = (
    'extern "C" __global__ void k(int *out, int x, float y) {\n    int r = 0;\n    %s\n    out[threadIdx.x] = r;\n}\n'
)
WRITER = (
    "".join(
        f"__device__ inline int bits({type} v) {{ return {bits}; }}\n"
        for bits, types in {
            "(int)v": ("int", "unsigned", "char", "signed char", "unsigned char", "short", "unsigned short", "bool"),
            "(int)(v ^ v >> 32)": ("long long", "unsigned long long", "long", "unsigned long"),
            "__float_as_int(v)": ("float",),
            "bits(__double_as_longlong(v))": ("double",),
        }.items()
        for type in types
    )
    + "#define PUT(...) (*o++ = bits(__VA_ARGS__))\n"
)
LENGTH = 40


def snippets() -> dict[str, str]:
    """Return the source of each piece by its name: its file and its number in it."""
    found = {}
    for path in sorted(FOLDER.glob("*.txt")):
        for number, piece in enumerate(path.read_text(encoding="utf-8").split("\n----\n")):
            declarations, _, body = piece.rpartition("BODY:")
            writer, place = (WRITER, "int *o = out + 1; ") if "PUT(" in body else ("", "")
            kernel = KERNEL % (place + body.strip())
            found[f"{path.stem}-{number}"] = f"#include <cmath>\n{writer}{declarations}\n{kernel}"
    return found


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


def changed(text: str, compiler: str) -> dict[str, int]:
    """Return the elements of ``out`` that a piece gives another value, by their index."""
    program = wv.compile(text, compiler=compiler, device="h200")
    before = np.arange(LENGTH, dtype=np.int32)
    after = wv.simulate(program, 1, 1, [before, 5, 1.7], device="h200", check=False).buffers["out"]
    return {str(k): int(after[k]) for k in np.flatnonzero(after != before)}


if __name__ == "__main__":
    recorded = json.loads(RECORDED.read_text()) if RECORDED.exists() else {}
    pieces = {digest(text): text for text in snippets().values()}
    values = {key: recorded[key] if key in recorded else changed(text, "nvrtc") for key, text in pieces.items()}
    RECORDED.write_text("{\n" + ",\n".join(f'"{key}": {json.dumps(values[key])}' for key in sorted(values)) + "\n}\n")
