"""Copy the user's arrays and numbers to device memory and to the uniform rows of a launch."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from warpview.argument_checks import whole_number
from warpview.diagnostics import LaunchError, SourceText
from warpview.isa.program import NONE, Param, Program, Special
from warpview.isa.types import Type
from warpview.sim.arguments.constant_banks import fill_constant_rows
from warpview.sim.arguments.untyped_structs import packed
from warpview.sim.arguments.values import DTYPES, bits32, bits64, check_dtype, device_bytes, shape_of
from warpview.sim.launch import Dim3, Launch
from warpview.sim.memory import DEVICE_VARIABLES, Allocation, DeviceMemory


@dataclass(frozen=True, eq=False)
class Buffer:
    """Represent a pointer into ``array``, ``offset`` elements from its start. Two pointers into one array share
    memory."""

    array: NDArray[np.generic]
    offset: int = 0


@dataclass(frozen=True, eq=False)
class Uninitialised:
    """Represent a buffer that nobody has written: reading it before writing is a finding."""

    shape: int | tuple[int, ...]
    dtype: DTypeLike = np.float32


Argument = object  # NDArray | Buffer | Uninitialised | number | Mapping for a struct by value


@dataclass(frozen=True)
class BoundBuffer:
    """Locate the array of a pointer parameter in device memory."""

    allocation: Allocation
    shape: tuple[int, ...]
    dtype: np.dtype[np.generic]

    def read(self, memory: DeviceMemory) -> NDArray[np.generic]:
        """Return a copy of the array's present contents, in the byte order in which it was passed."""
        raw = memory.data[self.allocation.base : self.allocation.end]
        values = raw.copy().view(self.dtype.newbyteorder("=")).reshape(self.shape)
        return values.astype(self.dtype, copy=False)


@dataclass(frozen=True)
class Binding:
    """Hold the memory as laid out, and the launch that goes with it."""

    launch: Launch
    memory: DeviceMemory
    buffers: Mapping[str, BoundBuffer]


class BufferAllocator:
    """Place the buffers of one or several launches in device memory; an array that is given twice is one
    allocation."""

    def __init__(self, memory: DeviceMemory | None = None) -> None:
        self.memory = memory or DeviceMemory()
        # By identity, together with the object: as long as it is held its identity cannot be taken by another.
        self._placed: dict[int, tuple[object, BoundBuffer]] = {}
        self._images: dict[tuple[SourceText, bytes], NDArray[np.uint8]] = {}

    def place(self, name: str, array: NDArray[np.generic]) -> BoundBuffer:
        """Return the buffer that holds a copy of ``array``."""
        if id(array) not in self._placed:
            contents = device_bytes(array)
            allocation = self.memory.allocate(name, contents.size, contents)
            self._placed[id(array)] = array, BoundBuffer(allocation, array.shape, array.dtype)
        return self._placed[id(array)][1]

    def place_variables(self, program: Program) -> int:
        """Return the address of the ``__device__`` variables of a program: one buffer with their initial values for all
        launches from the same source."""
        key = (program.source, program.device_bytes)
        is_new = key not in self._images
        image = self._images.setdefault(key, np.frombuffer(program.device_bytes, np.uint8).copy())
        base = self.place(DEVICE_VARIABLES, image).allocation.base
        if is_new:
            for at, target in program.device_pointers:
                image[at : at + 8] = list((base + target).to_bytes(8, "little"))
        return base

    def reserve(self, name: str, blank: Uninitialised) -> BoundBuffer:
        """Return the buffer of that shape that nobody has written."""
        if id(blank) not in self._placed:
            dtype = np.dtype(blank.dtype)
            shape = shape_of(blank.shape, f"'{name}'")
            allocation = self.memory.allocate(name, math.prod(shape) * dtype.itemsize, None)
            self._placed[id(blank)] = blank, BoundBuffer(allocation, shape, dtype)
        return self._placed[id(blank)][1]


def _typed(param: Param, value: Argument) -> Param:
    """Return a parameter of which only the size is known, with the type that the value suggests: an array makes a
    pointer, a float a float of its size, anything else stays an integer. Raises LaunchError where the sizes differ."""
    size = param.type.bytes
    if value is None or isinstance(value, (np.ndarray, Buffer, Uninitialised)):
        if size != 8:
            raise LaunchError(f"parameter '{param.path}' has {size} bytes, and a pointer 8: pass a number")
        return replace(param, is_pointer=True)
    if isinstance(value, (float, np.floating)):
        if size not in (4, 8):
            raise LaunchError(f"parameter '{param.path}' has {size} bytes: pass an integer, not a float")
        return replace(param, type=Type.F64 if size == 8 else Type.F32)
    return param


