"""Write values of registers and memory as the kernel's author would."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpview.cached_by_identity import cached_by_identity
from warpview.isa.disassembly import OperandNames
from warpview.isa.ops import Cmp
from warpview.isa.program import NONE, Program, Variable
from warpview.isa.types import HALF, Space, Type, small_float
from warpview.sim.arguments.values import DTYPES
from warpview.sim.launch import Launch
from warpview.sim.memory import Allocation
from warpview.trace.frame import Frame, PreviousState

C_NAMES = {
    Type.U8: "unsigned char", Type.S8: "char", Type.U16: "unsigned short", Type.S16: "short", Type.U32: "unsigned int",
    Type.S32: "int", Type.U64: "unsigned long long", Type.S64: "long long", Type.F32: "float", Type.F64: "double",
}  # fmt: skip
RELATIONS = {Cmp.EQ: "=", Cmp.NE: "≠", Cmp.LT: "<", Cmp.LE: "≤", Cmp.GT: ">", Cmp.GE: "≥"}
NARROW_SPACE = "\u202f"  # between groups of digits


@cached_by_identity
def names(program: Program) -> OperandNames:
    """Return the names of a program's registers, as the instruction listing has them."""
    return OperandNames(program)


def lane_values(frame: Frame | PreviousState, slot: int, row: int, type_: Type) -> NDArray[Any]:
    """Return the 32 values of a register of a resident warp, in its type."""
    if type_.is_wide:
        return np.asarray(frame.registers64[slot, row]).view(DTYPES[type_])
    words = np.ascontiguousarray(frame.registers32[slot, row])
    return words.view(np.float32) if type_ is Type.F32 else words.view(np.int32 if type_.is_signed else np.uint32)


def register_values(frame: Frame | PreviousState, slot: int, row: int, type_: Type) -> NDArray[Any]:
    """Return the 32 values of a register of machine code, whose values of 64 bits lie in a pair of registers."""
    if not type_.is_wide:
        return lane_values(frame, slot, row, type_)
    return np.ascontiguousarray(frame.registers32[slot, row : row + 2].T).view(DTYPES[type_])[:, 0]


def decoded(patterns: NDArray[Any], small: str) -> NDArray[Any]:
    """Return the numbers that patterns of 16 bits stand for, as float32 of the same shape; values of other types, of
    which ``small`` is '', as they are."""
    if not small:
        return patterns
    bits = patterns.astype(np.uint16)
    return bits.view(np.float16).astype(np.float32) if small == HALF else (bits.astype(np.uint32) << 16).view("f4")


def thousands(value: int) -> str:
    """Return the number with a narrow space between groups of three digits."""
    return f"{value:,}".replace(",", NARROW_SPACE)


def number(value: Any, type_: Type, mask: bool = False) -> str:
    """Return one value as a text, as short as it can be without hiding what matters; a ``mask`` in hexadecimal."""
    if mask:
        return f"0x{int(value) & 0xFFFFFFFF:x}"
    if type_.is_float:
        v = float(value)
        if v != v:
            return "NaN"
        if v in (float("inf"), float("-inf")):
            return "∞" if v > 0 else "−∞"
        text = f"{v:.5g}"
        return text.replace("e+0", "e").replace("e-0", "e-").replace("e+", "e").replace("-", "−")
    if type_ is Type.PRED:
        return "true" if value else "false"
    return str(int(value)).replace("-", "−")


def numbers(values: NDArray[Any], type_: Type, mask: bool = False) -> list[str]:
    """Write many values in the same way; those that repeat are written once."""
    if mask:
        return [number(value, type_, mask) for value in values.tolist()]
    if type_.is_float or type_ is Type.PRED:
        bits = values.view(f"u{values.itemsize}").tolist()  # zeros of both signs are equal, their bits are not
        written: dict[int, str] = dict(zip(bits, values.tolist(), strict=True))
        for key, value in written.items():
            written[key] = number(value, type_)
        return [written[key] for key in bits]
    if values.size and values.min() < 0:
        return [str(value).replace("-", "−") for value in values.tolist()]
    return [str(value) for value in values.tolist()]


@dataclass(frozen=True)
class NamedRange:
    """Name a range of global memory that addresses can be told by. ``end`` is exclusive."""

    name: str
    base: int
    end: int
    element: Type | None
    element_bytes: int
    small: str = ""  # which of SMALL_FLOATS the elements are

    def index(self, address: int) -> int:
        return (address - self.base) // max(1, self.element_bytes)


