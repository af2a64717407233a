"""Arrays become images on real runs: shapes, values, tiles of blocks, halos, padding, and a step's accesses."""

import numpy as np
import pytest

from warpview.isa.ops import Op
from warpview.isa.types import Space, Type
from warpview.ui.moving.elements import MemoryArray, find_element
from warpview.ui.views.arrays.arrays_model import MOST_ELEMENTS, TileCache, hover, padded_from, pictures, shape_of
from warpview.ui.views.arrays.block_tiles import Region
from warpview.ui.views.arrays.colouring import HUES, NOTHING


class Accesses:
    """Hold the histories of a run's arrays, all of them at hand."""

    def __init__(self, run):
        self._log = run.trace.gather()
        self._kept = {}

    def history(self, extent):
        if extent not in self._kept:
            self._kept[extent] = self._log.history(extent)
        return self._kept[extent]

    def refuses(self, extent):
        return False


@pytest.fixture(scope="module")
def known(real):
    kept = {}

    def make(scenes):
        if id(scenes) not in kept:
            kept[id(scenes)] = Accesses(scenes.run), TileCache(scenes.run.program)
        return kept[id(scenes)]

    return make


def shown(scenes, context, known):
    accesses, cache = known(scenes)
    context = type(context)(context.run, context.frame, context.selection, context.predicting, accesses)
    return {p.array.name: p for p in pictures(context, cache)}, context


def test_the_tile_moves_along_a_row_of_a_and_down_a_column_of_b(real, known):
    scenes = real("matmul/tiled", "h200")
    loads = [
        s
        for s in range(1, scenes.run.trace.steps + 1)
        if (e := scenes.run.trace.event(s)).block == 0
        and (i := scenes.run.program.instructions[e.pc]).op is Op.LD
        and i.space is Space.GLOBAL
    ]
    tiles = {"A": [], "B": [], "C": []}
    for step in loads:
        event = scenes.run.trace.event(step)
        found, _ = shown(scenes, scenes.at(step, block=0, warp=event.warp), known)
        for name, kept in tiles.items():
            if found[name].tile not in kept:
                kept.append(found[name].tile)
    assert tiles["A"] == [Region(0, 0, 16, 16), Region(0, 16, 16, 32)]
    assert tiles["B"] == [Region(0, 0, 16, 16), Region(16, 0, 32, 16)]
    assert tiles["C"] == [Region(0, 0, 16, 16)]
    assert found["A"].span == Region(0, 0, 16, 32)
    assert found["a"].array.declared == "a[16][16]"
    assert list(found) == ["A", "B", "C", "a", "b"]


def test_what_a_stencil_reads_beyond_its_tile_is_the_halo(real, known):
    scenes = real("stencil/five_point_tiled", "h200")
    context = scenes.where(lambda i, e: i.op is Op.LD and i.space is Space.GLOBAL)
    found, _ = shown(scenes, context, known)
    assert found["out"].tile == Region(1, 1, 16, 16)  # the threads at the edge of the array write nothing
    assert found["in"].tile == Region(0, 0, 16, 16)  # but load an element each
    assert found["in"].halo == Region(0, 0, 17, 17)
    assert found["out"].halo is None


def test_what_no_thread_loads_for_itself_is_the_halo(real, known):
    scenes = real("stencil/five_point", "h200")
    context = scenes.where(lambda i, e: i.op is Op.LD and i.space is Space.GLOBAL)
    found, _ = shown(scenes, context, known)
    assert found["in"].tile == found["out"].tile == Region(1, 1, 16, 16)
    assert found["in"].halo == Region(0, 0, 17, 17)


def test_values_are_those_of_the_run(real, known):
    scenes = real("transpose/tile_32", "8800gtx")
    found, context = shown(scenes, scenes.at(scenes.run.trace.steps), known)
    assert np.array_equal(found["in"].values, np.arange(64 * 64, dtype=np.float32).reshape(64, 64))
    assert found["in"].levels == (0.0, 4095.0)
    assert found["in"].text(1, 2) == "66"
    assert found["in"].texts(0, 2, 0, 3) == [["0", "1", "2"], ["64", "65", "66"]]
    assert hover(context, found["in"], 66).startswith("in[66] (row 1, column 2) = 66\n")


