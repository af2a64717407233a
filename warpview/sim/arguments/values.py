"""Check the values of a launch (extents, scalars, element types) and convert them to what the simulator stores.

Every function raises LaunchError with a sentence that names the argument.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Iterable, Mapping
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from warpview.argument_checks import whole_number
from warpview.diagnostics import LaunchError
from warpview.isa.program import Param, Program, Variable
from warpview.isa.types import HALF, Type, small_float
from warpview.sim.launch import Dim3

DTYPES: dict[Type, np.dtype[np.generic]] = {
    Type.U8: np.dtype(np.uint8), Type.S8: np.dtype(np.int8), Type.U16: np.dtype(np.uint16),
    Type.S16: np.dtype(np.int16), Type.U32: np.dtype(np.uint32), Type.S32: np.dtype(np.int32),
    Type.U64: np.dtype(np.uint64), Type.S64: np.dtype(np.int64), Type.F32: np.dtype(np.float32),
    Type.F64: np.dtype(np.float64), Type.PRED: np.dtype(np.uint8),
}  # fmt: skip
_VECTOR = re.compile(r"(const )?u?(char|short|int|long|longlong|float|double)[1-4]")


def dim3(value: SupportsIndex | Iterable[SupportsIndex], what: str) -> Dim3:
    """Return one to three positive extents as (x, y, z); ``what`` is 'grid' or 'block'."""
    complaint = f"{what} must be one to three whole numbers of at least 1, not {value!r}"
    try:
        parts = [value] if isinstance(value, SupportsIndex) and np.ndim(value) == 0 else list(value)  # type: ignore[arg-type]
        extents = [operator.index(part) for part in parts]
    except TypeError:
        raise LaunchError(complaint) from None
    if not 1 <= len(extents) <= 3 or any(extent < 1 for extent in extents):
        raise LaunchError(complaint)
    x, y, z = (*extents, 1, 1)[:3]
    return x, y, z


def shape_of(value: object, what: str) -> tuple[int, ...]:
    """Return the shape of a buffer, one extent or several, none of them negative."""
    extents = list(value) if isinstance(value, (tuple, list)) else [value]
    return tuple(whole_number(extent, f"the shape of {what}", 0) for extent in extents)


def check_dtype(what: str, ctype: str, element: Type | None, dtype: np.dtype[np.generic]) -> None:
    """Refuse arrays of another element type. Integers of one size pass for one another, as a C cast would have it."""
    if dtype.hasobject:
        raise LaunchError(f"{what} is {ctype}: an array of Python objects cannot be copied to a device")
    if element is None or dtype.fields is not None:
        return
    wanted, given = DTYPES[element], dtype.newbyteorder("=")
    # Halves are structs that hold their pattern.
    integers = wanted.kind in "iu" and (given.kind in "iub" or given == np.float16)
    if given != wanted and not (integers and given.itemsize == wanted.itemsize):
        raise LaunchError(f"{what} is {ctype}: pass an array of {wanted}, not of {dtype}")


def device_bytes(array: NDArray[np.generic]) -> NDArray[np.uint8]:
    """Return the elements of ``array`` in C order and native byte order: uint8[array.nbytes]."""
    native = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))
    return native.reshape(-1).view(np.uint8)


def bits32(param: Param, value: object) -> int:
    """Return the bits of a scalar in a row of the 32-bit register file."""
    number = _number(param, value)
    small = HALF if isinstance(value, np.float16) else small_float(param.ctype, param.type)
    if small and param.type == Type.U16 and not isinstance(value, np.uint16):  # which is the pattern itself
        return int(small_patterns(np.array(_real(param, number)), small))
    if param.type == Type.F32:
        with np.errstate(over="ignore"):  # as a C cast: infinity
            return int(np.float32(_real(param, number)).view(np.uint32))
    if param.type == Type.PRED:
        return int(bool(number))
    integer = _integer(param, number)
    wrapped = np.array([integer & 0xFFFFFFFF], dtype=np.uint32).astype(DTYPES[param.type])
    return int(wrapped.astype(np.int64)[0]) & 0xFFFFFFFF


def small_patterns(numbers: NDArray[Any], small: str) -> NDArray[np.uint16]:
    """Return the patterns of the halves or bfloat16, as ``small`` says, that are nearest to numbers, ties to the even
    one, as ``__float2half`` and ``__float2bfloat16`` have it."""
    with np.errstate(over="ignore"):  # infinity
        if small == HALF:
            return numbers.astype(np.float16).view(np.uint16)
        bits = numbers.astype(np.float32).view(np.uint32)
    rounded = (bits.astype(np.uint64) + 0x7FFF + (bits >> 16 & 1)) >> 16
    return np.where(np.isnan(numbers), 0x7FFF, rounded).astype(np.uint16)


def bits64(param: Param, value: object) -> int:
    """Return the bits of a scalar in a row of the 64-bit register file."""
    number = _number(param, value)
    if param.type == Type.F64:
        return int(np.float64(_real(param, number)).view(np.uint64))
    return _integer(param, number) & 0xFFFFFFFFFFFFFFFF


def _number(param: Param, value: object) -> int | float:
    if isinstance(value, (np.number, np.bool_)) and not np.iscomplexobj(value):
        value = value.item()
    if isinstance(value, (bool, int, float)):
        return value
    raise LaunchError(f"parameter '{param.path}' is {param.ctype}: pass a number, not {type(value).__name__}")


def _real(param: Param, number: int | float) -> float:
    try:
        return float(number)
    except OverflowError:
        raise LaunchError(f"parameter '{param.path}' is {param.ctype}: {number} does not fit") from None


def _integer(param: Param, number: int | float) -> int:
    if isinstance(number, float) and not (math.isfinite(number) and number == int(number)):
        raise LaunchError(f"parameter '{param.path}' is {param.ctype}: {number} is not a whole number")
    bits = 8 * param.type.bytes
    if not -(1 << (bits - 1)) <= number < 1 << bits:
        raise LaunchError(f"parameter '{param.path}' is {param.ctype}: {number} does not fit")
    return int(number)


# ---- __constant__ variables


def constant_image(program: Program, constants: Mapping[str, ArrayLike]) -> bytes:
    """Return the constant memory of ``program`` with the named ``__constant__`` variables filled in from the start.

    Lists and tuples are converted to the element type where every value fits it; arrays must have it.
    """
    image = bytearray(program.constant_bytes)
    symbols = {symbol.name: symbol for symbol in program.constant_symbols}
    for name, values in constants.items():
        symbol = symbols.get(name)
        if symbol is None:
            known = ", ".join(symbols) or "none"
            raise LaunchError(f"the kernel {program.kernel} has no __constant__ variable '{name}' (it has: {known})")
        raw = device_bytes(_constant_array(symbol, values)).tobytes()
        size = symbol.element_bytes * math.prod(symbol.dims or (1,))
        if len(raw) > size:
            raise LaunchError(f"constant '{name}' holds {size} bytes, not {len(raw)}")
        image[symbol.offset : symbol.offset + len(raw)] = raw
    return bytes(image)


def _constant_array(symbol: Variable, values: ArrayLike) -> NDArray[np.generic]:
    what = f"constant '{symbol.name}'"
    scalar = symbol.element_bytes == symbol.type.bytes or _VECTOR.fullmatch(symbol.ctype)
    if isinstance(values, (np.ndarray, np.generic)):
        array = np.asarray(values)
        check_dtype(what, symbol.ctype, symbol.type if scalar else None, array.dtype)
        return array
    if not scalar:
        raise LaunchError(f"{what} is {symbol.ctype}: pass a numpy array of its fields")
    return _converted(what, symbol, values)


def _converted(what: str, symbol: Variable, values: ArrayLike) -> NDArray[np.generic]:
    """Return Python numbers as an array of the symbol's element type."""
    dtype = DTYPES[symbol.type]
    try:
        given = np.asarray(values)
        if given.dtype.kind not in "iufb":
            raise ValueError
        with np.errstate(all="ignore"):
            array: NDArray[np.generic] = given.astype(dtype)
    except (ValueError, TypeError, OverflowError):
        raise LaunchError(f"{what} is {symbol.ctype}: pass numbers, not {values!r}") from None
    if dtype.kind in "iu" and not np.array_equal(array.astype(object), given.astype(object)):
        raise LaunchError(f"{what} is {symbol.ctype}: {values!r} does not fit {dtype}")
    return array
