"""Define what instructions of NVIDIA's machine code that move words, predicates and constants do in a lane.

The functions have the names of the meanings in ``warpview.sass.meanings``.
"""

from __future__ import annotations

from dataclasses import replace

from warpview.isa.types import RANK_SHIFT
from warpview.sass import fields as f
from warpview.sass import special
from warpview.sass.operation import OperandKind, SassOperand
from warpview.sim.memory import CONST_WINDOW, LOCAL_WINDOW, SHARED_WINDOW
from warpview.sim.reference.native.integers import part_of
from warpview.sim.reference.native.lane import Lane


def sel(x: Lane) -> None:
    x.give(x.word("a" if x.predicate("p") else "b"))


def mov(x: Lane) -> None:
    x.give(x.word("b"))


def mov2(x: Lane) -> None:
    x.give_pair(x.pair("b"))


def qspc(x: Lane) -> None:
    """Say whether a generic address lies in global, local or shared memory, the block's own or that of its cluster."""
    address = x.address("m")
    own = SHARED_WINDOW + (x.registers.special(special.CGA_CTA_ID, x.lane) << RANK_SHIFT)
    windows = (
        (0, SHARED_WINDOW),
        (LOCAL_WINDOW, CONST_WINDOW),
        (own, own + (1 << RANK_SHIFT)),
        (SHARED_WINDOW, LOCAL_WINDOW),
    )
    low, high = windows[x.modifier("space")]
    x.give_predicate("u", low <= address < high)


def plop3(x: Lane) -> None:
    """Look up both results in tables of eight bits, by p, q and r as an index of three bits."""
    index = x.predicate("p") << 2 | x.predicate("q") << 1 | x.predicate("r")
    for letter, table in (("u", "n"), ("v", "N")):
        x.give_predicate(letter, bool(x.operand(table).index >> index & 1))


def plop3signs(x: Lane) -> None:
    """Look up both results in tables of eight bits, by the signs of a, b and c as an index of three bits."""
    index = sum((x.word(letter) >> 31) << place for letter, place in (("a", 2), ("b", 1), ("c", 0)))
    for letter, table in (("u", "lut"), ("v", "second")):
        x.give_predicate(letter, bool(x.modifier(table) >> index & 1))


def p2r(x: Lane) -> None:
    """Give predicates 0 to 6 as bits of a byte where the mask has ones, elsewhere the bits of a."""
    of_warp = x.operand("a").kind == OperandKind.UNIFORM
    values = x.registers.uniform_predicates if of_warp else [values[x.lane] for values in x.registers.predicates]
    held = sum(bool(value) << k for k, value in enumerate(values))
    mask, place = x.operand("i").index & 0xFF, 8 * x.modifier("byte")
    x.give((held & mask) << place | (x.word("a") & ~(mask << place)))


def r2p(x: Lane) -> None:
    """Set the predicates that the mask names from the bits of a byte of a."""
    byte = x.word("a") >> 8 * x.modifier("byte")
    for k, predicate in enumerate(x.registers.predicates):
        if not x.operand("i").index >> k & 1:
            continue
        bit = byte >> k & 1
        if x.operand("a").kind == OperandKind.UNIFORM:
            x.registers.uniform_predicates[k] = bit
        else:
            predicate[x.lane] = bit


def s2r(x: Lane) -> None:
    x.give(x.registers.special(x.operand("S").index, x.lane))
    if x.operand("d").span == 2:
        x.give(0, k=1)


def lepc(x: Lane) -> None:
    """Give the address behind the next instruction, to which a call returns; its own one without an offset."""
    x.give_pair(x.operation.address + (2 * f.WORD_BYTES if x.modifier("offset") else 0))


def ldc(x: Lane) -> None:
    """Load from constant memory: from a fixed place, or in the bank of addresses at a register."""
    place, size = x.operand("x"), x.modifier("size")
    if place.uniform is not None:
        added = x.word_of(SassOperand(place.indexed_by, place.uniform))
        place = replace(place, index=place.index + (place.offset + added & 0xFFFF), uniform=None)
    if size < 4:
        width = 8 if size < 2 else 16
        bank = x.registers.banks[place.index >> 16]
        value = int.from_bytes(bank[place.index & 0xFFFF :][: width // 8], "little")
        x.give(part_of(value, 0, width, size & 1))
        return
    for k in range(place.span):
        x.give(x.word_of(place, k), k=k)


def b2r(x: Lane) -> None:
    """Read the result of the last reduction at a block barrier."""
    value = x.registers.result[x.lane]
    x.give(value)
    x.give_predicate("u", value != 0)


def nop(x: Lane) -> None:
    """Do nothing."""
