import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QByteArray
from PySide6.QtGui import QImageReader

from warpview.ui.export.gif import GifWriter, lzw, quantise
from warpview.ui.export.steps import pixels


def read(data):
    """The frames of a GIF as Qt reads them."""
    stored = QByteArray(data)
    buffer = QBuffer(stored)
    buffer.open(QBuffer.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, b"gif")
    found = []
    while (image := reader.read()) is not None and not image.isNull():
        found.append(pixels(image))
    return found


@pytest.mark.parametrize("colours", [2, 3, 17, 256])
def test_frames_are_read_back_as_they_were(colours):
    random = np.random.default_rng(colours)
    palette = random.integers(0, 256, (colours, 3), dtype=np.uint8)
    first = palette[random.integers(0, colours, (61, 83))]
    second = first.copy()
    second[10:20, 30:50] = palette[0]
    writer = GifWriter(83, 61)
    data = writer.add(first, 100) + writer.add(second, 100) + writer.add(second, 100) + writer.end()
    frames = read(data)
    assert len(frames) == 3
    assert np.array_equal(frames[0], first)
    assert np.array_equal(frames[1], second)
    assert np.array_equal(frames[2], second)


def test_long_frames_start_their_table_of_codes_anew():
    random = np.random.default_rng(1)
    noise = random.integers(0, 4, (200, 300), dtype=np.uint8)
    palette = np.array([[0, 0, 0], [255, 0, 0], [0, 255, 0], [0, 0, 255]], np.uint8)
    writer = GifWriter(300, 200)
    assert np.array_equal(read(writer.add(palette[noise], 50) + writer.end())[0], palette[noise])


def test_more_colours_than_a_palette_holds_are_brought_to_the_nearest():
    ramp = np.zeros((64, 64, 3), np.uint8)
    ramp[..., 0] = np.arange(64) * 4
    ramp[..., 1] = (np.arange(64) * 4)[:, None]
    indices, palette = quantise(ramp)
    assert len(palette) == 256
    assert np.abs(palette[indices].astype(int) - ramp).mean() < 48


def test_flat_pictures_are_small():
    writer = GifWriter(640, 480)
    assert len(writer.add(np.full((480, 640, 3), 200, np.uint8), 100)) < 3000
    assert len(lzw(bytes(1), 2)) > 0
    with pytest.raises(ValueError, match="in a GIF"):
        writer.add(np.zeros((4, 4, 3), np.uint8), 100)
