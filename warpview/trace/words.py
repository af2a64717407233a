"""Write the words of captions, for lanes, addresses, sizes and names, as a teacher would say them."""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from itertools import pairwise

from warpview.isa.program import NONE, Instruction, Param, Program, Special, Variable
from warpview.isa.types import Space, Type
from warpview.sim.rules.coalescing import lanes_of

LONGEST_CODE = 48  # characters of source text in a sentence
_WIDTHS = {1: "byte", 2: "16-bit value", 4: "word", 8: "64-bit value", 16: "128-bit value"}
_SPECIALS = {
    Special.TID_X: "threadIdx.x", Special.TID_Y: "threadIdx.y", Special.TID_Z: "threadIdx.z",
    Special.CTAID_X: "blockIdx.x", Special.CTAID_Y: "blockIdx.y", Special.CTAID_Z: "blockIdx.z",
    Special.NTID_X: "blockDim.x", Special.NTID_Y: "blockDim.y", Special.NTID_Z: "blockDim.z",
    Special.NCTAID_X: "gridDim.x", Special.NCTAID_Y: "gridDim.y", Special.NCTAID_Z: "gridDim.z",
    Special.LANEID: "the lane number", Special.WARPID: "the warp number",
    Special.SMID: "the ID of the multiprocessor",
    Special.CLUSTER_X: "the cluster's extent in x", Special.CLUSTER_Y: "the cluster's extent in y",
    Special.CLUSTER_Z: "the cluster's extent in z", Special.CLUSTER_RANK: "the rank of the block in its cluster",
}  # fmt: skip


def lanes_words(mask: int) -> str:
    """Return "lane 5", "lanes 0 to 15", "lanes 0, 2, 4, … 30", "lanes 1, 5, 6 and 9", "7 lanes" or "no lane"."""
    lanes = lanes_of(mask)
    if not lanes:
        return "no lane"
    if len(lanes) == 1:
        return f"lane {lanes[0]}"
    strides = {b - a for a, b in pairwise(lanes)}
    if strides == {1} and len(lanes) > 2:
        return f"lanes {lanes[0]} to {lanes[-1]}"
    if len(strides) == 1 and len(lanes) > 4:
        return f"lanes {lanes[0]}, {lanes[1]}, {lanes[2]}, … {lanes[-1]}"
    if len(lanes) <= 6:
        return f"lanes {', '.join(map(str, lanes[:-1]))} and {lanes[-1]}"
    return f"{len(lanes)} lanes"


def counted(n: int, noun: str) -> str:
    """Return "1 sector", "4 sectors", "2 addresses" and the like."""
    return f"{n} {noun if n == 1 else noun + ('es' if noun.endswith(('s', 'ch')) else 's')}"


def and_more(count: int, noun: str) -> str:
    """Return " and 2 more launches" behind the first of ``count``; "" where that is the only one."""
    more = counted(count - 1, noun)
    return f" and {more.replace(' ', ' more ', 1)}" if count > 1 else ""


def third_person(verb: str) -> str:
    """Return "reads", "passes", "applies" of "read", "pass", "apply"; only the first word of a longer phrase
    changes."""
    first, _, rest = verb.partition(" ")
    if first.endswith("y") and first[-2] not in "aeiou":
        first, ending = first[:-1], "ies"
    else:
        ending = "es" if first.endswith(("s", "sh", "ch", "x", "o")) else "s"
    return f"{first}{ending}{' ' + rest if rest else ''}"