class _Binder:
    """Collect the uniform rows of one launch, one parameter after another."""

    def __init__(self, program: Program, pool: BufferAllocator) -> None:
        self.program = program
        self.pool = pool
        self.uniform32 = np.zeros(program.first_virtual32, dtype=np.uint32)
        self.uniform64 = np.zeros(program.first_virtual64, dtype=np.uint64)
        self.buffers: dict[str, BoundBuffer] = {}
        self._structs: dict[str, bytes] = {}  # those of which only sizes are known, by the parameter

    def constants(self) -> None:
        for row, bits in self.program.constants32.items():
            self.uniform32[row] = bits
        for row, bits in self.program.constants64.items():
            self.uniform64[row] = bits

    def device_variables(self) -> None:
        if self.program.device_bytes:
            self.uniform64[self.program.device_row] = self.pool.place_variables(self.program)

    def parameter(self, param: Param, value: Argument) -> None:
        if param.untyped:
            param = _typed(param, value)
        if param.is_pointer:
            self.uniform64[param.row] = self._pointer(param, value)
        elif param.type.is_wide:
            self.uniform64[param.row] = bits64(param, value)
        else:
            self.uniform32[param.row] = bits32(param, value)

    def piece(self, param: Param, value: Argument) -> bytes:
        """Return the bytes of a part of a struct of which only the size is known."""
        if param.name not in self._structs:
            size = max(p.offset + p.type.bytes for p in self.program.params if p.name == param.name)
            self._structs[param.name] = packed(param.name, value, size, self._address)
        return self._structs[param.name][param.offset : param.offset + param.type.bytes]

    def _address(self, path: str, value: object) -> int | None:
        """Return the address of a field that is a pointer; None of another one."""
        is_array = isinstance(value, np.ndarray) and value.ndim > 0
        if not (value is None or is_array or isinstance(value, (Buffer, Uninitialised))):
            return None
        return self._pointer(Param(path, "8 bytes", Type.U64, NONE, True, untyped=True), value)

    def raw(self, param: Param, value: bytes) -> None:
        """Take a parameter, or a field of one, as its bytes in memory."""
        scalar = np.frombuffer(value, DTYPES[param.type])[0]
        if param.type == Type.PRED:
            self.uniform32[param.row] = int(scalar != 0)
        elif param.type.is_wide:
            self.uniform64[param.row] = scalar.view(np.uint64)
        elif param.type == Type.F32:
            self.uniform32[param.row] = scalar.view(np.uint32)
        else:
            self.uniform32[param.row] = int(scalar) & 0xFFFFFFFF
        if param.is_pointer:
            self._note_buffer(param, int(self.uniform64[param.row]))

    def _note_buffer(self, param: Param, address: int) -> None:
        """Remember the allocation that a pointer leads into, as an array of what the pointer points at."""
        allocation = next((a for a in self.pool.memory.allocations if a.base <= address < a.end), None)
        if allocation is not None:
            dtype = DTYPES[param.element] if param.element is not None else np.dtype(np.uint8)
            size = allocation.size // dtype.itemsize
            whole = Allocation(allocation.name, allocation.base, size * dtype.itemsize, allocation.initialised)
            self.buffers[param.path] = BoundBuffer(whole, (size,), dtype)

    def _pointer(self, param: Param, value: Argument) -> int:
        if value is None:
            return 0
        if isinstance(value, Buffer):
            bound = self._place(param, np.asarray(value.array))
            offset = whole_number(value.offset, f"the offset into '{param.path}'", 0, math.prod(bound.shape))
            return bound.allocation.base + offset * bound.dtype.itemsize
        if isinstance(value, Uninitialised):
            return self._reserve(param, value).allocation.base
        if isinstance(value, np.ndarray):
            return self._place(param, value).allocation.base
        raise LaunchError(
            f"parameter '{param.path}' is a pointer ({param.ctype}): pass a numpy array, not {type(value).__name__}"
        )

    def _place(self, param: Param, array: NDArray[np.generic]) -> BoundBuffer:
        check_dtype(f"parameter '{param.path}'", param.ctype, param.element, array.dtype)
        bound = self.buffers[param.path] = self.pool.place(param.path, array)
        return bound

    def _reserve(self, param: Param, blank: Uninitialised) -> BoundBuffer:
        check_dtype(f"parameter '{param.path}'", param.ctype, param.element, _dtype(blank))
        bound = self.buffers[param.path] = self.pool.reserve(param.path, blank)
        return bound


def _dtype(blank: Uninitialised) -> np.dtype[np.generic]:
    try:
        dtype = np.dtype(blank.dtype)
    except (TypeError, ValueError):
        dtype = np.dtype([])
    if not dtype.itemsize:
        raise LaunchError(f"Uninitialised needs the type of its elements, such as np.float32, not {blank.dtype!r}")
    return dtype


