"""printf formats give what C gives."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.devices import load_device
from warpview.sass import nvrtc
from warpview.sim.arguments.binding import bind
from warpview.sim.printf import format_print
from warpview.sim.reference import run_reference

needs_nvrtc = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")


@pytest.mark.parametrize(
    ("template", "values", "text"),
    [
        ("%d of %d", (3, -4), "3 of -4"),
        ("%5.2f|%-6d|", (1.005, 7), " 1.00|7     |"),
        ("%u %x", (-1, -1), "4294967295 ffffffff"),
        ("%lld %llu", (-1, -(1 << 40)), f"-1 {(1 << 64) - (1 << 40)}"),
        ("%c%%", (65,), "A%"),
        ("%p", (255,), "0xff"),
        ("%s", ("name",), "name"),
        ("%d", (), "?"),
        ("%e", (12.5,), "1.250000e+01"),
        ("%a %a %a", (1.0, -10.0, 0.0), "0x1p+0 -0x1.4p+3 0x0p+0"),
        ("%*d|%*d|%-*d|%0*x", (6, 5, -6, 5, 4, 7, 5, 255), "     5|5     |7   |000ff"),
        ("%*d", (1 << 40, 5), f"{5:4096d}"),
        ("%.f|%.d|%5.d|%.3d", (1.2345, 0, 0, 7), "1||     |007"),
        ("%hhd|%hhu|%hd|%hx", (300, 300, 70000, -1), "44|44|4464|ffff"),
        ("%hs", ("name",), "name"),
        ("[%6s] [%-6s] [%.2s]", ("name", "name", "name"), "[  name] [name  ] [na]"),
    ],
)
def test_formats(template: str, values: tuple[int | float | str, ...], text: str) -> None:
    assert format_print(template, values) == text


CHOSEN = """
__device__ const char *name(int i) { if (i == 0) return "zero"; return i == 1 ? "one" : "many"; }
__global__ void k(int *x) {
    const char *table[2] = {"even", "odd"};
    printf("%s, %s", name(threadIdx.x), table[x[threadIdx.x] % 2]);
}
"""
CHANGED = """
__global__ void k(char *global) {
    __shared__ char shared[8];
    char local[8];
    int i = threadIdx.x;
    for (int k = 0; k < 2; ++k) {
        global[0] = shared[0] = local[0] = 'a' + k;
        global[1] = shared[1] = local[1] = 'x';
        global[2 + k] = shared[2 + k] = local[2 + k] = 0;
        if (i == 0)
            printf("%d: %s %s %4s|%-3s|%s", k, global, shared, local, local + 1, (const char *)0);
        global[2] = shared[2] = local[2] = '!';
    }
}
"""


@pytest.mark.parametrize("engine", ["profile", "sm"])
def test_strings_may_be_chosen_by_each_thread(engine: str) -> None:
    run = wv.simulate(wv.compile(CHOSEN, kernel="k"), 1, 3, [np.array([4, 5, 7], np.int32)], engine=engine)
    assert run.output == ("zero, even", "one, odd", "many, odd")


WIDTHS = r"""
__global__ void k(int wide, int narrow, const char *text)
{
    printf("%*d|%*d|%-*d", 6, 5, -6, 5, 4, 7);
    printf("%*s|%*c|%d", 6, text, 3, 'x', 42);
    printf("%*d|%*d", wide, 5, narrow, 6);
    printf("%*lld|%d", 8, 123456789012ll, 5);
    printf("%.f|%.d|%5.d|%#x|%hhd", 1.2345f, 0, 0, 255, 300);
}
"""
# As an H200 prints them (driver 580.159.04, CUDA 13.0).
WITH_WIDTHS = ("     5|5     |7   ", "   abc|  x|42", "      5|6      ", "123456789012|5", "1||     |0xff|44")


@pytest.mark.parametrize("compiler", ["warpview", pytest.param("nvrtc", marks=needs_nvrtc)])
def test_widths_come_from_arguments(compiler: str) -> None:
    program = wv.compile(WIDTHS, compiler=compiler)
    assert wv.simulate(program, 1, 1, [7, -7, np.frombuffer(b"abc\0", np.int8)]).output == WITH_WIDTHS


# As an H200 prints it (driver 580.159.04, CUDA 13.0).
PRINTED = ("0: ax ax   ax|x  |(null)", "1: bx! bx!  bx!|x! |(null)")


@pytest.mark.parametrize("engine", ["profile", "sm"])
@pytest.mark.parametrize("compiler", ["warpview", pytest.param("nvrtc", marks=needs_nvrtc)])
def test_a_string_is_printed_as_it_is_at_the_call(engine: str, compiler: str) -> None:
    program = wv.compile(CHANGED, compiler=compiler)
    assert wv.simulate(program, 1, 1, [np.zeros(8, np.uint8)], engine=engine).output == PRINTED
    binding = bind(program, (1, 1, 1), (1, 1, 1), [np.zeros(8, np.uint8)], 0)
    printed = run_reference(program, load_device("h200"), binding.launch, binding.memory).printed
    assert tuple(format_print(program.prints[index].format, values) for index, _, _, values in printed) == PRINTED