class Buffers:
    """Hold the buffers of a launch: what its pointer parameters point at, bounded by allocations where known."""

    def __init__(self, program: Program, launch: Launch, allocations: Sequence[Allocation] = ()) -> None:
        starts = []
        for p in program.params:
            if p.is_pointer and p.row < len(launch.uniform64):
                name = p.path
                small = small_float(p.ctype, p.element)
                starts.append((int(launch.uniform64[p.row]), name, p.element, p.element_bytes, small))
        starts.sort(key=lambda s: s[0])
        found = []
        for k, (base, name, element, size, small) in enumerate(starts):
            held = next((a for a in allocations if a.base <= base < a.end), None)
            following = [s[0] for s in starts[k + 1 :] if s[0] > base]
            end = held.end if held else (following[0] if following else base + (1 << 40))
            found.append(NamedRange(name, base, end, element, size or (element.bytes if element else 1), small))
        named = {b.base for b in found}
        for a in allocations:
            if a.base not in named and not any(a.base <= b.base < a.end for b in found):
                found.append(NamedRange(a.name, a.base, a.end, None, 4))
        self.all = tuple(sorted(found, key=lambda b: b.base))

    def of(self, address: int) -> NamedRange | None:
        return next((b for b in self.all if b.base <= address < b.end), None)

    def name(self, address: int) -> str:
        """Return the element at an address, or the bare address where no buffer holds it."""
        buffer = self.of(address)
        if buffer is None:
            return f"0x{address:x}"
        inside = (address - buffer.base) % max(1, buffer.element_bytes)
        return f"{buffer.name}[{buffer.index(address)}]" + (f"+{inside}" if inside else "")


@cached_by_identity
def buffers_of(program: Program, launch: Launch, allocations: Sequence[Allocation]) -> Buffers:
    """Return the buffers of a launch, named once."""
    return Buffers(program, launch, allocations)


class LocalMemory(Buffers):
    """Hold a warp's local memory, where consecutive words belong to consecutive lanes."""

    def __init__(self) -> None:
        self.all = ()

    def name(self, address: int) -> str:
        return f"word {address // 128} of lane {address // 4 % 32}"


def shared_arrays(program: Program) -> tuple[Variable, ...]:
    """Return the shared variables of a kernel, by place."""
    found = {v.name: v for v in program.variables if v.space is Space.SHARED}
    return tuple(sorted(found.values(), key=lambda v: v.offset))


def scalars(program: Program, line: int | None) -> list[Variable]:
    """Return the scalar variables in registers that can be seen at a source line, innermost scope last."""
    return list(_scalars_at(program)(line))


@cached_by_identity
def _scalars_at(program: Program) -> Callable[[int | None], tuple[Variable, ...]]:
    @lru_cache(256)
    def at(line: int | None) -> tuple[Variable, ...]:
        found = [
            v
            for v in program.variables
            if v.row != NONE
            and v.space is Space.NONE
            and (line is None or not any(v.scope) or v.scope[0] <= line <= v.scope[1])
        ]
        by_name: dict[str, Variable] = {}
        for v in found:  # an inner variable hides an outer one of the same name
            held = by_name.get(v.name)
            if held is None or v.scope[0] >= held.scope[0]:
                by_name[v.name] = v
        return tuple(by_name.values())

    return at


@lru_cache(1024)
def lanes_of(mask: int) -> tuple[int, ...]:
    return tuple(lane for lane in range(32) if mask >> lane & 1)


def where_lanes_go(mask: int, name: Callable[[int], str]) -> str:
    """Return where the first three lanes and the last one go: enough to show the pattern."""
    lanes = lanes_of(mask)
    shown = [f"lane {lane} → {name(lane)}" for lane in lanes[:3]]
    if len(lanes) > 3:
        shown += (
            ["…", f"lane {lanes[-1]} → {name(lanes[-1])}"]
            if len(lanes) > 4
            else [f"lane {lanes[3]} → {name(lanes[3])}"]
        )
    return ",  ".join(shown)


@lru_cache(1024)
def ranges(mask: int) -> str:
    """Return the lanes of a mask in words: "0–15", "0, 2, 4, … 30", "3, 17"."""
    lanes = lanes_of(mask)
    if not lanes:
        return "none"
    if len(lanes) == 1:
        return str(lanes[0])
    steps = {b - a for a, b in itertools.pairwise(lanes)}
    if len(steps) == 1:
        step = steps.pop()
        if step == 1:
            return f"{lanes[0]}–{lanes[-1]}" if len(lanes) > 2 else f"{lanes[0]}, {lanes[1]}"
        if len(lanes) > 4:
            return f"{lanes[0]}, {lanes[1]}, {lanes[2]}, … {lanes[-1]}"
    parts: list[list[int]] = []
    for lane in lanes:
        if parts and lane == parts[-1][-1] + 1:
            parts[-1].append(lane)
        else:
            parts.append([lane])
    shown = [f"{p[0]}–{p[-1]}" if len(p) > 2 else ", ".join(map(str, p)) for p in parts]
    return ", ".join(shown) if len(shown) <= 5 else ", ".join(shown[:3]) + ", … " + shown[-1]


def bar_ends(values: NDArray[Any]) -> list[tuple[float, float]]:
    """Return where the bar of each value begins and ends, in shares of the height, from the least value to the
    greatest: it goes from zero to the value."""
    held = np.nan_to_num(values.astype(np.float64), posinf=0.0, neginf=0.0)
    low, high = min(0.0, float(held.min())), max(0.0, float(held.max()))
    span = (high - low) or 1.0
    zero = -low / span
    return [(min(zero, end), max(zero, end)) for end in ((held - low) / span).tolist()]
