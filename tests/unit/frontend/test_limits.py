"""Large, deep and hostile sources compile, or end in a message before long."""

from __future__ import annotations

import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from support.kernels import compute, program_of

from warpview.diagnostics import CompileError
from warpview.frontend import interruption, passes
from warpview.frontend.extended_lambdas import code_tokens, extended_lambdas
from warpview.frontend.ir import Function
from warpview.frontend.lower import context
from warpview.frontend.passes.cse import eliminate_common_subexpressions


def kernel(body: str, file: str = "") -> str:
    return f"{file}\n__global__ void k(int *o) {{ {body} }}\n"


class TestLargeSourcesCompile:
    @pytest.mark.exhaustive
    def test_a_sum_of_three_thousand_terms(self) -> None:
        assert compute("int v[2] = {i, 1}; out[i] = " + "+".join(["v[1]"] * 3000) + ";")[0] == 3000

    def test_three_thousand_statements(self) -> None:
        program = program_of(kernel("o[0] += 3;\n" * 3000))
        assert len(program.instructions) > 3000

    def test_a_chain_of_three_hundred_tests(self) -> None:
        chain = " else ".join(f"if (i == {k}) s = {k * k};" for k in range(300))
        np.testing.assert_array_equal(compute(f"int s = -1; {chain} out[i] = s;"), np.arange(32) ** 2)

    def test_a_chain_of_a_thousand_macros(self) -> None:
        chain = "".join(f"#define B{i + 1} B{i}\n" for i in range(1000))
        assert compute("out[i] = B1000;", f"#define B0 7\n{chain}")[0] == 7

    def test_conditional_sections_nested_in_one_another(self) -> None:
        assert compute("out[i] = 5;", "#if 1\n" * 5000 + "#endif\n" * 5000)[0] == 5


class TestLimits:
    def test_a_local_array_is_refused_before_its_elements_get_values(self) -> None:
        with pytest.raises(CompileError, match="more local memory than a thread can have"):
            program_of(kernel("int a[10000000] = {1, 2, 3}; o[0] = a[o[1]];"))

    def test_time_is_limited(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(interruption, "MAX_SECONDS", 0.05)
        with pytest.raises(CompileError, match=r"takes more than 0.05 seconds"):
            program_of(kernel("o[0] += o[1];\n" * 3000))

    def test_what_catches_errors_does_not_hide_that_the_time_is_over(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """This was reported as an error of the inline PTX, and only after seconds: its steps are long."""
        monkeypatch.setattr(interruption, "MAX_SECONDS", 0.2)
        before = time.thread_time()
        text = "{ .reg .b32 t; mov.b32 t, %0; " * 1000 + "}" * 1000
        with pytest.raises(CompileError, match=r"^test.cu:1:1: error: .* takes more than 0.2 seconds"):
            program_of(kernel(f'int i = 3; asm("{text}" : "+r"(i)); o[0] = i;'))
        assert time.thread_time() - before < 2

    def test_three_thousand_launches_are_searched_for_lambdas_in_one_pass(self) -> None:
        """The file was read once for each launch, which took seconds that no limit counted."""
        tokens = code_tokens("int main() {" + "k<<<1, 2>>>(f(b < c, e), 1);\n" * 3000 + "}")
        before = time.thread_time()
        assert extended_lambdas(tokens) == []
        assert time.thread_time() - before < 2

    def test_the_length_of_a_file_is_limited(self) -> None:
        with pytest.raises(CompileError, match="longer than 4 million characters"):
            program_of(kernel("") + " " * (5 << 20))

    def test_the_length_of_a_kernel_is_limited(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(context, "MAX_INSTRUCTIONS", 2000)
        file = "__device__ int f0(int x) { return x * 3; }\n" + "".join(
            f"__device__ int f{i + 1}(int x) {{ return f{i}(x) + f{i}(x + 1); }}\n" for i in range(30)
        )
        with pytest.raises(CompileError, match="too long: it has more than 2000 instructions"):
            program_of(kernel("o[0] = f30(o[1]);", file))

    def test_loops_are_unrolled_as_far_as_their_copies_are_few(self) -> None:
        pragma = "\n#pragma unroll\n"
        nest = "".join(f"{pragma}for (int {i} = 0; {i} < 100; ++{i})" for i in "abc")
        assert len(program_of(kernel(f"{nest} o[a + b + c] = a;")).instructions) < 50_000

    def test_the_width_of_printed_numbers_is_limited(self) -> None:
        assert program_of(kernel('printf("%08d %.3f", 1, 2.0);')).prints
        with pytest.raises(CompileError, match="width of more than 4096"):
            program_of(kernel('printf("%999999999d", 1);'))


def test_a_format_may_be_a_pointer_to_a_string_that_is_known() -> None:
    program = program_of(kernel('const char *format = "%d of \\n"; printf(format, 1);'))
    assert [print.format for print in program.prints] == ["%d of \n"]


class TestIncludes:
    def test_a_missing_file_is_a_warning_with_its_place(self) -> None:
        program = program_of('#include "no_such.h"\n#include <no/such.hpp>\n' + kernel(""))
        places = [(w.severity, w.span.line if w.span else 0) for w in program.warnings]
        assert places == [("warning", 1), ("warning", 2)]
        assert "the file 'no_such.h' was not found" in program.warnings[0].message

    @pytest.mark.parametrize("name", ["stdio.h", "cuda_runtime.h", "vector", "cooperative_groups/scan.h", "omp.h"])
    def test_headers_of_the_system_and_of_cuda_are_known(self, name: str) -> None:
        assert not program_of(f"#include <{name}>\n" + kernel("")).warnings

    def test_a_folder_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "sub").mkdir()
        with pytest.raises(CompileError, match="'sub' is a folder and cannot be included"):
            program_of('#include "sub"\n' + kernel(""), include_dir=tmp_path)

    def test_a_header_includes_what_lies_beside_it(self, tmp_path: Path) -> None:
        (tmp_path / "sub").mkdir()
        (tmp_path / "sub" / "a.h").write_text('#include "b.h"\n')
        (tmp_path / "sub" / "b.h").write_text("#define SIZE 12\n")
        program = program_of('#include "sub/a.h"\n' + kernel("o[0] = SIZE;"), include_dir=tmp_path)
        assert not program.warnings


class TestText:
    def test_a_byte_order_mark_is_no_part_of_the_program(self) -> None:
        assert program_of("\ufeff" + kernel("o[0] = 1;")).kernel == "k"

    @pytest.mark.parametrize(
        "body",
        ["*(int *)0xffffffffffffffffull = 1;", "o[0x3fffffffffffffffll] = 1;", "o[1] = o[-0x7fffffffffffffffll - 1];"],
    )
    def test_constant_addresses_wrap_around_at_64_bits(self, body: str) -> None:
        assert program_of(kernel(body)).code.imm.dtype == np.int64


def test_a_wide_switch_takes_memory_by_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    """Common subexpressions once kept a table for each of its blocks."""
    peaks: list[int] = []

    def measured(function: Function) -> bool:
        tracemalloc.start()
        try:
            return eliminate_common_subexpressions(function)
        finally:
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()

    monkeypatch.setattr(passes, "eliminate_common_subexpressions", measured)
    cases = "".join(f"case {k}: x = x * {k} + p[{k}]; break;\n" for k in range(300))
    program_of("__global__ void k(int *p) { int x = p[0]; switch (p[1]) {\n" + cases + "}\np[2] = x; }")
    assert max(peaks) < 4 << 20
