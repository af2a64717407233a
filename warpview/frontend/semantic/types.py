"""Name the types of CUDA C, and apply the rules of C about them."""

from __future__ import annotations

from dataclasses import replace

from warpview.frontend.semantic.type_forms import KNOWN_GROUPS as KNOWN_GROUPS
from warpview.frontend.semantic.type_forms import UNNAMED_MEMBER as UNNAMED_MEMBER
from warpview.frontend.semantic.type_forms import Array as Array
from warpview.frontend.semantic.type_forms import BitMember as BitMember
from warpview.frontend.semantic.type_forms import BitPiece as BitPiece
from warpview.frontend.semantic.type_forms import Closure as Closure
from warpview.frontend.semantic.type_forms import CType as CType
from warpview.frontend.semantic.type_forms import Enum as Enum
from warpview.frontend.semantic.type_forms import FunctionSignature as FunctionSignature
from warpview.frontend.semantic.type_forms import Group as Group
from warpview.frontend.semantic.type_forms import MemberPointer as MemberPointer
from warpview.frontend.semantic.type_forms import NullPointerType as NullPointerType
from warpview.frontend.semantic.type_forms import Pointer as Pointer
from warpview.frontend.semantic.type_forms import Reference as Reference
from warpview.frontend.semantic.type_forms import ReferenceMember as ReferenceMember
from warpview.frontend.semantic.type_forms import Scalar as Scalar
from warpview.frontend.semantic.type_forms import Struct as Struct
from warpview.frontend.semantic.type_forms import StructField as StructField
from warpview.frontend.semantic.type_forms import StructInfo as StructInfo
from warpview.frontend.semantic.type_forms import Void as Void
from warpview.isa.types import Type

VOID = Void()
NULLPTR = NullPointerType(VOID)
BOOL = Scalar("bool", Type.U8, 0)
CHAR = Scalar("char", Type.S8, 1)
SCHAR = Scalar("signed char", Type.S8, 1)
UCHAR = Scalar("unsigned char", Type.U8, 1)
SHORT = Scalar("short", Type.S16, 2)
USHORT = Scalar("unsigned short", Type.U16, 2)
INT = Scalar("int", Type.S32, 3)
UINT = Scalar("unsigned int", Type.U32, 3)
LONG = Scalar("long", Type.S64, 4)
ULONG = Scalar("unsigned long", Type.U64, 4)
LONGLONG = Scalar("long long", Type.S64, 5)
ULONGLONG = Scalar("unsigned long long", Type.U64, 5)
FLOAT = Scalar("float", Type.F32, 10)
DOUBLE = Scalar("double", Type.F64, 11)

_UNSIGNED = {INT: UINT, LONG: ULONG, LONGLONG: ULONGLONG}

# Names that the headers of CUDA give to plain types.
TYPEDEFS: dict[str, CType] = {
    "nullptr_t": NULLPTR,
    "size_t": ULONG, "ssize_t": LONG, "ptrdiff_t": LONG, "intptr_t": LONG, "uintptr_t": ULONG,
    "int8_t": SCHAR, "uint8_t": UCHAR, "int16_t": SHORT, "uint16_t": USHORT, "int32_t": INT, "uint32_t": UINT,
    "int64_t": LONG, "uint64_t": ULONG, "uint": UINT, "uchar": UCHAR, "ushort": USHORT, "ulong": ULONG,
    "clock_t": LONG, "intmax_t": LONG, "uintmax_t": ULONG, "wchar_t": INT, "char16_t": USHORT, "char32_t": UINT,
    "int_least8_t": SCHAR, "uint_least8_t": UCHAR, "int_least16_t": SHORT, "uint_least16_t": USHORT,
    "int_least32_t": INT, "uint_least32_t": UINT, "int_least64_t": LONG, "uint_least64_t": ULONG,
    "int_fast8_t": SCHAR, "uint_fast8_t": UCHAR, "int_fast16_t": SHORT, "uint_fast16_t": USHORT,
    "int_fast32_t": INT, "uint_fast32_t": UINT, "int_fast64_t": LONG, "uint_fast64_t": ULONG,
}  # fmt: skip

