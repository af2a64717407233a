"""A file of many kernels is looked through once, within the limit of time, and named in a message of one line."""

from __future__ import annotations

import contextlib

import pytest
from support.calls import calls_in

from warpview import frontend
from warpview.diagnostics import CompileError, SourceText
from warpview.frontend import interruption
from warpview.frontend.compiler import parse
from warpview.frontend.suggest import MOST_NAMES

NAMES = "warpview.frontend.kernel_names"


def source(count: int, name: str = "k{}", parameters: str = "int *x") -> SourceText:
    kernels = (f"__global__ void {name.format(i)}({parameters.format(i)}) {{ }}" for i in range(count))
    return SourceText(f"{count}{name}.cu", "\n".join(kernels))


def refusal(text: SourceText, kernel: str | None = None) -> str:
    with pytest.raises(CompileError) as refused:
        frontend.compile_source(text, kernel)
    return str(refused.value)


@pytest.mark.parametrize("kernel", [None, "missing", "k7"])
@pytest.mark.parametrize(
    ("name", "parameters"),
    [("k{}", "int *x"), ("k7", "const float (*x)[{0} + 1]")],
    ids=["of several names", "overloaded"],
)
def test_the_work_of_naming_kernels_grows_as_their_number(name: str, parameters: str, kernel: str | None) -> None:
    def calls(count: int) -> int:
        file = parse(source(count, name, parameters))

        def choose() -> None:
            with contextlib.suppress(CompileError):
                frontend.kernel_meant(file, kernel)
            frontend.plain_kernels(file)

        return calls_in(choose, NAMES).total()

    assert 0 < calls(80) < 2.5 * calls(40)


def test_listing_the_kernels_of_a_file_grows_as_their_number() -> None:
    few, many = (calls_in(lambda n=n: frontend.kernels_in(source(n)), NAMES).total() for n in (40, 80))
    assert 0 < many < 2.5 * few


def test_a_message_names_the_first_ten_kernels() -> None:
    message = refusal(source(250))
    assert "say which (k0, k1, k2, k3, k4, k5, k6, k7, k8, k9 and 240 more)" in message
    assert "k249" not in message
    assert f"k{MOST_NAMES - 1} and 240 more" in refusal(source(250), "missing")
    assert "more" not in refusal(source(MOST_NAMES))


def test_naming_kernels_can_be_interrupted() -> None:
    file = parse(source(40, "asked{}"))

    class Enough(Exception):
        pass

    def ask() -> None:
        raise Enough

    with interruption.interruptible(ask), pytest.raises(Enough):
        frontend.plain_kernels(file)
