"""A file is read once for all its kernels, and again when anything changes that it is made of."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

import warpview.frontend.compiler as compiler
from warpview.diagnostics import SourceText
from warpview.frontend import compile_source
from warpview.frontend.syntax.nodes import Node
from warpview.isa.disassembly import disassemble

TWO_KERNELS = """
#include <type_traits>
template <class T> __device__ T twice(T x) { return x + x; }
__global__ void first(float *a) { a[threadIdx.x] = twice(a[threadIdx.x]); }
__global__ void second(int *a) { a[threadIdx.x] = twice(a[threadIdx.x]) * N; }
"""
WITH_HEADER = '#include "factor.h"\n__global__ void k(int *a) { a[threadIdx.x] *= FACTOR; }\n'


@pytest.fixture
def preprocessed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are preprocessed in the test."""
    found: list[str] = []
    preprocess = compiler.preprocess

    def noted(text: SourceText, *rest: object) -> object:
        found.append(text.name)
        return preprocess(text, *rest)

    monkeypatch.setattr(compiler, "preprocess", noted)
    return found


def test_kernels_of_one_file_are_what_they_are_alone(preprocessed: list[str]) -> None:
    together = [compile_source(SourceText("two.cu", TWO_KERNELS), name, {"N": 3}) for name in ("first", "second")]
    assert preprocessed == ["two.cu"]
    alone = [compile_source(SourceText(f"{k}.cu", TWO_KERNELS), ("first", "second")[k], {"N": 3}) for k in (1, 0)]
    for program, other in zip(together, reversed(alone), strict=True):
        assert disassemble(program) == disassemble(other)


def test_another_macro_is_another_file(preprocessed: list[str]) -> None:
    programs = [compile_source(SourceText("macro.cu", TWO_KERNELS), "second", {"N": n}) for n in (3, 5)]
    assert preprocessed == ["macro.cu"] * 2
    assert programs[0].constants32 != programs[1].constants32


def test_a_header_of_the_users_is_read_each_time(tmp_path: Path) -> None:
    found = []
    for factor in (3, 5):
        (tmp_path / "factor.h").write_text(f"#define FACTOR {factor}\n")
        found.append(compile_source(SourceText("own.cu", WITH_HEADER), include_dir=tmp_path).constants32)
    assert found[0] != found[1]


def test_a_header_that_was_missing_is_found_when_it_comes(tmp_path: Path) -> None:
    source = SourceText("late.cu", '#include "late.h"\n__global__ void k(int *a) { *a = 1; }\n')
    assert compile_source(source, include_dir=tmp_path).warnings
    (tmp_path / "late.h").write_text("\n")
    assert not compile_source(source, include_dir=tmp_path).warnings


FORGOTTEN = """
struct Guard { int *at; __device__ ~Guard() { *at += 1; } };
struct Pair { int a, b; __device__ Pair(int a) : b(a), a(2 * a) {} };
template <typename... T> __device__ int sum(T... values) { return (values + ...); }
__device__ int twice(int x) { return 2 * x; }
__global__ void k(int *out) {
    Guard guard{out + 1};
    Pair pair(out[0]);
    auto f = [&](int x) { return sum(pair.a, pair.b, x > 3 ? twice(x) : max({x, 4, 5})); };
    out[0] = f(out[2]);
}
"""


def _nodes_of(name: str) -> int:
    gc.collect()
    nodes = (x for x in gc.get_objects() if issubclass(type(x), Node))  # isinstance asks what a weak proxy stands for
    return sum(x.span.source.name == name for x in nodes)


def test_the_tree_of_a_file_goes_with_the_file() -> None:
    program = compile_source(SourceText("forgotten.cu", FORGOTTEN))
    assert _nodes_of("forgotten.cu") > 50
    for number in range(compiler.FILES_KEPT):
        compile_source(SourceText(f"other{number}.cu", TWO_KERNELS), "first", {"N": number})
    assert _nodes_of("forgotten.cu") == 0
    assert program.source.name == "forgotten.cu"
    assert compile_source(SourceText("forgotten.cu", FORGOTTEN)).instructions == program.instructions


def test_a_file_that_was_read_keeps_no_tokens() -> None:
    file = compiler.parse(SourceText("tokens.cu", FORGOTTEN))
    assert len(file.parser.cursor.tokens) == 1
    assert [*file.qualified_names.values()] == ["k"]