def pattern_words(addresses: Sequence[int], width: int, name: str) -> str:
    """Return how the addresses of the lanes (ascending lanes) lie: "32 consecutive words of `a`", "`a` with a stride of
    2", "2 words of `a`, 32 apart", "2 different words of `a`" where lanes share them, "2 runs of 16 consecutive words
    of `a`" in rows of a tile."""
    unit = _WIDTHS.get(width, f"{width}-byte value")
    of = f" of {name}" if name else ""
    if len(addresses) == 1 or len(set(addresses)) == 1:
        return f"one {unit}{of}"
    steps = {b - a for a, b in pairwise(addresses)}
    if steps == {width}:
        return f"{len(addresses)} consecutive {unit}s{of}"
    different = len(set(addresses))
    if different < len(addresses):
        return f"{different} different {unit}s{of}"
    if len(steps) == 1:
        step = steps.pop()
        stride = str(step // width) if step % width == 0 else f"{step} bytes"
        if len(addresses) == 2:  # a single distance is no stride
            return f"2 {unit}s{of}, {stride.removeprefix('-')} apart"
        return f"{name or counted(len(addresses), unit)} with a stride of {stride}"
    begins = [0, *(n for n, (a, b) in enumerate(pairwise(addresses), 1) if b - a != width), len(addresses)]
    lengths = {b - a for a, b in pairwise(begins)}
    if len(lengths) == 1 and lengths != {1}:
        return f"{len(begins) - 1} runs of {lengths.pop()} consecutive {unit}s{of}"
    return f"{len(addresses)} scattered {unit}s{of}"


def quoted(code: str) -> str:
    """Return source text in back quotes, shortened to LONGEST_CODE characters."""
    return f"`{code if len(code) <= LONGEST_CODE else code[: LONGEST_CODE - 1] + '…'}`"


def line_words(program: Program, instruction: Instruction) -> str:
    """Return the source line in back quotes, shortened."""
    text = program.source.line(instruction.span.line).strip().rstrip("{;").strip()
    return quoted(text) if text else "this line"


def is_prologue(program: Program, instruction: Instruction) -> bool:
    """Return whether a machine instruction belongs to the declaration of the kernel, and so to none of its
    statements."""
    text = program.source.line(instruction.span.line)
    name = re.escape(program.kernel.partition("<")[0])
    is_declaration = "__global__" in text or re.search(rf"\b{name}\s*\(", text) is not None
    return instruction.native is not None and is_declaration and ";" not in text


def variable_of_row(program: Program, instruction: Instruction, row: int, kind: Type) -> str:
    """Return the name of the source variable that lives in a register row, '' if none does at this line."""
    line = instruction.span.line
    best: Variable | None = None
    for variable in program.variables:
        if variable.row != row or row == NONE or variable.type.is_wide != kind.is_wide:
            continue
        first, last = variable.scope
        if (not last or first <= line <= last) and (best is None or variable.scope[0] >= best.scope[0]):
            best = variable
    return best.name if best else ""


def operand_words(program: Program, instruction: Instruction, row: int, kind: Type) -> str:
    """Return the name behind a source row: a variable, a parameter, a built-in variable or a number; '' for a
    temporary."""
    name = variable_of_row(program, instruction, row, kind)
    if name:
        return f"`{name}`"
    for param in program.params:
        if param.row == row and param.type.is_wide == kind.is_wide:
            return f"`{param.path}`"
    if not kind.is_wide and row < len(Special):
        words = _SPECIALS[Special(row)]
        return f"`{words}`" if "." in words else words
    constant = (program.constants64 if kind.is_wide else program.constants32).get(row)
    return "" if constant is None else constant_words(kind, constant)


def constant_words(kind: Type, bits: int) -> str:
    """Return a constant as one writes it: "1", "0.5", "true"."""
    if kind == Type.PRED:
        return "true" if bits else "false"
    size = 8 if kind.is_wide else 4
    if kind.is_float:
        return f"{struct.unpack('<d' if kind.is_wide else '<f', bits.to_bytes(size, 'little'))[0]:g}"
    return str(bits - (1 << 8 * size) if kind.is_signed and bits >> (8 * size - 1) else bits)


def array_of(program: Program, space: Space, address: int, bases: Sequence[tuple[Param, int]]) -> str:
    """Return the array that an address lies in, in back quotes. ``bases``: (pointer parameter, its value), for
    global."""
    if space == Space.GLOBAL:
        below = [(base, param.path) for param, base in bases if base <= address]
        return f"`{max(below)[1]}`" if below else ""
    arrays = program.constant_symbols if space == Space.CONST else program.variables
    held = [v for v in arrays if v.space == space and v.offset <= address and v.row == NONE]
    return f"`{max(held, key=lambda v: v.offset).name}`" if held else ""
