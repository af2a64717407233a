"""Write loops of arithmetic in machine code of CC 9.0, one instruction alone and in turn with another: their pipes.

python pipes.py build FOLDER            (with warpview and NVRTC: a cubin for each mix)
python pipes.py measure FOLDER TABLE.csv    (with cupy, on the GPU)

What is in turn with an instruction of its own pipe takes the cycles of both, what is of another one the longer of them.
The loop is that of mio.py; no instruction waits for another.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import mio
from mio import Word

FIRST, SECOND, THIRD = 24, 32, 64  # where the number of a register stands, in the two words
# name -> the words without registers and advice, and where the register stands that all of them read
ARITHMETIC: dict[str, tuple[Word, tuple[int, ...]]] = {
    "viadd": ((0x1_0000_7836, 0), (FIRST,)),
    "iadd3": ((0x9_0000_7810, 0x7FFE0FF), (FIRST,)),
    "iadd3_three": ((0x7210, 0x7FFE000), (FIRST, SECOND, THIRD)),
    "lop3": ((0x7212, 0x78E3CFF), (FIRST, SECOND)),
    "isetp": ((0x3_0000_780C, 0x3FA6070), (FIRST,)),
    "imad": ((0x7224, 0x78E0200), (FIRST, SECOND, THIRD)),
    "imad_mov": ((0xFF_FF00_7224, 0x78E0000), (THIRD,)),
    "imad_add": ((0x1_0000_7824, 0x78E0200), (FIRST, THIRD)),
    "ffma": ((0x7223, 0), (FIRST, SECOND, THIRD)),
    "fadd": ((0x7221, 0), (FIRST, SECOND)),
    "fmul": ((0x7220, 0x400000), (FIRST, SECOND)),
    "mov": ((0x7202, 0xF00), (SECOND,)),
    "sel": ((0x7207, 0), (FIRST, SECOND)),
    "prmt": ((0x5410_0000_7816, 0), (FIRST, THIRD)),
    "shf": ((0x2_0000_7819, 0x6FF), (FIRST,)),
    "lea_hi": ((0x7211, 0x78F58FF), (FIRST, SECOND)),
    "fmnmx": ((0x7209, 0x3800000), (FIRST, SECOND)),
    "vimnmx3": ((0x720F, 0x3800000), (FIRST, SECOND, THIRD)),
    "iabs": ((0x7213, 0), (SECOND,)),
    "i2fp": ((0x7245, 0x201000), (SECOND,)),
    "fsetp": ((0x720B, 0x3FAE000), (FIRST, SECOND)),
}
SETS_PREDICATE = ("isetp", "fsetp")
PARTNERS = ("lop3", "ffma", "imad", "viadd")
SPREADS = ((1, 1), (1, 4), (4, 4))


def mixes() -> dict[str, list[str]]:
    """Return the instructions of each loop, which are repeated until it is full."""
    found = {name: [name] for name in ARITHMETIC}
    for name in ARITHMETIC:
        found.update({f"{name}+{other}": [name, other] for other in PARTNERS if name != other})
    return found


class Loop(mio.Base):
    """Put arithmetic in the places of the loop."""

    def _placed(self, name: str, result: int) -> Word:
        (low, high), reads = ARITHMETIC[name]
        words = low | high << 64 | (0 if name in SETS_PREDICATE else result << 16)
        for place in reads:
            words |= self.registers["z"] << place
        return words & (1 << 64) - 1, words >> 64 | mio.control(1)


def cubins() -> dict[str, bytes]:
    """Return the machine code of each mix."""
    return mio.cubins(Loop, mixes())


def main(arguments: Sequence[str]) -> None:
    folder = Path(arguments[1])
    if arguments[0] == "build":
        mio.build(folder, cubins())
    else:
        mio.measure(folder, Path(arguments[2]), list(mixes()), SPREADS)


if __name__ == "__main__":
    main(sys.argv[1:])
