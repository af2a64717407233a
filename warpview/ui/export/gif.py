"""Encode animated GIFs for slides by Pillow; free of Qt.

All frames share one palette, chosen when every colour is known: what stands still on the screen stands still in the
animation. Until then the pictures are kept compressed, so that a long range of steps does not fill the memory.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from PIL import Image

Pixels = NDArray[np.uint8]  # [height, width, 3]
Packed = NDArray[np.uint32]  # colours as 0xRRGGBB, any shape

COLOURS = 255  # of a palette; the last of 256 stands for "as in the frame before"
EXACT = 192  # so many of the colours of surfaces are kept as they are
HEAVIEST = 64  # a colour counts at most this often when the others are merged
NEAREST_AT_ONCE = 4096
MEDIAN_CUT = 0  # Pillow's number for how colours are merged


class Animation:
    """Collect pictures of one size, to be written as one GIF."""

    def __init__(self) -> None:
        self._size = (0, 0)  # width, height
        self._frames: list[bytes] = []
        self._counts: Counter[int] = Counter()  # of pixels, by 0xRRGGBB
        self._flat: Counter[int] = Counter()  # of those, the pixels that lie within a surface

    def __len__(self) -> int:
        return len(self._frames)

    def add(self, pixels: Pixels) -> None:
        """Add one more picture; ValueError if its size is not that of the others."""
        height, width = pixels.shape[:2]
        if self._frames and (width, height) != self._size:
            raise ValueError(f"a picture of {width} x {height} among pictures of {self._size[0]} x {self._size[1]}")
        self._size = (width, height)
        packed = pack(pixels)
        self._counts.update(counted(packed))
        self._flat.update(counted(packed[1:, 1:][within_surfaces(packed)]))
        self._frames.append(zlib.compress(packed.tobytes(), 1))

    def save(self, path: Path, milliseconds: int, each: Callable[[int], None] = lambda done: None) -> None:
        """Write the pictures, each shown for so long, the last twice as long. ``each`` is told how many are encoded,
        and may raise to stop. Pictures equal to the one before only lengthen it."""
        colours = np.array(list(self._counts), np.uint32)
        palette = palette_of(self._counts, self._flat)
        index = np.zeros(1 << 24, np.uint8)
        index[colours] = nearest(colours, palette)
        frames = self._indexed(index, palette, each)
        times = [milliseconds] * (len(self._frames) - 1) + [2 * milliseconds]
        next(frames).save(
            path, "GIF", save_all=True, append_images=frames, duration=times, loop=0,
            palette=_padded(palette), transparency=COLOURS, optimize=True, disposal=1,
        )  # fmt: skip

    def _indexed(self, index: NDArray[np.uint8], palette: Pixels, each: Callable[[int], None]) -> Iterator[Image.Image]:
        """Yield the pictures as indices into the palette."""
        width, height = self._size
        for done, frame in enumerate(self._frames):
            each(done)
            packed = np.frombuffer(zlib.decompress(frame), np.uint32).reshape(height, width)
            image = _image(index[packed])
            image.putpalette(_padded(palette))
            yield image


def pack(pixels: Pixels) -> Packed:
    """Return the colours of a picture as one number a pixel: uint32[height, width]."""
    wide = pixels.astype(np.uint32)
    return np.asarray(wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2], np.uint32)


def unpack(colours: Packed) -> Pixels:
    """Return uint8[..., 3] of 0xRRGGBB."""
    return np.stack([colours >> 16 & 255, colours >> 8 & 255, colours & 255], axis=-1).astype(np.uint8)


def counted(colours: Packed) -> dict[int, int]:
    """Count how often each colour occurs."""
    found, counts = np.unique(colours, return_counts=True)
    return dict(zip(found.tolist(), counts.tolist(), strict=True))


def within_surfaces(packed: Packed) -> NDArray[np.bool_]:
    """Return which pixels equal their neighbours above, to the left and between: bool[height - 1, width - 1]."""
    here = packed[1:, 1:]
    return np.asarray((here == packed[:-1, 1:]) & (here == packed[1:, :-1]) & (here == packed[:-1, :-1]))


def palette_of(counts: Counter[int], flat: Counter[int]) -> Pixels:
    """Return at most ``COLOURS`` colours for pictures in which colours occur so often: uint8[n, 3], all different.

    The colours of surfaces (``flat``) carry the meaning and are kept; the edges of letters share what is left.
    """
    if len(counts) <= COLOURS:
        return unpack(np.array(list(counts), np.uint32))
    exact = [colour for colour, _ in flat.most_common(EXACT)]
    rest = sorted(counts.keys() - set(exact))
    weights = [min(HEAVIEST, int(counts[colour] ** 0.5)) for colour in rest]
    sample = _image(unpack(np.repeat(np.array(rest, np.uint32), weights))[None])
    merged = sample.quantize(COLOURS - len(exact), MEDIAN_CUT).getpalette() or []
    return unpack(np.unique([*exact, *pack(np.array(merged, np.uint8).reshape(-1, 3)).tolist()]).astype(np.uint32))


def nearest(colours: Packed, palette: Pixels) -> NDArray[np.uint8]:
    """Return the index of the nearest colour of the palette: uint8[n]."""
    found = np.empty(len(colours), np.uint8)
    wanted, offered = unpack(colours).astype(np.int32), palette.astype(np.int32)
    for start in range(0, len(colours), NEAREST_AT_ONCE):
        apart = wanted[start : start + NEAREST_AT_ONCE, None] - offered[None]
        found[start : start + NEAREST_AT_ONCE] = np.argmin((apart * apart).sum(axis=2), axis=1)
    return found


def _padded(palette: Pixels) -> list[int]:
    """Return 256 different colours as Pillow wants them, filled up with colours that no picture has."""
    packed = set(pack(palette).tolist())
    spare = (colour for colour in range(1 << 24) if colour not in packed)
    filled = [*pack(palette).tolist(), *(next(spare) for _ in range(256 - len(palette)))]
    return unpack(np.array(filled, np.uint32)).ravel().tolist()


def _image(values: NDArray[np.uint8]) -> Image.Image:
    """Return an image of Pillow, which is loaded at its first use: few who open the window make an animation."""
    from PIL import Image

    return Image.fromarray(values)
