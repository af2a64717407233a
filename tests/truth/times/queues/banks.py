"""Write variants of products.cu's machine code whose products read other registers, to find the banks of registers.

nvcc -O3 -arch=sm_90 -cubin -o products.cubin products.cu && python banks.py FOLDER && ./queues FOLDER/cubins.txt
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable
from pathlib import Path

from elftools.elf.elffile import ELFFile

HERE = Path(__file__).resolve().parent
FFMA, OPCODE_MASK = 0x223, 0xFFF
STALL_SHIFT, YIELD_SHIFT, REUSE_SHIFT = 41, 45, 58  # in the upper 64 bits
Sources = Callable[[int], tuple[int, int, int]]


def products(path: Path) -> tuple[bytearray, list[int]]:
    """Return the file and the places of its products."""
    data = bytearray(path.read_bytes())
    with path.open("rb") as file:
        code = ELFFile(file).get_section_by_name(".text.products")
        start, size = code["sh_offset"], code["sh_size"]
    places = range(start, start + size, 16)
    return data, [place for place in places if struct.unpack_from("<Q", data, place)[0] & OPCODE_MASK == FFMA]


def variant(data: bytearray, places: list[int], sources: Sources, reuse: int, yields: int | None) -> bytearray:
    """Return the code with other sources, all with a stall count of 1; ``reuse`` is a bit for each source."""
    changed = bytearray(data)
    for k, place in enumerate(places):
        low, high = struct.unpack_from("<QQ", changed, place)
        a, b, c = sources(k)
        low = low & ~(0xFFFF << 24) | a << 24 | b << 32
        high = (
            high & ~0xFF & ~(0xF << STALL_SHIFT) & ~(0xF << REUSE_SHIFT) | c | 1 << STALL_SHIFT | reuse << REUSE_SHIFT
        )
        if yields is not None:
            high = high & ~(1 << YIELD_SHIFT) | yields << YIELD_SHIFT
        struct.pack_into("<QQ", changed, place, low, high)
    return changed


def main() -> None:
    folder = Path(sys.argv[1])
    data, places = products(HERE / "products.cubin")
    words = [struct.unpack_from("<Q", data, place)[0] for place in places]
    written = {word >> 16 & 255 for word in words}
    read = sorted({word >> shift & 255 for word in words for shift in (24, 32)} - written)
    even, odd = [r for r in read if r % 2 == 0], [r for r in read if r % 2]
    e, f, g = even[:3]
    o, p, q = odd[:3]
    variants: dict[str, tuple[Sources, int, int | None]] = {
        "one": (lambda _: (e, e, e), 0, None),
        "two_even_one_odd": (lambda _: (e, o, f), 0, None),
        "one_even_two_odd": (lambda _: (e, o, p), 0, None),
        "three_even": (lambda _: (e, f, g), 0, None),
        "three_odd": (lambda _: (o, p, q), 0, None),
        "three_even_three_odd": (lambda k: (e, f, g) if k % 2 else (o, p, q), 0, None),
        "three_even_one_reused": (lambda k: (e, even[1 + k % 3], even[4 + k % 2]), 1, None),
        "three_even_two_reused": (lambda _: (e, f, g), 3, None),
        "three_even_yield": (lambda _: (e, f, g), 0, 0),
        "three_even_no_yield": (lambda _: (e, f, g), 0, 1),
    }
    for name, (sources, reuse, yields) in variants.items():
        (folder / name).write_bytes(variant(data, places, sources, reuse, yields))
    (folder / "cubins.txt").write_text("".join(f"{folder / name}\n" for name in variants))


if __name__ == "__main__":
    main()
