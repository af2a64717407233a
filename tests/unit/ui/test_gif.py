"""Animations are read back with Pillow, which is not what chose their colours."""

from collections import Counter

import numpy as np
import pytest
from PIL import Image

from warpview.sim.launch import Cancelled
from warpview.ui.export.gif import COLOURS, Animation, nearest, pack, palette_of, unpack


@pytest.fixture
def written(tmp_path):
    """The animation of some pictures, opened again."""

    def write(*frames, milliseconds=100):
        animation = Animation()
        for frame in frames:
            animation.add(frame)
        animation.save(tmp_path / "a.gif", milliseconds)
        return Image.open(tmp_path / "a.gif")

    return write


def frames_of(image):
    found = []
    for number in range(image.n_frames):
        image.seek(number)
        found.append((np.array(image.convert("RGB")), image.info["duration"]))
    return found


def picture(colours, seed):
    random = np.random.default_rng(seed)
    palette = unpack(np.arange(1, colours + 1, dtype=np.uint32) * 65_003 % (1 << 24))
    return palette[random.integers(0, colours, (61, 83))]


@pytest.mark.parametrize("colours", [1, 2, 17, COLOURS])
def test_pictures_of_few_colours_are_read_back_as_they_were(written, colours):
    first, second = picture(colours, 1), picture(colours, 1)
    second[10:20, 30:50] = first[0, 0] if colours == 1 else first[1, 1]
    second[0, 0] = first[5, 5]
    third = picture(colours, 2)
    with written(first, second, third) as image:
        found = [pixels for pixels, _ in frames_of(image)]
        assert image.size == (83, 61)
    wanted = [first] if colours == 1 else [first, second, third]
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        assert np.array_equal(one, other)


def test_a_picture_that_repeats_lengthens_the_one_before_and_the_last_stays_longer(written):
    first, second = picture(5, 1), picture(5, 2)
    with written(first, first, second, milliseconds=300) as image:
        assert [duration for _, duration in frames_of(image)] == [600, 600]
        assert image.info["loop"] == 0


def test_surfaces_keep_their_colour_and_do_not_flicker(written):
    """A ramp of far more colours than a palette holds beside a surface: the surface is exact in every frame."""
    ramp = np.zeros((64, 64, 3), np.uint8)
    ramp[..., 0] = np.arange(64) * 4
    ramp[..., 1] = (np.arange(64) * 4)[:, None]
    frames = []
    for number in range(3):
        frame = np.concatenate([ramp, np.full((64, 8, 3), (251, 252, 253), np.uint8)], axis=1)
        frame[number, 0] = (0, 0, 255)
        frames.append(frame)
    with written(*frames) as image:
        found = [pixels for pixels, _ in frames_of(image)]
    assert all((pixels[:, 64:] == (251, 252, 253)).all() for pixels in found)
    assert np.array_equal(found[0][8:], found[2][8:])
    assert np.abs(found[0][:, :64].astype(int) - ramp).mean() < 12


def test_the_palette_is_small_enough_and_without_duplicates():
    counts = Counter(dict(zip(range(0, 100_000, 7), range(1, 100_000), strict=False)))
    palette = palette_of(counts, Counter(dict(list(counts.items())[:300])))
    assert len(palette) <= COLOURS
    assert len(np.unique(pack(palette))) == len(palette)
    assert nearest(pack(palette), palette).tolist() == list(range(len(palette)))


def test_writing_can_be_stopped_between_pictures(tmp_path):
    animation = Animation()
    for seed in range(4):
        animation.add(picture(9, seed))
    told = []

    def each(done):
        told.append(done)
        if done == 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        animation.save(tmp_path / "a.gif", 100, each)
    assert told == [0, 1, 2]


def test_a_picture_of_another_size_is_refused():
    animation = Animation()
    animation.add(picture(3, 1))
    with pytest.raises(ValueError, match="among pictures of 83 x 61"):
        animation.add(np.zeros((4, 4, 3), np.uint8))
