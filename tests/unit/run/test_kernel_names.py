"""Name the kernels of a file, and find the one that is asked for."""

from __future__ import annotations

import pytest

from warpview.diagnostics import WarpviewError
from warpview.run.kernel_names import choose_kernel, shown_names

SUM, SUM_OF_FLOATS, SCALE = "_Z3sumPi", "_Z3sumPf", "_Z5scaleILi3EEvPf"


def test_kernels_are_shown_demangled_unless_two_would_be_the_same() -> None:
    assert shown_names([SUM, SCALE]) == {"sum": SUM, "scale<3>": SCALE}
    assert shown_names([SUM, SUM_OF_FLOATS]) == {SUM: SUM, SUM_OF_FLOATS: SUM_OF_FLOATS}


@pytest.mark.parametrize("wanted", [SCALE, "scale<3>", "scale< 3 >", "scale"])
def test_a_kernel_is_found_by_each_of_its_names(wanted: str) -> None:
    assert choose_kernel("k.ptx", shown_names([SUM, SCALE]), wanted) == SCALE


def test_the_only_kernel_need_not_be_named() -> None:
    assert choose_kernel("k.ptx", shown_names([SUM]), None) == SUM


@pytest.mark.parametrize(
    ("names", "wanted", "message"),
    [
        ([SUM, SCALE], None, r"k.ptx: name the kernel to load \(there are: sum, scale<3>\)"),
        ([], None, r"k.ptx: name the kernel to load \(there are: none\)"),
        ([SUM], "max", r"k.ptx has no kernel 'max' \(there are: sum\)"),
        ([SUM, SUM_OF_FLOATS], "sum", "has no kernel 'sum'"),
    ],
)
def test_a_kernel_that_cannot_be_told_is_refused(names: list[str], wanted: str | None, message: str) -> None:
    with pytest.raises(WarpviewError, match=message):
        choose_kernel("k.ptx", shown_names(names), wanted)
