"""Join the code of a kernel with that of the functions it calls, which an assembler may leave in sections of their own.

Calls and returns by absolute address become those relative to the instruction, which is how NVRTC writes them. The
types of relocations are those that ``nvdisasm`` and ``cuobjdump -elf`` show.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from warpview.sass import fields as f

LOW_HALF, HIGH_HALF = 56, 57  # R_CUDA_ABS32_LO_32, R_CUDA_ABS32_HI_32: halves of an address as an immediate
HOPPER = 90  # from which on the low bits of an offset lie apart
RETURN = 0x950
IS_ABSOLUTE = f.BitField(85, 1)
OFFSET = f.BitField(34, 48)
CALL_ABSOLUTE, CALL_RELATIVE = 0x943, 0x944


@dataclass(frozen=True)
class CodeRelocation:
    """Name what an instruction of a section refers to: ``section`` is the function's, ``target`` a byte in it."""

    offset: int
    kind: int
    section: str
    target: int


def linked(
    section: str,
    code_of: Callable[[str], bytes],
    relocations_of: Callable[[str], Sequence[CodeRelocation]],
    architecture: int,
) -> tuple[bytes, dict[str, int]]:
    """Return the code of a section with that of all functions it needs behind it, and where each section begins."""
    words: list[int] = []
    starts: dict[str, int] = {}
    waiting = [section]
    while waiting:
        name = waiting.pop(0)
        if name in starts:
            continue
        starts[name] = len(words) * f.WORD_BYTES
        code = code_of(name)
        words += [
            int.from_bytes(code[at : at + f.WORD_BYTES], "little")
            for at in range(0, len(code) - f.WORD_BYTES + 1, f.WORD_BYTES)
        ]
        waiting += [r.section for r in relocations_of(name)]
    for name, start in starts.items():
        for relocation in relocations_of(name):
            at = start + relocation.offset
            target = starts[relocation.section] + relocation.target
            words[at // f.WORD_BYTES] = _relocated(words[at // f.WORD_BYTES], relocation.kind, at, target, architecture)
    words = [_relative_return(word, k * f.WORD_BYTES, architecture) for k, word in enumerate(words)]
    return b"".join(word.to_bytes(f.WORD_BYTES, "little") for word in words), starts


def _relocated(word: int, kind: int, address: int, target: int, architecture: int) -> int:
    if f.OPCODE.of(word) == CALL_ABSOLUTE:
        return _with_offset(_put(word, f.OPCODE, CALL_RELATIVE), target - address - f.WORD_BYTES, architecture)
    if kind in (LOW_HALF, HIGH_HALF):
        return _put(word, f.IMMEDIATE, target >> 32 if kind == HIGH_HALF else target)
    return word


def _relative_return(word: int, address: int, architecture: int) -> int:
    if f.OPCODE.of(word) != RETURN or not IS_ABSOLUTE.of(word):
        return word
    return _with_offset(_put(word, IS_ABSOLUTE, 0), -address - f.WORD_BYTES, architecture)


def _with_offset(word: int, offset: int, architecture: int) -> int:
    """Return a branch whose target is ``offset`` bytes after the next instruction."""
    quarter = offset // 4
    if architecture >= HOPPER:
        return _put(_put(word, f.DESTINATION, quarter), OFFSET, quarter >> 8)
    return _put(word, OFFSET, quarter)


def _put(word: int, field: f.BitField, value: int) -> int:
    mask = (1 << field.width) - 1
    return word & ~(mask << field.low) | (value & mask) << field.low
