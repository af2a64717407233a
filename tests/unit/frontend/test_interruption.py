"""Compiling can be stopped wherever it stands."""

from __future__ import annotations

from itertools import count

import pytest

from warpview.diagnostics import SourceText
from warpview.frontend import compile_source, interruptible, kernels_in


class Stopped(Exception):
    pass


BODY = "".join(f"    if (x > {n}.5f) x = x * {n}.0f + a[(i + {n}) % n];\n" for n in range(60))
TEXT = (
    "int host() { return 1; }\n__global__ void k(float *a, int n) {\n    int i = threadIdx.x;\n    float x = a[i];\n"
    + BODY
    + "    a[i] = x;\n}\n"
)
numbers_of_files = count()


def source() -> SourceText:
    """Return a file that has not been read before: what was read last is not read again."""
    return SourceText(f"long{next(numbers_of_files)}.cu", TEXT)


def asked(times: int | None) -> tuple[type[Exception] | None, int]:
    """How compiling ends if it is to stop when it asks for the so manieth time, and how often it asks."""
    numbers = count(1)

    def ask() -> None:
        if next(numbers) == times:
            raise Stopped

    try:
        with interruptible(ask):
            compile_source(source())
    except Stopped:
        return Stopped, next(numbers) - 1
    return None, next(numbers) - 1


def test_it_stops_at_any_time() -> None:
    _, often = asked(None)
    assert often > 60 * 50  # once for each token, and in every pass
    for part in range(1, 8):
        assert asked(often * part // 8) == (Stopped, often * part // 8)


def test_finding_the_kernels_of_a_file_stops_too() -> None:
    def ask() -> None:
        raise Stopped

    with pytest.raises(Stopped), interruptible(ask):
        kernels_in(source())


def test_nobody_is_asked_afterwards() -> None:
    called = []
    with interruptible(lambda: called.append(1)):
        kernels_in(source())
    before = len(called)
    assert before
    kernels_in(source())
    assert len(called) == before
