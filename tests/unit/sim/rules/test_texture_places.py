"""Texels, levels and bounds of textures, by hand from the rules in the docstrings of ``texture_places``."""

from __future__ import annotations

import math

import pytest

from warpview.isa.textures import DESCRIPTOR_BYTES, MOST_LEVELS, OFFSETS
from warpview.sim.rules import texture_places as places

DATA_AT = 4096


class Memory:
    """Hold a descriptor, and its levels one after the other, from address 0 on."""

    def __init__(self, *levels: dict[str, int]) -> None:
        self.words = {
            level * DESCRIPTOR_BYTES + OFFSETS[name]: value
            for level, fields in enumerate(levels)
            for name, value in fields.items()
        }

    def read(self, address: int, size: int) -> int:
        return self.words.get(address, 0) & (1 << 8 * size) - 1


SOUND = {
    "data": DATA_AT, "width": 10, "height": 4, "depth": 3, "pitch": 64, "slice": 256, "components": 2,
    "format": places.F16, "texel_bytes": 4, "levels": 2, "told_height": 4, "told_depth": 0,
}  # fmt: skip


def test_a_descriptor_is_taken_up_to_its_bounds_and_not_beyond() -> None:
    assert places.is_sound(Memory(SOUND), 0)
    assert places.is_sound(Memory(SOUND | {"format": places.F32, "components": 4, "texel_bytes": 16}), 0)
    for name, most in (
        ("width", 1 << 28), ("height", 1 << 17), ("depth", 1 << 14), ("levels", MOST_LEVELS),
        ("addressing_x", places.BORDER),
    ):  # fmt: skip
        assert places.is_sound(Memory(SOUND | {name: most}), 0), name
        assert not places.is_sound(Memory(SOUND | {name: most + 1}), 0), name
    for wrong in (
        {"width": 0}, {"height": 0}, {"depth": 0}, {"levels": 0}, {"addressing_x": -1}, {"addressing_y": 4},
        {"components": 3, "texel_bytes": 6}, {"texel_bytes": 8}, {"format": 7},
    ):  # fmt: skip
        assert not places.is_sound(Memory(SOUND | wrong), 0), wrong


def test_the_end_lies_behind_the_last_row_of_the_last_slice() -> None:
    assert places.end_of(Memory(SOUND), 0) == DATA_AT + 2 * 256 + 3 * 64 + 10 * 4


@pytest.mark.parametrize(("level", "told"), [(-1, (0, 0, 0)), (0, (10, 4, 0)), (1, (5, 2, 0)), (2, (0, 0, 0))])
def test_a_query_tells_the_extents_of_each_level_that_there_is(level: int, told: tuple[int, int, int]) -> None:
    memory = Memory(SOUND, SOUND | {"width": 5, "told_height": 2}, SOUND | {"width": 99, "told_height": 99})
    assert tuple(places.told(memory, 0, level, component) for component in range(3)) == told


@pytest.mark.parametrize(
    ("addressing", "texels"),
    [
        (places.WRAP, [1, 2, 0, 1, 2, 0, 1]),
        (places.CLAMP, [0, 0, 0, 1, 2, 2, 2]),
        (places.MIRROR, [1, 0, 0, 1, 2, 2, 1]),
        (places.BORDER, [-1, -1, 0, 1, 2, -1, -1]),
    ],
)
def test_what_stands_outside_three_texels(addressing: int, texels: list[int]) -> None:
    assert [places.addressed(index, 3, addressing) for index in range(-2, 5)] == texels


@pytest.mark.parametrize(
    ("level", "found"),
    [
        (1.5, 384), (0.9999, 255), (-0.9999, -255), (-0.25, -64), (math.nan, 0),
        (1000.0, 256 * MOST_LEVELS), (-1000.0, -256 * MOST_LEVELS),
    ],
)  # fmt: skip
def test_a_level_is_cut_toward_zero(level: float, found: int) -> None:
    assert places.in_256ths(level) == found


@pytest.mark.parametrize(
    ("between", "asked", "found"),
    [
        (1, 300, 332),  # with a bias of 32
        (1, -300, 64), (1, 5000, 700),  # the least and the most of the texture
        (0, 300, 256), (0, 352, 512),  # 332 and 384: the nearest level, of two as near the coarser one
    ],
)  # fmt: skip
def test_the_level_that_is_read_is_one_that_the_texture_has(between: int, asked: int, found: int) -> None:
    memory = Memory({"levels": 4, "bias": 32, "least_level": 64, "most_level": 700, "is_between_levels": between})
    assert places.level_within(memory, 0, asked) == found
    small = Memory({"levels": 2, "bias": -512, "least_level": -900, "most_level": 700, "is_between_levels": between})
    assert places.level_within(small, 0, 2000) == 256  # that of its last level
    assert places.level_within(small, 0, 100) == 0


def test_about_the_length_of_a_vector() -> None:
    assert places.length(3.0, 0.0, 0.0) == 3.0
    assert places.length(-1.0, 3.0, 2.0) == 3.0 + 2.0 * 11 / 32 + 1.0 / 4


