"""Animated GIFs, written from arrays of pixels; free of Qt.

Each frame stores only the rectangle that differs from the one before, with a palette of its own, so that a step of
a window takes a few kilobytes. The format is that of GIF89a (CompuServe, 1990).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]  # [height, width, 3]
LARGEST_CODE = 4096


class GifWriter:
    """Builds a GIF frame by frame: ``add`` returns the bytes to be written next, ``end`` the last ones."""

    def __init__(self, width: int, height: int, loop: bool = True) -> None:
        self.width, self.height, self.loop = width, height, loop
        self._before: Pixels | None = None

    def add(self, pixels: Pixels, milliseconds: int) -> bytes:
        """One more frame, shown for so long."""
        if pixels.shape != (self.height, self.width, 3):
            raise ValueError(f"a frame of {pixels.shape} in a GIF of {self.width} x {self.height}")
        first = self._before is None
        top, left, bottom, right = _changed(self._before, pixels)
        part = pixels[top:bottom, left:right]
        self._before = pixels.copy()
        indices, palette = quantise(part)
        depth = max(1, (len(palette) - 1).bit_length())
        table = np.zeros((1 << depth, 3), np.uint8)
        table[: len(palette)] = palette
        head = self._header() if first else b""
        control = struct.pack("<BBBBHBB", 0x21, 0xF9, 4, 0x04, max(2, milliseconds // 10), 0, 0)
        place = struct.pack("<BHHHHB", 0x2C, left, top, right - left, bottom - top, 0x80 | (depth - 1))
        return head + control + place + table.tobytes() + _image_data(indices.ravel(), max(2, depth))

    def end(self) -> bytes:
        return b"\x3b"

    def _header(self) -> bytes:
        screen = b"GIF89a" + struct.pack("<HHBBB", self.width, self.height, 0x70, 0, 0)
        forever = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00" if self.loop else b""
        return screen + forever


def _changed(before: Pixels | None, now: Pixels) -> tuple[int, int, int, int]:
    """(top, left, bottom, right) of what differs; one pixel where nothing does."""
    if before is None:
        return 0, 0, now.shape[0], now.shape[1]
    different = (before != now).any(axis=2)
    rows, columns = np.flatnonzero(different.any(axis=1)), np.flatnonzero(different.any(axis=0))
    if not len(rows):
        return 0, 0, 1, 1
    return int(rows[0]), int(columns[0]), int(rows[-1]) + 1, int(columns[-1]) + 1


def quantise(pixels: Pixels) -> tuple[NDArray[np.uint8], Pixels]:
    """(indices of the shape of the picture, palette of at most 256 colours): exact where there are no more colours."""
    flat = pixels.reshape(-1, 3).astype(np.uint32)
    packed = flat[:, 0] << 16 | flat[:, 1] << 8 | flat[:, 2]
    colours, inverse = np.unique(packed, return_inverse=True)
    if len(colours) > 256:
        counts = np.bincount(inverse)
        kept = np.sort(np.argsort(counts)[-256:])
        palette = _unpack(colours[kept])
        nearest = np.empty(len(colours), np.uint8)
        every = _unpack(colours).astype(np.int32)
        for start in range(0, len(colours), 4096):
            piece = every[start : start + 4096, None, :] - palette[None].astype(np.int32)
            nearest[start : start + 4096] = np.argmin((piece * piece).sum(axis=2), axis=1)
        return nearest[inverse].reshape(pixels.shape[:2]), palette
    return inverse.astype(np.uint8).reshape(pixels.shape[:2]), _unpack(colours)


def _unpack(colours: NDArray[np.uint32]) -> Pixels:
    return np.stack([colours >> 16 & 255, colours >> 8 & 255, colours & 255], axis=1).astype(np.uint8)


def _image_data(indices: NDArray[np.uint8], bits: int) -> bytes:
    """The code size, the codes in blocks of at most 255 bytes, and the end of the blocks."""
    data = lzw(indices.tobytes(), bits)
    blocks = b"".join(bytes([len(block)]) + block for block in _pieces(data, 255))
    return bytes([bits]) + blocks + b"\x00"


def _pieces(data: bytes, size: int) -> Iterator[bytes]:
    return (data[k : k + size] for k in range(0, len(data), size))


def lzw(data: bytes, bits: int) -> bytes:
    """The LZW codes of some bytes below 2 ** ``bits``, lowest bit first, as GIF has them."""
    clear, end = 1 << bits, (1 << bits) + 1
    out = bytearray()
    table: dict[int, int] = {}
    following, size = end + 1, bits + 1
    held, count = clear, size  # bits not yet written, and how many
    prefix = data[0]
    for byte in data[1:]:
        key = prefix << 8 | byte
        code = table.get(key)
        if code is not None:
            prefix = code
            continue
        held |= prefix << count
        count += size
        while count >= 8:
            out.append(held & 255)
            held >>= 8
            count -= 8
        if following == LARGEST_CODE:
            held |= clear << count
            count += size
            table.clear()
            following, size = end + 1, bits + 1
        else:
            if following == 1 << size:
                size += 1
            table[key] = following
            following += 1
        prefix = byte
    held |= prefix << count
    count += size
    # The reader has added an entry for that code: its next code may be a bit longer.
    if following == 1 << size and size < 12:
        size += 1
    held |= end << count
    count += size
    while count > 0:
        out.append(held & 255)
        held >>= 8
        count -= 8
    return bytes(out)