# Functions that read the bits of a number as another type: name -> (from, to).
BIT_CASTS: dict[str, tuple[Scalar, Scalar]] = {
    "__float_as_int": (FLOAT, INT), "__float_as_uint": (FLOAT, UINT),
    "__int_as_float": (INT, FLOAT), "__uint_as_float": (UINT, FLOAT),
    "__double_as_longlong": (DOUBLE, LONGLONG), "__longlong_as_double": (LONGLONG, DOUBLE),
}  # fmt: skip

_VECTOR_BASES = {
    "char": SCHAR, "uchar": UCHAR, "short": SHORT, "ushort": USHORT, "int": INT, "uint": UINT, "long": LONG,
    "ulong": ULONG, "longlong": LONGLONG, "ulonglong": ULONGLONG, "float": FLOAT, "double": DOUBLE,
}  # fmt: skip


def _vector(name: str, base: Scalar, lanes: int, align: int = 0) -> StructInfo:
    # CUDA aligns vectors of 2 and 4 to their size, at most 16; those of 1 and 3 to their element.
    align = align or (min(16, base.size * lanes) if lanes in (2, 4) else base.size)
    fields = tuple(StructField("xyzw"[i], base, i * base.size) for i in range(lanes))
    return StructInfo(name, fields, base.size * lanes, align, is_vector=True)


VECTORS: dict[str, StructInfo] = {
    f"{name}{lanes}": _vector(f"{name}{lanes}", base, lanes)
    for name, base in _VECTOR_BASES.items()
    for lanes in (1, 2, 3, 4)
} | {"dim3": _vector("dim3", UINT, 3)}
VECTORS |= {  # those of 32 bytes that CUDA 13 brought, with their alignment in their names
    f"{name}4_{align}a": _vector(f"{name}4_{align}a", base, 4, align)
    for name, base in _VECTOR_BASES.items()
    for align in (16, 32)
    if base.size == 8
}
VECTORS["dim3"].is_constructed = True  # its members are 1 unless they are given a value


def _words(name: str, **fields: CType) -> tuple[str, StructInfo]:
    members = tuple(StructField(field, type, 8 * k) for k, (field, type) in enumerate(fields.items()))
    return name, StructInfo(name, members, 8 * len(members), 8)


# Structs of the runtime that kernels are passed, all of members of 8 bytes.
RUNTIME_STRUCTS: dict[str, StructInfo] = dict((
    _words("cudaExtent", width=ULONG, height=ULONG, depth=ULONG),
    _words("cudaPos", x=ULONG, y=ULONG, z=ULONG),
    _words("cudaPitchedPtr", ptr=Pointer(VOID), pitch=ULONG, xsize=ULONG, ysize=ULONG),
))  # fmt: skip


def member_pointer(owner: CType, to: CType) -> MemberPointer:
    """Return the type of a pointer to a member of a struct."""
    return MemberPointer("", LONG, scoped=True, owner=plain(owner), to=to)


_AS_YOU = ("U", "uint", "uchar", "ushort", "ulong", "union", "user")  # begin names that are spoken with a consonant


def with_article(type: CType) -> str:
    """Return a type as a message names it: "an 'int'", "a 'float'"."""
    name = str(type)
    return f"{'an' if name[:1] in 'aeiouAEIOU' and not name.startswith(_AS_YOU) else 'a'} '{name}'"


def text(length: int) -> Array:
    """Return the type of a string literal of so many characters."""
    return Array(replace(CHAR, const=True), length)


def plain(type: CType) -> CType:
    """Return the type without qualifiers at its top, and without a reference."""
    if isinstance(type, Reference):
        return plain(type.to)
    return replace(type, const=False, volatile=False) if type.const or type.volatile else type


def with_plain_elements(type: CType, const: bool, volatile: bool) -> CType:
    """Return what a ``T`` is where ``const T``, ``volatile T`` or both is the type: the elements of an array are what
    is const about it."""
    if isinstance(type, Array):
        return replace(type, of=with_plain_elements(type.of, const, volatile))
    return replace(type, const=type.const and not const, volatile=type.volatile and not volatile)