@pytest.mark.parametrize(
    ("across", "down", "level"),
    [
        ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), 0),
        ((2.0, 0.0, 0.0), (0.0, 0.0, 0.0), 256),
        ((0.0, 0.0, 0.0), (0.0, 0.5, 0.0), -256),
        ((3.0, 0.0, 0.0), (0.0, 0.0, 0.0), 406),  # 256 (1 + log2(1 + 128.5 / 256)) = 406.2
        ((1.00390625, 0.0, 0.0), (0.0, 0.0, 0.0), 2),  # 256 log2(1 + 1.5 / 256) = 2.2
        ((1.0, 0.0, 0.0), (1.0, 0.0, 0.0), 118),  # both along x: 11/16 of 2, 256 log2(1 + 96.5 / 256) = 118.1
        ((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), 118),
        ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), -256 * MOST_LEVELS),
        ((16777216.0, 0.0, 0.0), (0.0, 0.0, 0.0), 256 * MOST_LEVELS),
        ((math.nan, 0.0, 0.0), (0.0, 0.0, 0.0), -256 * MOST_LEVELS),
    ],
)
def test_the_level_by_gradients(
    across: tuple[float, float, float], down: tuple[float, float, float], level: int
) -> None:
    assert places.level_of_gradients(across, down) == level


TEXTURE = {"width": 8, "height": 4, "addressing_x": places.CLAMP, "addressing_y": places.WRAP}


@pytest.mark.parametrize(
    ("axis", "x", "is_between", "offset", "found"),
    [
        (0, 2.5, 0, 0, (2, 3, 0)), (0, 2.5, 1, 0, (2, 3, 0)),  # a texel's middle
        (0, 2.75, 1, 0, (2, 3, 64)), (0, 2.75, 1, 3, (5, 6, 64)), (0, 2.75, 0, 3, (5, 6, 0)),
        (0, -1.0, 1, 0, (0, 0, 0)), (0, 9.25, 1, 0, (7, 7, 0)),  # outside there is one texel alone
        (0, 0.25, 1, 0, (0, 0, 0)), (0, math.nan, 0, 0, (0, 1, 0)),
        (1, 3.75, 1, 0, (3, 0, 64)), (1, -0.25, 0, 0, (3, 0, 0)), (1, 0.25, 1, 0, (3, 0, 192)),
    ],
)  # fmt: skip
def test_the_texels_of_an_axis(axis: int, x: float, is_between: int, offset: int, found: tuple[int, int, int]) -> None:
    assert places.along_axis(Memory(TEXTURE), 0, axis, x, is_between, 0, offset) == found


def test_a_coordinate_may_be_a_share_of_the_texture() -> None:
    asked = 0, 0, 0.78125, 1  # of eight texels 6.25
    normalised = Memory(TEXTURE | {"is_normalized": 1})
    assert places.along_axis(normalised, *asked, 0, 0) == (5, 6, 192)
    assert places.along_axis(Memory(TEXTURE), *asked, 1, 0) == (5, 6, 192)
    assert places.along_axis(Memory(TEXTURE), *asked, 0, 0) == (0, 1, 72)


def test_offsets_have_a_byte_four_bits_or_of_a_gather_six() -> None:
    def offsets(packed: int) -> list[int]:
        return [places.offset_of(packed, axis) for axis in range(3)]

    assert offsets(0x7F80FF) == [-1, -128, 127]
    assert offsets(places.unpacked(0x8F7, places.ELEMENT)) == [7, -1, -8]
    assert offsets(places.unpacked(0x1F203F, places.GATHER)) == [-1, -32, 31]


@pytest.mark.parametrize(
    ("direction", "face", "across", "down"),
    [
        ((2.0, 1.0, -1.0), 0, 0.75, 0.25), ((-2.0, 1.0, 1.0), 1, 0.75, 0.25), ((1.0, 2.0, 1.0), 2, 0.75, 0.75),
        ((1.0, -2.0, 1.0), 3, 0.75, 0.25), ((1.0, -1.0, 2.0), 4, 0.75, 0.75), ((1.0, 1.0, -2.0), 5, 0.25, 0.25),
        ((1.0, 1.0, 1.0), 0, 0.0, 0.0), ((0.0, 1.0, 1.0), 2, 0.5, 1.0),  # of axes as long as one another the first
    ],
)  # fmt: skip
def test_the_face_of_a_cube(direction: tuple[float, float, float], face: int, across: float, down: float) -> None:
    assert places.on_cube(*direction) == (face, across, down)


def test_no_direction_leads_to_no_place_of_a_face() -> None:
    face, across, down = places.on_cube(0.0, 0.0, 0.0)
    assert face == 0
    assert math.isnan(across)
    assert math.isnan(down)


@pytest.mark.parametrize(("element", "texel"), [(0, 0), (9, 9), (10, -1), (-1, -1)])
def test_an_element_of_linear_memory(element: int, texel: int) -> None:
    assert places.element_place(Memory(SOUND), 0, element) == (texel, texel, 0, 0, 0, 0, 0, 0, 0)
