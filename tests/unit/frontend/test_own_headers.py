"""A header of our own is preprocessed once for the same macros, and anew for others."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.diagnostics import SourceText
from warpview.frontend.preprocess.preprocessor import preprocess

INCLUDE = "#include <helper_math.h>\n"


def texts(text: str) -> list[str]:
    return [token.text for token in preprocess(SourceText("k.cu", text)).tokens]


def test_it_becomes_the_same_again() -> None:
    first = texts(INCLUDE)
    assert len(first) > 1000
    assert texts(INCLUDE) == first


def test_its_macros_are_known_behind_it() -> None:
    for _ in range(2):
        assert "here" in texts("#include <cuda/atomic>\n#ifdef WV_ATOMIC_METHODS\nhere\n#endif")


def test_a_macro_defined_before_it_is_obeyed() -> None:
    first = texts(INCLUDE)
    assert "float2" in first
    renamed = texts("#define float2 pair\n" + INCLUDE)
    assert "float2" not in renamed
    assert renamed.count("pair") == first.count("float2")
    assert texts(INCLUDE) == first


def test_a_second_include_adds_nothing() -> None:
    assert texts(INCLUDE) == texts(INCLUDE + INCLUDE)


def test_what_a_file_undefines_is_there_in_the_next() -> None:
    use = "#ifdef WV_ATOMIC_METHODS\nhere\n#endif"
    assert "here" not in texts("#include <cuda/atomic>\n#undef WV_ATOMIC_METHODS\n" + use)
    assert "here" in texts("#include <cuda/atomic>\n" + use)


def test_its_code_belongs_to_the_line_that_uses_it() -> None:
    program = wv.compile(
        "#include <cuda/atomic>\n__global__ void k(int *o) {\n  cuda::atomic_ref<int> r(o[0]);\n  r.fetch_add(3);\n"
        "  int *p = new int(3);\n  o[1] = *p;\n}"
    )
    lines = [i.span.line for i in program.instructions]
    assert {i.span.source for i in program.instructions} == {program.source}
    assert sorted(set(lines)) == [3, 4, 5, 6, 7]
    assert lines.count(5) > 40
    assert {v.name.partition(".")[0] for v in program.variables} == {"r", "p"}


def test_its_assembly_belongs_to_the_line_that_uses_it() -> None:
    program = wv.compile(
        "__global__ void k(cudaTextureObject_t t, float *o) {\n  float f = tex2D<float>(t, 0.5f, 1);\n  o[0] = f;\n}"
    )
    assert {(i.span.source, i.span.line) for i in program.instructions} == {(program.source, n) for n in (2, 3, 4)}


@pytest.mark.parametrize("compiler", ["warpview", "nvrtc"])
def test_pairs_are_objects_of_kernels(compiler: str) -> None:
    source = """#include <utility>
    __global__ void k(int *out) {
        int i = threadIdx.x;
        std::pair<int, float> a(i, 0.5f * i), b = std::make_pair(3, 1.0f);
        auto [whole, part] = a;
        out[i] = whole + (int)(4 * part) + 100 * (a < b) + 1000 * (a == b) + b.first;
    }"""
    i = np.arange(8)
    run = wv.simulate(
        wv.compile(source, compiler=compiler, device="h200"), 1, 8, [np.zeros(8, np.int32)], device="h200"
    )
    less = (i < 3) | ((i == 3) & (0.5 * i < 1.0))
    np.testing.assert_array_equal(run.buffers["out"], i + 2 * i + 100 * less + 3)


def test_macros_of_a_file_outlive_our_headers() -> None:
    names = ("PLUS", "MINUS", "LESS", "OPERATOR", "FUNCTION", "OPERATION", "MEMBER", "LIMITS", "TYPE_IS", "CONSTANT")
    defines = "".join(f"#define {name} here\n" for name in names)
    headers = "".join(
        f"#include <{name}>\n" for name in ("helper_math.h", "functional", "limits", "type_traits", "numbers")
    )
    assert texts(defines + headers + " ".join(names)).count("here") == len(names)