def qualified_member(whole: CType, member: CType) -> CType:
    """Return the type of a member of an object, which is const or volatile where the object is."""
    if isinstance(member, BitMember):
        return replace(member, to=qualified_member(whole, member.to))
    whole = whole.to if isinstance(whole, Reference) else whole
    if isinstance(member, ReferenceMember):
        return member
    member = replace(member, volatile=True) if whole.volatile else member
    return replace(member, const=True) if whole.const and not isinstance(member, Array) else member


def is_const(type: CType) -> bool:
    """Return whether an object of a type stays as it is; an array does if its elements do."""
    return type.const or (isinstance(type, Array) and type.element.const)


def decayed(type: CType) -> CType:
    """Return the type of the value of an object: an array becomes a pointer to its first element, a function one to
    itself."""
    type = plain(type)
    if isinstance(type, FunctionSignature):
        return Pointer(type)
    return Pointer(type.of) if isinstance(type, Array) else type


def unqualified(type: CType) -> CType:
    """Return the type without any qualifier at any level: what two types must share to be the same to us."""
    type = plain(type)
    match type:
        case NullPointerType():
            return NULLPTR
        case Pointer(to=to):
            return Pointer(unqualified(to))
        case Array(of=of, length=length):
            return Array(unqualified(of), length)
    return type


def identity(type: CType) -> CType:
    """Return what tells one template argument from another: the type with its qualifiers, but for __restrict__."""
    match type:
        case Pointer(to=to):
            return replace(type, to=identity(to), restrict=False)
        case Reference(to=to):
            return replace(type, to=identity(to))
        case Array(of=of):
            return replace(type, of=identity(of))
    return type


def same(a: CType, b: CType) -> bool:
    return unqualified(a) == unqualified(b)


def joint_pointer(a: CType, b: CType) -> Pointer | None:
    """Return the type that pointers to one type have in common: it points to what is const or volatile where either
    does (C++17, 8.16). None for any other two types."""
    if not (isinstance(a, Pointer) and isinstance(b, Pointer) and same(a.to, b.to)) or isinstance(a.to, Array):
        return None
    to = replace(a.to, const=a.to.const or b.to.const, volatile=a.to.volatile or b.to.volatile)
    return replace(a, to=to, restrict=a.restrict and b.restrict)


def arithmetic(type: CType) -> Scalar | None:
    """Return the scalar that a value of this type counts as in arithmetic; None where there is none."""
    if isinstance(type, BitMember):
        return _narrowed(type)
    type = plain(type)
    if isinstance(type, Enum):
        return type.underlying
    return type if isinstance(type, Scalar) else None


def _narrowed(field: BitMember) -> Scalar | None:
    """Return the scalar that a bit field counts as: one narrower than int where int holds all its values."""
    scalar, to = arithmetic(field.to), plain(field.to)
    is_wide = scalar is not None and not isinstance(to, Enum) and scalar.rank >= INT.rank
    if scalar is None or not is_wide or field.width >= 8 * INT.size + field.is_signed:
        return scalar
    return replace(scalar, rank=SHORT.rank)


def promoted(type: Scalar) -> Scalar:
    """Return the type after integer promotion: a narrower one than int becomes int."""
    return INT if type.rank < INT.rank else _bare(type)


def usual(a: Scalar, b: Scalar) -> Scalar:
    """Return the usual arithmetic conversions: the common type of two operands."""
    if a.is_float or b.is_float:
        return _bare(max((t for t in (a, b) if t.is_float), key=lambda t: t.rank))
    a, b = promoted(a), promoted(b)
    if a.is_signed == b.is_signed:
        return a if a.rank >= b.rank else b
    signed, unsigned = (a, b) if a.is_signed else (b, a)
    if unsigned.rank >= signed.rank:
        return unsigned
    return signed if signed.size > unsigned.size else _UNSIGNED[signed]


def _bare(type: Scalar) -> Scalar:
    bare = plain(type)
    assert isinstance(bare, Scalar)
    return bare


def wrap(value: int, type: Scalar) -> int:
    """Return an integer as it reads after it was stored in ``type``."""
    if type.is_bool:
        return int(value != 0)
    bits = 8 * type.size
    value &= (1 << bits) - 1
    return value - (1 << bits) if type.is_signed and value >> (bits - 1) else value