def _by_name(program: Program, args: Sequence[Argument] | Mapping[str, Argument]) -> dict[str, Argument]:
    """Return arguments by parameter name, complete and with none too many."""
    names = list(dict.fromkeys(p.name for p in program.params))
    signature = f"{program.kernel}({', '.join(names)})"
    if isinstance(args, Mapping):
        for name in args:
            if name not in names:
                near = difflib.get_close_matches(str(name), names, 1)
                hint = f"; did you mean '{near[0]}'?" if near else ""
                raise LaunchError(f"{signature} has no parameter '{name}'{hint}")
        missing = [param.path for param in program.params if param.name not in args]
        if missing:
            raise LaunchError(f"{signature}: no value for {', '.join(repr(m) for m in missing)}")
        return dict(args)
    if not isinstance(args, (list, tuple)):
        raise LaunchError(f"{signature}: pass the arguments as a list or as a dict by name, not {type(args).__name__}")
    if len(args) != len(names):
        raise LaunchError(f"{signature} takes {len(names)} arguments, not {len(args)}")
    return dict(zip(names, args, strict=True))


def _value_of(param: Param, value: Argument) -> Argument:
    """Return the value itself, or the part of a struct passed by value that ``param.field`` names, such as
    ``.q.y[1]``."""
    inner: Any = value
    for step in param.steps:
        try:
            inner = _field(inner, step) if isinstance(step, str) else inner[step]
        except (KeyError, IndexError, ValueError):
            raise LaunchError(f"parameter '{param.name}': no value for field '{param.field.lstrip('.')}'") from None
        except TypeError:
            raise LaunchError(f"parameter '{param.name}' is a struct: pass a dict of its fields") from None
    part: Argument = inner
    return part


def _field(value: Any, name: str) -> Any:
    """Return a field of a dict or numpy record; the components of a vector type may also come as a sequence."""
    if isinstance(value, (tuple, list)) and name in "xyzw":
        return value["xyzw".index(name)]
    return value[name]


def bind(
    program: Program,
    grid: Dim3,
    block: Dim3,
    args: Sequence[Argument] | Mapping[str, Argument],
    dynamic_shared_bytes: int,
    pool: BufferAllocator | None = None,
    cluster: Dim3 = (1, 1, 1),
    multiprocessors: int = 1,
) -> Binding:
    """Place the buffers (in ``pool``, where launches share them) and fill the uniform rows. Extents are in blocks
    (``grid``, ``cluster``) and threads (``block``).

    Raises LaunchError, naming the parameter, where a value is unfit.
    """
    values = _by_name(program, args)
    binder = _Binder(program, pool or BufferAllocator())
    binder.constants()
    for param in program.params:
        if param.untyped and param.field:
            binder.raw(param, binder.piece(param, values[param.name]))
        else:
            binder.parameter(param, _value_of(param, values[param.name]))
    if program.device_row != NONE:
        binder.device_variables()
    return _binding(binder, grid, block, dynamic_shared_bytes, cluster, multiprocessors)


def _binding(
    binder: _Binder, grid: Dim3, block: Dim3, dynamic_shared_bytes: int, cluster: Dim3, multiprocessors: int
) -> Binding:
    """Return the launch with the arguments and buffers that ``binder`` has collected."""
    binder.uniform32[Special.NTID_X : Special.NTID_Z + 1] = block
    binder.uniform32[Special.NCTAID_X : Special.NCTAID_Z + 1] = grid
    binder.uniform32[Special.CLUSTER_X : Special.CLUSTER_Z + 1] = cluster
    memory = binder.pool.memory
    memory.launches += 1
    launch = Launch(
        grid, block, dynamic_shared_bytes, binder.uniform32, binder.uniform64, cluster, multiprocessors, memory.launches
    )
    if binder.program.native is not None:
        fill_constant_rows(binder.program, binder.program.native, launch)
    return Binding(launch, memory, binder.buffers)


def bind_bytes(
    program: Program,
    grid: Dim3,
    block: Dim3,
    args: Sequence[bytes],
    dynamic_shared_bytes: int,
    memory: DeviceMemory,
    cluster: Dim3 = (1, 1, 1),
    multiprocessors: int = 1,
) -> Binding:
    """Bind the arguments of a launch as a host program passes them: the bytes of each parameter in the host's layout,
    pointers being addresses in ``memory``. ``buffers`` of the result are the allocations that pointers lead to.

    Raises LaunchError where the number of arguments or the size of one is not the kernel's.
    """
    names = list(dict.fromkeys(p.name for p in program.params))
    if len(args) != len(names):
        raise LaunchError(f"the kernel {program.kernel} takes {len(names)} arguments, not {len(args)}")
    values = dict(zip(names, args, strict=True))
    binder = _Binder(program, BufferAllocator(memory))
    binder.constants()
    for param in program.params:
        part = values[param.name][param.offset : param.offset + param.type.bytes]
        if len(part) != param.type.bytes:
            raise LaunchError(f"parameter '{param.name}' is {param.ctype}: {len(values[param.name])} bytes are too few")
        binder.raw(param, part)
    return _binding(binder, grid, block, dynamic_shared_bytes, cluster, multiprocessors)
