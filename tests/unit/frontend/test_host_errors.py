"""What is wrong in host code is told with its line, although the kernel runs without it."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv

KERNEL = "__global__ void k(int *o)\n{\n    o[threadIdx.x] = 1;\n}\n"
VALID = """#include <vector>
struct Counter { static int live; int operator=(int) const; };
int Counter::live = 0;
template <typename T> struct Of;
static std::vector<int> numbers = {1, 2};
void apply(int &&x, int (*)(int), void (*)() = nullptr);
using Whole = decltype([=] { return 1; });
int main() { auto f = [=](int x) { return x; }; for (auto &n : numbers) { n = f(n); } return 0; }
"""


def warnings(source: str) -> list[tuple[int, str]]:
    run = wv.simulate(wv.compile(source), grid=1, block=32, args=[np.zeros(32, np.int32)])
    return [(each.span.line, each.message) for each in run.program.remarks]


@pytest.mark.parametrize(
    ("code", "line", "message"),
    [
        ("int q = ;", 5, "expected an expression, found ';'"),
        ("int q 5;", 5, "expected ';' after the declaration, found '5'"),
        ("struct A { int x };", 5, "expected ';' after the member, found '}'"),
        ("void f()\n{\n    int x = 3 + ;\n}", 7, "expected an expression, found ';'"),
        ("int f(int x = );", 5, "expected an expression, found ')'"),
    ],
)
def test_what_no_compiler_takes_is_told(code: str, line: int, message: str) -> None:
    assert warnings(KERNEL + code + "\n") == [(line, message)]


@pytest.mark.parametrize("line", VALID.splitlines())
def test_what_only_the_host_understands_is_not(line: str) -> None:
    assert not warnings(KERNEL + line + "\n")


def test_valid_host_code_together_is_not_told_about() -> None:
    assert not warnings(VALID + KERNEL)
