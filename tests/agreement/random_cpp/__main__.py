"""Compare our compiler with NVRTC on random C++ programs.

    python -m tests.agreement.random_cpp KIND FIRST COUNT [DEVICE...]     list the programs whose results differ
    python -m tests.agreement.random_cpp KIND SEED                        print one, cut down to what still differs

Both run in the simulator: ours on each DEVICE (h200 without any), NVRTC's machine code as an H200 runs it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

from . import KINDS, write_program
from .comparison import Outcome, ours, theirs


def differs(text: str, device: str = "h200") -> str:
    """Return how the results of two compilers differ, or an empty string: also where either refuses."""
    expected = theirs(text)
    if isinstance(expected, str):
        return ""
    found: Outcome = ours(text, device)
    if isinstance(found, str):
        return found
    return "" if np.array_equal(found, expected) else f"results differ in lanes {np.flatnonzero(found != expected)}"


def balanced(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Yield the spans of lines whose braces are balanced, the longest first."""
    spans = []
    for start in range(len(lines)):
        depth = 0
        for end in range(start, len(lines)):
            depth += lines[end].count("{") - lines[end].count("}")
            if depth <= 0:
                spans += [(start, end + 1)] if depth == 0 else []
                break
    yield from sorted(spans, key=lambda span: span[0] - span[1])


def reduced(text: str) -> str:
    """Return the program without the lines that its difference does not need."""
    wanted = differs(text).split(":")[0]
    lines = text.split("\n")
    while wanted:
        for start, end in balanced(lines):
            shorter = lines[:start] + lines[end:]
            if differs("\n".join(shorter)).split(":")[0] == wanted:
                lines = shorter
                break
        else:
            break
    return "\n".join(lines)


def main() -> None:
    kind, first, *rest = sys.argv[1:]
    assert kind in KINDS, kind
    if not rest:
        text = reduced(write_program(kind, int(first)))
        print(text, differs(text), sep="\n")
        return
    devices = rest[1:] or ["h200"]
    for seed in range(int(first), int(first) + int(rest[0])):
        text = write_program(kind, seed)
        expected = theirs(text)
        if isinstance(expected, str):
            print(kind, seed, "NVRTC:", expected, flush=True)
            continue
        for device in devices:
            if difference := differs(text, device):
                print(kind, seed, device, difference, flush=True)


if __name__ == "__main__":
    main()
