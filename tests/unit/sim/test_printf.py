"""printf formats give what C gives."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.sim.printf import format_print


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
        ("[%6s] [%-6s] [%.2s]", ("name", "name", "name"), "[  name] [name  ] [na]"),
    ],
)
def test_formats(template: str, values: tuple[int | float | str, ...], text: str) -> None:
    assert format_print(template, values) == text


CHOSEN = """
__device__ const char *name(int i) { if (i == 0) return "zero"; return i == 1 ? "one" : "many"; }
__global__ void k(int *x) {
    __shared__ char shared[4];
    shared[0] = 'a', shared[1] = 0;
    const char *table[2] = {"even", "odd"};
    printf("%s, %s, %s", name(threadIdx.x), table[x[threadIdx.x] % 2], shared);
}
"""


@pytest.mark.parametrize("engine", ["profile", "sm"])
def test_strings_may_be_chosen_by_each_thread(engine: str) -> None:
    run = wv.simulate(wv.compile(CHOSEN, kernel="k"), 1, 3, [np.array([4, 5, 7], np.int32)], engine=engine)
    # What lay in shared memory is gone when the text is made.
    assert run.output == ("zero, even, ?", "one, odd, ?", "many, odd, ?")
