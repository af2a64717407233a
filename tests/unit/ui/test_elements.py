from dataclasses import replace
from types import SimpleNamespace

import pytest

from warpview.diagnostics import WarpviewError
from warpview.isa.types import Space
from warpview.ui.moving.elements import MemoryArray, find_element, same_in


@pytest.fixture
def run(scenes):
    return scenes().run


def test_an_element_is_found_by_its_name(run):
    element = find_element(run, 1, " sdata[ 3 ] ")
    assert (element.space, element.address, element.size, element.block) == (Space.SHARED, 12, 4, 1)
    assert element.words == "sdata[3] of block 1"
    element = find_element(run, 0, "in[17]")
    assert (element.space, element.address, element.block, element.words) == (
        Space.GLOBAL,
        run.allocations[0].base + 68,
        -1,
        "in[17]",
    )


def test_a_wrong_name_says_what_there_is(run):
    with pytest.raises(WarpviewError, match=r"no 'foo\[1\]'; there are sdata\[128\], in\[256\], out\[2\]"):
        find_element(run, 0, "foo[1]")
    with pytest.raises(WarpviewError, match=r"'out\[2\]' is not an element of out\[2\]"):
        find_element(run, 0, "out[2]")
    with pytest.raises(WarpviewError, match="there are"):
        find_element(run, 0, "")


def test_arrays_of_two_dimensions():
    tile = MemoryArray("tile", Space.SHARED, 64, 4, (32, 33), None, 0)
    assert tile.element(2 * 33 + 4).name == "tile[2][4]"
    assert tile.index([2, 4]) == 70
    assert tile.index([70]) == 70
    assert tile.index([2, 33]) is None
    assert tile.index([1, 2, 3]) is None
    assert tile.declared == "tile[32][33]"
    matrix = MemoryArray("m", Space.GLOBAL, 0, 4, (8, 8), None)
    assert matrix.index([1, 1]) == 9
    assert matrix.element(9).name == "m[9]"


def test_a_buffer_has_the_shape_it_was_passed_in(run):
    square = replace(run, shapes={"in": (16, 16)})
    assert find_element(square, 0, "in[2][1]").address == run.allocations[0].base + 4 * 33


def test_the_same_element_in_another_run(run, scenes):
    other = scenes("strided").run
    element = find_element(run, 1, "sdata[3]")
    assert same_in(other, element) == element
    assert same_in(other, None) is None
    program = SimpleNamespace(variables=(), params=())
    bare = SimpleNamespace(program=program, launch=other.launch, allocations=(), shapes={})
    assert same_in(bare, element) is None
