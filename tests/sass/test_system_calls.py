"""Machine code calls functions of the driver: printf, failed assertions, traps; others are refused by their name."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview.diagnostics import SourceText
from warpview.isa.print_format import argument_types
from warpview.isa.types import Type
from warpview.sass import nvrtc

sys.path.insert(0, str(Path(__file__).parent))
from engines import RARE, probe

needs_nvrtc = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")


def test_printf_gives_the_text_that_the_hardware_gives() -> None:
    case = probe("r_print")
    run = wv.simulate(case.program, case.grid, case.block, list(case.arguments), device="h200")
    assert "".join(run.output) == "".join(RARE["printed"])
    # printf gives the number of its values; a thread without a value prints too.
    assert np.asarray(run.buffers["arg0"])[:4].tolist() == RARE["r_print"][:4].tolist()


@pytest.mark.parametrize(
    ("template", "types"),
    [
        ("", ()),
        ("%% %d %5u %-8.3f %s\n", (Type.S32, Type.U32, Type.F64, Type.U64)),
        ("%lld %llx %zu %hhd %c %p %e", (Type.S64, Type.U64, Type.U64, Type.S32, Type.U32, Type.U64, Type.F64)),
        ("%*d %-*s", (Type.S32, Type.S32, Type.S32, Type.U64)),
    ],
)
def test_a_format_tells_the_types_of_its_arguments(template: str, types: tuple[Type, ...]) -> None:
    assert argument_types(template) == types


SOURCE = """
#include <cstdio>
#include <cassert>
__global__ void talk(const int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && a[i] > 4)
        printf("a[%d] = %d, half of it %.1f, %s\\n", i, a[i], a[i] / 2.0f, "large");
    assert(a[i] < 90);
    if (a[i] < 0)
        __trap();
}
"""
VALUES = np.array([1, 7, 3, 9, *[0] * 60], np.int32)


@needs_nvrtc
@pytest.mark.parametrize("device", ["h200", "rtx2080", "a100"])
@pytest.mark.parametrize("engine", ["profile", "sm"])
def test_output_is_that_of_the_kernel_as_written(device: str, engine: str) -> None:
    texts = []
    for compiler in ("warpview", "nvrtc"):
        program = wv.compile(SOURCE, compiler=compiler, device=device)
        texts.append(wv.simulate(program, 2, 32, [VALUES, 64], device=device, engine=engine).output)
    assert texts[0] == texts[1]
    assert texts[1] == ("a[1] = 7, half of it 3.5, large\n", "a[3] = 9, half of it 4.5, large\n")


# The second call takes its function from the place that the first one moved to a register, before the branch between
# them; behind a third one the register has something else.
ON_SEVERAL_WAYS = """
#include <cstdio>
__global__ void several(const float *a)
{
    int i = threadIdx.x;
    printf("%d %5.2f\\n", i, a[i]);
    if (i % 3 == 0)
        printf("%s %x %f\\n", i & 1 ? "odd" : "even", i, a[i]);
    else if (i % 3 == 1)
        printf("text\\n");
    for (int k = 0; k < i % 4; k++)
        printf("%d/%d %g\\n", k, i, a[i]);
}
"""


@needs_nvrtc
def test_the_function_of_a_call_may_be_known_from_before_a_branch() -> None:
    runs = [
        wv.simulate(wv.compile(ON_SEVERAL_WAYS, compiler=compiler, device="h200"), 1, 7, [np.arange(7.0, dtype="f4")])
        for compiler in ("warpview", "nvrtc")
    ]
    assert sorted(runs[0].output) == sorted(runs[1].output)
    assert len(runs[1].output) == 7 + 3 + 2 + 9


@needs_nvrtc
@pytest.mark.parametrize(("value", "text"), [(95, "a[i] < 90"), (-1, "__trap()")])
def test_a_failed_assertion_and_a_trap_are_findings(value: int, text: str) -> None:
    program = wv.compile(SOURCE, compiler="nvrtc", device="h200")
    run = wv.simulate(program, 2, 32, [np.where(np.arange(64) == 40, value, VALUES), 64], device="h200")
    finding = next(f for f in run.findings if f.kind == "assertion")
    assert text in finding.message
    assert finding.block, finding.thread == ((1, 0, 0), (8, 0, 0))


@needs_nvrtc
@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('printf(o[0] ? "%d\\n" : "%u\\n", 5);', "a format that is not a constant"),
        ('printf("%.*f\\n", 5, 6.0);', "a precision from its arguments"),
        ('printf("%5000d\\n", 5);', "a width of more than 4096"),
    ],
)
def test_what_is_not_known_is_refused_with_its_line(body: str, message: str) -> None:
    source = f"#include <cstdio>\n__global__ void f(long long *o)\n{{\n    {body}\n}}\n"
    with pytest.raises(wv.CompileError, match=message) as caught:
        wv.compile(source, compiler="nvrtc", device="h200")
    assert caught.value.diagnostics[0].span is not None
    assert caught.value.diagnostics[0].span.line == 4


NAMED = """
__global__ void halves(int *out)
{
    __shared__ int s[128];
    int i = threadIdx.x;
    s[i] = i * i;
    if (i < 64) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[i] = s[63 - i];
        asm volatile("bar.arrive 2, 128;" ::: "memory");
    } else {
        asm volatile("bar.sync 2, 128;" ::: "memory");
        out[i] = s[i - 64];
    }
}
"""


@needs_nvrtc
@pytest.mark.parametrize("engine", ["profile", "sm"])
def test_barriers_with_a_number_hold_back_as_many_threads_as_they_name(engine: str) -> None:
    program = wv.compile(NAMED, compiler="nvrtc", device="h200")
    run = wv.simulate(program, 1, 128, [np.zeros(128, np.int32)], device="h200", engine=engine)
    i = np.arange(64)
    assert np.asarray(run.buffers["out"]).tolist() == [*((63 - i) ** 2), *(i**2)]
    assert run.findings == ()


@needs_nvrtc
def test_a_barrier_of_too_few_threads_is_found() -> None:
    program = wv.compile(NAMED.replace("bar.arrive 2, 128", "bar.arrive 3, 128"), compiler="nvrtc", device="h200")
    run = wv.simulate(program, 1, 128, [np.zeros(128, np.int32)], device="h200")
    assert run.aborted
    assert any(f.kind == "barrier cannot complete" for f in run.findings)


@needs_nvrtc
def test_a_call_of_another_function_of_the_driver_is_refused_by_its_name(tmp_path: Path) -> None:
    source = 'extern "C" __global__ void f(long long *o) { o[0] = (long long)malloc(o[1]); }'
    cubin = tmp_path / "allocating.cubin"
    cubin.write_bytes(nvrtc.compile_source(SourceText("allocating.cu", source), 90).cubin)
    with pytest.raises(wv.CompileError, match="a call of malloc is not supported"):
        wv.compile(cubin, kernel="f")
