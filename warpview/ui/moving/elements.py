"""Describe the arrays of a run and their elements, by the names of the kernel's author. Qt-free."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from warpview.cached_by_identity import cached_by_identity
from warpview.diagnostics import WarpviewError
from warpview.isa.program import Program, Variable
from warpview.isa.textures import DESCRIPTOR_BYTES
from warpview.isa.types import Space, Type, small_float
from warpview.sim.launch import Launch
from warpview.sim.memory import Allocation
from warpview.trace.access_log import Extent
from warpview.ui.drawing.values import NamedRange, buffers_of, shared_arrays

if TYPE_CHECKING:
    from warpview.ui.views.context import RunLike

_ELEMENT = re.compile(r"\s*([A-Za-z_][\w.]*)\s*((?:\[\s*\d+\s*\]\s*)*)")


@dataclass(frozen=True)
class Element:
    """Name an element of an array: ``size`` bytes from ``address`` of a space, in shared memory of one ``block``."""

    name: str
    space: Space
    address: int
    size: int
    block: int = -1

    @property
    def extent(self) -> Extent:
        return Extent(self.space, self.address, self.size, 1, self.block)

    @property
    def words(self) -> str:
        return f"{self.name} of block {self.block}" if self.block >= 0 else self.name


@dataclass(frozen=True)
class MemoryArray:
    """Describe an array in global or in a block's shared memory: ``dims`` elements of ``size`` bytes from ``base``.

    Where the source has structs or vectors of numbers of one kind, ``numbers`` of them in each, the last of ``dims``
    are these numbers.
    """

    name: str
    space: Space
    base: int
    size: int
    dims: tuple[int, ...]
    kind: Type | None
    block: int = -1
    numbers: int = 1
    small: str = ""
    """which of SMALL_FLOATS the elements are, whose patterns are of ``kind``"""

    @property
    def shown(self) -> Type | None:
        """Return the type in which the elements are shown: halves and bfloat16 as float."""
        return Type.F32 if self.small else self.kind

    @property
    def count(self) -> int:
        return prod(self.dims)

    @property
    def extent(self) -> Extent:
        return Extent(self.space, self.base, self.size, self.count, self.block)

    @property
    def declared(self) -> str:
        return self.name + "".join(f"[{n}]" for n in (self.dims if self.numbers == 1 else self.dims[:-1]))

    def element_name(self, index: int) -> str:
        """Return the element as the source has it: shared arrays by all their indices, global ones, which are pointers,
        by one."""
        if self.numbers > 1:
            within = index % self.numbers
            whole = replace(self, dims=self.dims[:-1], numbers=1).element_name(index // self.numbers)
            return whole + (f" + {within * self.size} bytes" if within else "")
        if self.space is Space.GLOBAL:
            return f"{self.name}[{index}]"
        parts: list[int] = []
        for size in reversed(self.dims[1:]):
            parts.insert(0, index % size)
            index //= size
        return self.name + "".join(f"[{p}]" for p in [index, *parts])

    def element(self, index: int) -> Element:
        return Element(self.element_name(index), self.space, self.base + index * self.size, self.size, self.block)

    def index(self, indices: list[int]) -> int | None:
        """Return the element at one index, or at one for each dimension; None where there is none."""
        if not indices and self.count == 1:
            return 0
        if len(indices) == 1:
            return indices[0] if indices[0] < self.count else None
        if len(indices) != len(self.dims) or any(i >= n for i, n in zip(indices, self.dims, strict=True)):
            return None
        found = 0
        for i, n in zip(indices, self.dims, strict=True):
            found = found * n + i
        return found


def shared_array(run: RunLike, variable: Variable, block: int) -> MemoryArray:
    """Return a shared variable in one block; an ``extern`` array goes up to the end of the launch's memory."""
    size = max(1, variable.element_bytes)
    dims = variable.dims or (1,)
    if not dims[0]:
        whole = run.program.static_shared_bytes + run.launch.dynamic_shared_bytes
        dims = (max(0, whole - variable.offset) // size // max(1, prod(dims[1:])), *dims[1:])
    small = small_float(variable.ctype, variable.type)
    return MemoryArray(variable.name, Space.SHARED, variable.offset, size, dims, variable.type, block, small=small)


def global_array(run: RunLike, buffer: NamedRange) -> MemoryArray:
    """Return a buffer in the shape that it was passed in."""
    size = max(1, buffer.element_bytes)
    count = (buffer.end - buffer.base) // size
    shape = run.shapes.get(buffer.name, ())
    dims = shape if len(shape) > 1 and prod(shape) == count else (count,)
    return MemoryArray(buffer.name, Space.GLOBAL, buffer.base, size, dims, buffer.element, small=buffer.small)


def texture_arrays(run: RunLike) -> dict[int, MemoryArray]:
    """Return an array for each parameter that is a texture or surface object, under the parameter's name, by the
    address of the object."""
    kept = _kept(run.program, run.launch, run.allocations)
    if not kept:  # reading memory has the trace go back to its beginning
        kept.append(dict(_found(run)))
    return kept[0]


@cached_by_identity
def _kept(program: Program, launch: Launch, allocations: Sequence[Allocation]) -> list[dict[int, MemoryArray]]:
    return []


def _found(run: RunLike) -> Iterator[tuple[int, MemoryArray]]:
    """Read the objects: the value of such a parameter is the address of an allocation that describes its texels."""
    for param in run.program.params:
        if param.is_pointer or not param.type.is_wide or param.row >= len(run.launch.uniform64):
            continue
        address = int(run.launch.uniform64[param.row])
        held = next((a for a in run.allocations if a.base == address), None)
        if held is None:
            continue
        from warpview.host.api.textures import memory_behind

        if held.size != DESCRIPTOR_BYTES:
            continue
        texels = memory_behind(run.trace.global_values(0, address, held.size, np.uint8).tobytes())
        if texels.component is not None and any(a.base <= texels.address < a.end for a in run.allocations):
            dims = (texels.rows, texels.columns) if texels.rows > 1 else (texels.columns,)
            size = texels.component.bytes
            yield address, MemoryArray(param.path, Space.GLOBAL, texels.address, size, dims, texels.component)


def arrays_of(run: RunLike, block: int) -> list[MemoryArray]:
    """Return every array that the kernel can access, its own shared ones first."""
    shared = [shared_array(run, v, block) for v in shared_arrays(run.program)]
    buffers = buffers_of(run.program, run.launch, run.allocations)
    textures = texture_arrays(run)
    told = {*textures, *(texture.base for texture in textures.values())}
    return [*shared, *textures.values(), *(global_array(run, b) for b in buffers.all if b.base not in told)]


def find_element(run: RunLike, block: int, text: str) -> Element:
    """Return the element that a text such as "out[17]" names; WarpviewError says what there is instead."""
    arrays = arrays_of(run, block)
    if not arrays:
        raise WarpviewError("this kernel has no arrays")
    match = _ELEMENT.fullmatch(text)
    array = next((a for a in arrays if match and a.name == match[1]), None)
    if match is None or array is None:
        raise WarpviewError(f"there is no '{text.strip()}'; there are {', '.join(a.declared for a in arrays)}")
    index = array.index([int(n) for n in re.findall(r"\d+", match[2])])
    if index is None:
        raise WarpviewError(f"'{text.strip()}' is not an element of {array.declared}")
    return array.element(index)


def same_in(run: RunLike, element: Element | None) -> Element | None:
    """Return the element of the same name in another run, where there is one."""
    try:
        return None if element is None else find_element(run, max(0, element.block), element.name)
    except WarpviewError:
        return None