def test_a_step_outlines_what_it_accesses_and_a_guess_does_not(real, known):
    scenes = real("histogram/global", "h200")
    context = scenes.where(lambda i, e: i.op in (Op.RED, Op.ATOM))
    found, _ = shown(scenes, context, known)
    at = context.frame.addresses.address
    assert found["bins"].accessed == tuple(sorted(set(((at - found["bins"].array.base) // 4).tolist())))
    assert found["values"].accessed == ()
    guess = scenes.at(context.frame.step, predicting=True, block=context.selection.block)
    hidden, _ = shown(scenes, guess, known)
    assert hidden["bins"].accessed == ()
    assert not np.array_equal(hidden["bins"].values, found["bins"].values)


def test_the_padding_column_is_known_and_never_written(real, known):
    scenes = real("transpose/padded_16", "8800gtx")
    context = scenes.where(lambda i, e: i.op is Op.LD and i.space is Space.SHARED)
    found, context = shown(scenes, context, known)
    tile = found["tile"]
    assert tile.padding == 16
    assert tile.known[:, :16].any()
    assert not tile.known[:, 16].any()
    assert "padding" in hover(context, tile, 16)
    assert [padded_from(dims) for dims in ((16, 16), (18, 18), (129,), (32, 33))] == [None, None, None, 32]


@pytest.mark.parametrize(("key", "least"), [("warp", 0), ("time", HUES), ("passes", HUES)])
def test_accesses_give_the_colours(real, known, key, least):
    scenes = real("transpose/tile_32", "8800gtx")
    context = scenes.at(scenes.run.trace.steps, colours=key)
    found, _ = shown(scenes, context, known)
    tints = found["out"].tints
    assert tints.shape == (64, 64)
    assert tints.min() >= least
    assert len(np.unique(tints)) > 1 if key != "passes" else True


def test_uncoalesced_stores_have_darker_wavefronts(real, known):
    found = {}
    for variant in ("transpose/naive_16", "transpose/tile_16"):
        scenes = real(variant, "8800gtx")
        pictures_, _ = shown(scenes, scenes.at(scenes.run.trace.steps, colours="passes"), known)
        tints = pictures_["out"].tints
        found[variant] = int(tints[tints != NOTHING].max())
    assert found["transpose/naive_16"] > found["transpose/tile_16"]


@pytest.mark.parametrize(
    ("dims", "shape"),
    [
        ((64, 48), (64, 48)), ((20,), (1, 20)), ((512,), (16, 32)), ((4096,), (32, 128)),
        ((2, 1000), (2, 1000)), ((1, 32768), (128, 256)), ((4096, 8), (128, 256)), ((512, 512), (512, 512)),
    ],
)  # fmt: skip
def test_arrays_are_folded_sensibly(dims, shape):
    found = shape_of(MemoryArray("a", Space.GLOBAL, 0, 4, dims, Type.F32))
    assert (found.rows, found.columns) == shape
    assert found.index(*found.place(17)) == 17
    assert found.index(found.rows, 0) is None


def test_of_a_very_long_array_the_part_around_the_access_is_shown():
    array = MemoryArray("a", Space.GLOBAL, 0, 4, (1 << 24,), Type.F32)
    found = shape_of(array, focus=9_000_000)
    assert found.count <= MOST_ELEMENTS
    assert found.place(9_000_000) is not None
    assert shape_of(array).first == 0
    assert (found.rows, found.columns) == (256, 1024)  # about as many as a view has pixels


def test_the_selected_element_is_found_in_its_array(real, known):
    scenes = real("transpose/tile_32", "8800gtx")
    element = find_element(scenes.run, 0, "in[130]")
    found, _ = shown(scenes, scenes.at(5, element=element), known)
    assert found["in"].selected == 130
    assert found["out"].selected is None
