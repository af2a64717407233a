"""Every instruction of the library has a sentence."""

from __future__ import annotations

import pytest

import warpview as wv
from warpview import frontend, library
from warpview.isa.disassembly import disassemble
from warpview.isa.program import Program
from warpview.ui.views.instructions.words import sentence


def program(key: str) -> Program:
    entry = next(e for e in library.kernels() if e.key == key)
    return frontend.compile_source(entry.source, entry.kernel, dict(entry.defines), include_dir=entry.path.parent)


def sentences(key: str) -> dict[str, str]:
    made = program(key)
    return {text: sentence(ins, text) for ins, text in zip(made.instructions, disassemble(made), strict=True)}


def test_every_instruction_of_the_library_has_one() -> None:
    for entry in library.kernels():
        for text, words in sentences(entry.key).items():
            assert words, text
            assert "{" not in words.replace("{%", ""), (text, words)
            assert "see " not in words, (text, words)


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ("setp.lt.u32 %p1, %i, n", "%p1 becomes true in lanes where %i < n, false in the others"),
        ("mad.lo.u32 %i", "%i becomes %ctaid.x × %ntid.x + %tid.x"),
        ("ld.global.s32 %r1, [%rd1]", "%r1 becomes the integer at [%rd1] in global memory"),
        ("bar.sync", "The warp waits until every warp of its block is here"),
        ("@!%p1 bra", "Lanes where %p1 does not hold continue at L"),
        ("bra L", "All lanes continue at L"),
    ],
)
def test_it_says_what_it_does_with_its_own_operands(start: str, words: str) -> None:
    found = [said for text, said in sentences("reduction/interleaved").items() if text.startswith(start)]
    assert found
    assert found[0].startswith(words)


def test_an_approximation_is_said_as_a_formula() -> None:
    body = "o[0] = exp2f(x); o[1] = __fdividef(x, y); o[2] = rsqrtf(y);"
    made = wv.compile(f"__global__ void k(float *o, float x, float y) {{ {body} }}")
    listed = zip(made.instructions, disassemble(made), strict=True)
    said = {text.split()[0]: sentence(instruction, text) for instruction, text in listed}
    assert said["ex2.approx.f32"].endswith(" becomes 2^x, approximately")
    assert said["div.approx.f32"].endswith(" becomes x / y, approximately")
    assert said["rsqrt.approx.f32"].endswith(" becomes 1 / √y, approximately")
