"""Every change of a tree of views leaves a tree, and what is none is refused."""

from __future__ import annotations

import json
import runpy
from itertools import product

import msgspec
import pytest

from warpview.ui import view_list
from warpview.ui.arranging import default_layouts
from warpview.ui.arranging.arrangement import (
    LayoutNode,
    keys,
    placed,
    read_trees,
    shown_again,
    swapped,
    without,
)
from warpview.ui.arranging.default_layouts import ARRANGEMENTS, NARROW, WIDE
from warpview.ui.views.view import View

ALL = sorted(keys(WIDE))
SIMPLE = LayoutNode(
    "h", ("source", LayoutNode("v", ("lanes", LayoutNode("tabs", ("shared", "global"), (1, 1))), (30, 70))), (40, 60)
)


def text(value: object) -> str:
    return msgspec.json.encode(value).decode()


@pytest.mark.parametrize("name", ["wide", "narrow", "small"])
def test_the_first_arrangements_have_every_view_once(name: str) -> None:
    assert sorted(keys(ARRANGEMENTS[name])) == ALL


def test_a_view_that_is_new_has_its_places_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row in the list of views is all that it needs."""

    class NewView(View):
        key = "new"

    monkeypatch.setattr(view_list, "VIEWS", (*view_list.VIEWS, NewView))
    made = runpy.run_path(default_layouts.__file__)["ARRANGEMENTS"]
    for name, tree in ARRANGEMENTS.items():
        assert set(keys(made[name])) == {*keys(tree), "new"}


def test_a_box_with_one_part_gives_way() -> None:
    assert without(SIMPLE, {"lanes"}) == LayoutNode(
        "h", ("source", LayoutNode("tabs", ("shared", "global"), (1, 1))), (400, 600)
    )
    assert without(SIMPLE, {"shared", "global"}).parts[1] == "lanes" or "lanes" in keys(SIMPLE)
    alone = without(SIMPLE, {"lanes", "shared", "global"})
    assert list(keys(alone)) == ["source"]


def test_what_follows_in_one_direction_is_one_box() -> None:
    found = placed(SIMPLE, "global", "lanes", "below")
    assert found == LayoutNode(
        "h", ("source", LayoutNode("v", ("lanes", "global", "shared"), (150, 150, 700))), (400, 600)
    )


@pytest.mark.parametrize("side", ["left", "right", "above", "below", "tabs"])
def test_moving_loses_no_view(side: str) -> None:
    for key, at in product(ALL, ALL):
        found = placed(NARROW, key, at, side)  # type: ignore[arg-type]
        assert sorted(keys(found)) == ALL, (key, at)
        assert read_trees(text({"one": found}), ALL) == {"one": found}, (key, at)


def test_sides() -> None:
    assert list(keys(placed(SIMPLE, "source", "lanes", "above"))) == ["source", "lanes", "shared", "global"]
    assert list(keys(placed(SIMPLE, "source", "lanes", "below"))) == ["lanes", "source", "shared", "global"]
    tabs = LayoutNode("tabs", ("shared", "source", "global"), (1, 1, 1))
    assert placed(SIMPLE, "source", "shared", "tabs").parts[1] == tabs
    assert list(keys(swapped(SIMPLE, "source", "global"))) == ["global", "lanes", "shared", "source"]


@pytest.mark.parametrize("name", ["wide", "narrow", "small"])
@pytest.mark.parametrize("key", ALL)
def test_a_view_comes_back_to_its_neighbours(name: str, key: str) -> None:
    first = ARRANGEMENTS[name]
    back = shown_again(without(first, {key}), key, first)
    assert sorted(keys(back)) == ALL
    alone = shown_again(LayoutNode("v", ("lanes",), (1,)), "shared", first)
    assert sorted(keys(alone)) == ["lanes", "shared"]


def test_sizes_stay_small_however_often_one_moves() -> None:
    tree = WIDE
    for n in range(200):
        tree = placed(tree, ALL[n % 10], ALL[(3 * n + 1) % 10], ("left", "below", "tabs", "right")[n % 4])  # type: ignore[arg-type]
    assert len(text(tree)) < 1000
    assert sorted(keys(tree)) == ALL


@pytest.mark.parametrize(
    "value",
    [None, 3, "nobody", [], ["h", [], []], ["h", ["lanes"], [0]], ["h", ["lanes"], [10**12]],
     ["x", ["lanes"], [1]], ["h", ["lanes"], ["1"]],
     ["h", ["lanes", "lanes"], [1, 1]], ["tabs", [["h", ["lanes"], [1]]], [1]], ["h", ["lanes"], [1, 1]],
     ["h", [["v"]], [1]], [[1, 2]]],
)  # fmt: skip
def test_what_is_no_arrangement(value: object) -> None:
    """It is left out, and what stands beside it is not."""
    assert read_trees(json.dumps({"first": value, "wide": msgspec.to_builtins(WIDE)}), ALL) == {"wide": WIDE}
