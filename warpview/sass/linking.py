"""Join the code of a kernel with that of the functions it calls, which an assembler may leave in sections of their own.

Calls and returns by absolute address become those relative to the instruction, which is how NVRTC writes them. The
types of relocations are those that ``nvdisasm`` and ``cuobjdump -elf`` show.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from warpview.diagnostics import WarpviewError
from warpview.sass import fields as f
from warpview.sass.encoding import encoding_of
from warpview.sass.opcode import B_IMMEDIATE, C_IMMEDIATE
from warpview.sass.table import BY_CODE

LOW_HALF, HIGH_HALF = 56, 57  # R_CUDA_ABS32_LO_32, R_CUDA_ABS32_HI_32: halves of an address as an immediate
KERNEL_LOW, KERNEL_HIGH = 62, 63  # R_CUDA_FUNC_DESC32_LO_32, R_CUDA_FUNC_DESC32_HI_32: halves of a kernel's address
FORM_BIT, ADDRESS_BANK, ADDRESS_BYTES = 9, 4, 8
MOST_LINKED = 256 << 20  # bytes of the code of all kernels, with the functions that each has
RETURN = 0x950
IS_ABSOLUTE = f.BitField(85, 1)
OFFSET = f.BitField(34, 48)
ADDRESS_OF_CALL = f.BitField(16, 64)
CALL_ABSOLUTE, CALL_RELATIVE = 0x943, 0x944
CALL_REGISTER, CALL_REGISTER_RELATIVE = 0x343, 0x344  # by a register


@dataclass(frozen=True)
class CodeRelocation:
    """Name what an instruction of a section refers to: ``section`` is the function's, ``target`` a byte in it."""

    offset: int
    kind: int
    section: str
    target: int


class LackingAddress(NamedTuple):
    """Name an instruction that takes half of the address of the byte ``target`` of the device variables."""

    place: int
    kind: int
    target: int
    variable: str


class KernelAddress(NamedTuple):
    """Name an instruction that takes half of the address of a kernel, by the kernel's number in the cubin, from 1 on,
    which stands for the address."""

    place: int
    kind: int
    number: int


