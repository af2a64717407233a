"""Write variants of products.cu's machine code whose products read other registers, to find the banks of registers and
how long registers are kept.

nvcc -O3 -arch=sm_90 -cubin -o products.cubin products.cu && nvcc -DLOADS ... -o loads.cubin products.cu
python banks.py FOLDER && ./queues FOLDER/cubins.txt
"""

from __future__ import annotations

import io
import struct
import sys
from collections.abc import Callable
from pathlib import Path

from elftools.elf.elffile import ELFFile

HERE = Path(__file__).resolve().parent
FFMA, OPCODE_MASK = 0x223, 0xFFF
STALL_SHIFT, REUSE_SHIFT = 41, 58  # in the upper 64 bits
Sources = tuple[int, int, int]
# The sources of the k-th product, those that are kept (a bit each), and the stall count.
Rule = Callable[[int], tuple[Sources, int, int]]


def products(data: bytes) -> list[int]:
    """Return the places of the products in a cubin."""
    code = ELFFile(io.BytesIO(data)).get_section_by_name(".text.products")
    places = range(code["sh_offset"], code["sh_offset"] + code["sh_size"], 16)
    return [place for place in places if struct.unpack_from("<Q", data, place)[0] & OPCODE_MASK == FFMA]


def registers(data: bytes) -> tuple[list[int], list[int]]:
    """Return the even and the odd registers that products read and do not write."""
    words = [struct.unpack_from("<Q", data, place)[0] for place in products(data)]
    written = {word >> 16 & 255 for word in words}
    read = sorted({word >> shift & 255 for word in words for shift in (24, 32)} - written)
    return [r for r in read if r % 2 == 0], [r for r in read if r % 2]


def variant(data: bytes, rule: Rule) -> bytes:
    """Return the code with other sources."""
    changed = bytearray(data)
    for k, place in enumerate(products(data)):
        low, high = struct.unpack_from("<QQ", changed, place)
        (a, b, c), reuse, stall = rule(k)
        low = low & ~(0xFFFF << 24) | a << 24 | b << 32
        high &= ~0xFF & ~(0xF << STALL_SHIFT) & ~(0xF << REUSE_SHIFT)
        struct.pack_into("<QQ", changed, place, low, high | c | stall << STALL_SHIFT | reuse << REUSE_SHIFT)
    return bytes(changed)


def every(period: int, some: Sources, others: Sources, stall: int = 1) -> Rule:
    """Return the rule by which one of ``period`` products has other sources than the others."""
    return lambda k: (others if k % period else some, 0, stall)


def rules(data: bytes) -> dict[str, Rule]:
    """Return the variants by name: of three_in_8_both one of eight products reads three even registers, the others one
    even and one odd one; "own" reads one, "odd" an odd one; "reuse" keeps registers, "across" others' reads."""
    (e, f, g, h, *_), (o, p, *_) = registers(data)
    three, own, both, odd = (e, f, g), (e, e, e), (h, o, o), (o, o, o)
    turns = ((e, f, f), (o, p, p))
    found: dict[str, Rule] = {"own": every(1, own, own), "both": every(1, both, both)}
    for period in (2, 4, 8, 16):
        for name, others in (("own", own), ("both", both), ("odd", odd)):
            found[f"three_in_{period}_{name}"] = every(period, three, others)
    for period in (4, 8, 16):
        found[f"pair_of_three_in_{period}_both"] = lambda k, n=period: (three if k % n < 2 else both, 0, 1)  # type: ignore[misc]
        found[f"two_in_{period}_both"] = every(period, (e, f, o), both)
        found[f"two_only_in_{period}_both"] = every(period, (e, f, f), both)
        found[f"twos_in_turn_in_{period}_both"] = lambda k, n=period: (turns[k % 2] if k % n < 4 else both, 0, 1)  # type: ignore[misc]
    found["twos_in_turn"] = lambda k: (turns[k % 2], 0, 1)
    found["twos_even"] = every(1, (e, f, f), both)
    found["reuse_two"] = lambda _: (three, 3, 1)
    found["reuse_two_across_odd"] = lambda k: (odd, 0, 1) if k % 2 else (three, 3, 1)
    found["reuse_two_across_three_odd"] = lambda k: (odd, 0, 1) if k % 4 else (three, 3, 1)
    found["reuse_a_across_even_a"] = lambda k: ((h, o, o), 0, 1) if k % 2 else (three, 1, 1)
    found["reuse_a_across_even_b"] = lambda k: ((o, h, o), 0, 1) if k % 2 else (three, 1, 1)
    found["reuse_a_across_even_c"] = lambda k: ((o, o, h), 0, 1) if k % 2 else (three, 1, 1)
    found["reuse_swapped"] = lambda k: ((e, f, g) if k % 2 else (f, e, g), 3, 1)
    for stall in (2, 3, 4):
        found[f"reuse_two_stall_{stall}"] = lambda _, n=stall: (three, 3, n)  # type: ignore[misc]
        found[f"own_stall_{stall}"] = every(1, own, own, stall)
    found["three_stall_4"] = every(1, three, three, 4)
    found["three_in_4_both_stall_2"] = every(4, three, both, 2)
    found["three_in_8_both_stall_2"] = every(8, three, both, 2)
    return found


def main() -> None:
    folder, names = Path(sys.argv[1]), []
    for kind in ("products", "loads"):
        data = (HERE / f"{kind}.cubin").read_bytes()
        for name, rule in rules(data).items():
            names.append(folder / f"{kind}.{name}")
            names[-1].write_bytes(variant(data, rule))
    (folder / "cubins.txt").write_text("".join(f"{name}\n" for name in names))


if __name__ == "__main__":
    main()