def linked(
    section: str,
    code_of: Callable[[str], bytes],
    relocations_of: Callable[[str], Sequence[CodeRelocation]],
    architecture: int,
    calls_system: bool,
    places: Mapping[str, int],
) -> tuple[bytes, dict[str, int]]:
    """Return the code of a section with that of all functions it needs behind it, and where each section begins:
    those of ``places`` there, in their order.

    Where ``calls_system`` says that there are functions of the driver, calls by a register are left to them."""
    words: list[int] = []
    starts: dict[str, int] = {}
    waiting = [section, *places]
    while waiting:
        name = waiting.pop(0)
        if name in starts:
            continue
        words += words[-1:] * (places.get(name, 0) // f.WORD_BYTES - len(words))  # which nobody comes to
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
    absolute = {RETURN: RETURN} if calls_system else {RETURN: RETURN, CALL_REGISTER: CALL_REGISTER_RELATIVE}
    words = [_relative(word, k * f.WORD_BYTES, architecture, absolute) for k, word in enumerate(words)]
    return b"".join(word.to_bytes(f.WORD_BYTES, "little") for word in words), starts


def common_places(sizes: Mapping[str, int], kernels: Sequence[str]) -> dict[str, int]:
    """Return where functions lie that the code of every kernel has at the same place, behind the longest kernel, given
    the sizes of all sections of code: variables may hold their addresses. Raise WarpviewError where it is too much."""
    whole = {name: -(-size // f.WORD_BYTES) * f.WORD_BYTES for name, size in sizes.items()}
    at, places = max((whole[name] for name in kernels), default=0), dict[str, int]()
    for name, size in whole.items():
        if name not in kernels:
            places[name] = at
            at += size
    if at * len(kernels) > MOST_LINKED:
        raise WarpviewError("the cubin is too large: its variables hold addresses of functions, which each kernel has")
    return places


def with_function_addresses(image: bytes, addresses: Mapping[int, int]) -> bytes:
    """Return the bytes of variables with the addresses of functions, by where they stand."""
    changed = bytearray(image)
    for offset, address in addresses.items():
        changed[offset : offset + ADDRESS_BYTES] = address.to_bytes(ADDRESS_BYTES, "little")
    return bytes(changed)


def _relocated(word: int, kind: int, address: int, target: int, architecture: int) -> int:
    if f.OPCODE.of(word) == CALL_ABSOLUTE:
        return _with_offset(_put(word, f.OPCODE, CALL_RELATIVE), target - address - f.WORD_BYTES, architecture)
    if kind in (LOW_HALF, HIGH_HALF):
        return _put(word, f.IMMEDIATE, target >> 32 if kind == HIGH_HALF else target)
    return word


def with_kernel_numbers(code: bytes, addresses: Sequence[KernelAddress]) -> bytes:
    """Return code that has the numbers of kernels in place of their addresses."""
    changed = bytearray(code)
    for place, kind, number in addresses:
        word = int.from_bytes(changed[place : place + f.WORD_BYTES], "little")
        word = _put(word, f.IMMEDIATE, number if kind == KERNEL_LOW else 0)
        changed[place : place + f.WORD_BYTES] = word.to_bytes(f.WORD_BYTES, "little")
    return bytes(changed)


def with_calls_by_register(code: bytes, places: Sequence[int]) -> bytes:
    """Return code in which calls of the driver's functions by their address, which the driver fills in, are calls by a
    register, as they are in code that is not linked."""
    changed = bytearray(code)
    for place in places:
        word = int.from_bytes(changed[place : place + f.WORD_BYTES], "little")
        word = _put(_put(word, f.OPCODE, CALL_REGISTER), ADDRESS_OF_CALL, 0)
        changed[place : place + f.WORD_BYTES] = word.to_bytes(f.WORD_BYTES, "little")
    return bytes(changed)


def with_addresses(
    code: bytes, lacking: Sequence[LackingAddress], bank_bytes: int
) -> tuple[bytes, dict[int, int], tuple[tuple[int, str], ...]]:
    """Return code that takes the addresses it lacks from constant bank 4, behind the bytes that the bank has; the
    offset of each address there, by what it points to; the places where that cannot be, with the names of their
    variables."""
    changed, offsets, unplaced = bytearray(code), dict[int, int](), []
    for address in lacking:
        offset = offsets.setdefault(address.target, -(-bank_bytes // 8) * 8 + 8 * len(offsets))
        at = slice(address.place, address.place + f.WORD_BYTES)
        word = _with_address_from_bank(int.from_bytes(changed[at], "little"), address.kind, offset)
        if word is None or len(changed[at]) < f.WORD_BYTES:
            unplaced.append((address.place, address.variable))
        else:
            changed[at] = word.to_bytes(f.WORD_BYTES, "little")
    return bytes(changed), offsets, tuple(unplaced)


def _with_address_from_bank(word: int, kind: int, offset: int) -> int | None:
    """Return an instruction that takes half an address, which the driver would fill in as its immediate, from the
    64-bit word at ``offset`` of constant bank 4 instead. None where the instruction has no immediate of 32 bits."""
    code = f.OPCODE.of(word)
    form = code >> FORM_BIT
    if kind not in (LOW_HALF, HIGH_HALF) or form not in (B_IMMEDIATE, C_IMMEDIATE) or f.IMMEDIATE.of(word):
        return None
    by_constant = code + (1 << FORM_BIT)  # the form that takes a constant follows that with an immediate
    if not any(row.is_arithmetic for row in BY_CODE.get(by_constant, ())):
        return None
    word = _put(_put(word, f.OPCODE, by_constant), f.CONSTANT_BANK, ADDRESS_BANK)
    return _put(word, f.CONSTANT_OFFSET, offset + (4 if kind == HIGH_HALF else 0))


def _relative(word: int, address: int, architecture: int, absolute: Mapping[int, int]) -> int:
    """Return a branch to an absolute address in a register as one that adds the instruction's own; ``absolute`` maps
    the opcodes of the former to those of the latter."""
    code = f.OPCODE.of(word)
    if code not in absolute or (code == RETURN and not IS_ABSOLUTE.of(word)):
        return word
    word = _put(_put(word, f.OPCODE, absolute[code]), IS_ABSOLUTE, 0)
    return _with_offset(word, -address - f.WORD_BYTES, architecture)


def _with_offset(word: int, offset: int, architecture: int) -> int:
    """Return a branch whose target is ``offset`` bytes after the next instruction."""
    quarter = offset // 4
    if encoding_of(architecture).splits_branch_offsets:  # the low bits lie apart
        return _put(_put(word, f.DESTINATION, quarter), OFFSET, quarter >> 8)
    return _put(word, OFFSET, quarter)


def _put(word: int, field: f.BitField, value: int) -> int:
    mask = (1 << field.width) - 1
    return word & ~(mask << field.low) | (value & mask) << field.low
