"""Represent the types of CUDA C and the rules of C about them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from warpview.isa.types import Type


@dataclass(frozen=True, kw_only=True)
class CType:
    """Represent a type with its qualifiers."""

    const: bool = False
    volatile: bool = False

    @property
    def size(self) -> int:
        """Return bytes in memory."""
        raise NotImplementedError

    @property
    def align(self) -> int:
        return self.size

    def spelled(self) -> str:
        raise NotImplementedError

    def __str__(self) -> str:
        return ("const " if self.const else "") + ("volatile " if self.volatile else "") + self.spelled()


@dataclass(frozen=True)
class Void(CType):
    @property
    def size(self) -> int:
        return 1  # as nvcc has it: sizeof(void) and pointer arithmetic on void*

    def spelled(self) -> str:
        return "void"


@dataclass(frozen=True)
class Scalar(CType):
    """Represent an arithmetic type. ``rank`` orders the integers for conversions; ``isa`` is its type in memory."""

    name: str
    isa: Type
    rank: int

    @property
    def size(self) -> int:
        return self.isa.bytes

    @property
    def is_float(self) -> bool:
        return self.isa.is_float

    @property
    def is_signed(self) -> bool:
        return self.isa.is_signed

    @property
    def is_bool(self) -> bool:
        return self.rank == 0

    @property
    def register(self) -> Type:
        """Return the type of a register that holds it: a bool is a predicate."""
        return Type.PRED if self.is_bool else self.isa

    def spelled(self) -> str:
        return self.name


@dataclass(frozen=True)
class Pointer(CType):
    to: CType
    restrict: bool = False

    @property
    def size(self) -> int:
        return 8

    def __str__(self) -> str:
        return f"{self.to}*" + (" const" if self.const else "")


@dataclass(frozen=True)
class Reference(CType):
    to: CType
    rvalue: bool = False  # T&&, which only values and objects that may be emptied bind to

    @property
    def size(self) -> int:
        return self.to.size

    def __str__(self) -> str:
        return f"{self.to}&&" if self.rvalue else f"{self.to}&"


@dataclass(frozen=True)
class Array(CType):
    """Represent an array type; ``length`` is None where the launch decides the length."""

    of: CType
    length: int | None

    @property
    def size(self) -> int:
        return self.of.size * (self.length or 0)

    @property
    def align(self) -> int:
        return self.of.align

    @property
    def dims(self) -> tuple[int, ...]:
        """Return lengths, outermost first; 0 where open."""
        inner = self.of.dims if isinstance(self.of, Array) else ()
        return (self.length or 0, *inner)

    @property
    def element(self) -> CType:
        """Return the innermost element type."""
        return self.of.element if isinstance(self.of, Array) else self.of

    def __str__(self) -> str:
        return f"{self.element}" + "".join(f"[{n or ''}]" for n in self.dims)


@dataclass(frozen=True)
class StructField:
    name: str
    type: CType
    offset: int


@dataclass(eq=False)
class StructInfo:
    """Hold the definition behind a struct type; two structs are the same type if they are the same definition."""

    name: str
    fields: tuple[StructField, ...] = ()
    size: int = 0
    align: int = 1
    is_union: bool = False
    is_vector: bool = False  # float4 and its like
    bases: tuple[StructField, ...] = ()  # its base classes, whose members are among ``fields``
    size_as_base: int = 0  # without the padding at the end that a derived struct uses for its own members
    is_constructed: bool = False  # it, or a part of it, has constructors or members with values of their own
    is_pod: bool = True  # laid out as C does it, so that a derived struct uses none of its padding
    syntax: object = None  # the syntax.StructType it was defined by, for its methods
    scope: object = None  # template arguments and names visible in it

    @property
    def parts(self) -> tuple[StructField, ...]:
        """The base classes and then the members that the struct itself declares."""
        inherited = sum(len(base.type.info.fields) for base in self.bases if isinstance(base.type, Struct))
        return (*self.bases, *self.fields[inherited:])

    @property
    def first_alternatives(self) -> tuple[StructField, ...]:
        """The ``parts`` without those that lie over an earlier one, as the later members of a union do."""
        found: list[StructField] = []
        for part in self.parts:
            if all(part.offset >= other.offset + other.type.size for other in found if other.name):
                found.append(part)
        return tuple(found)


@dataclass(frozen=True)
class Struct(CType):
    info: StructInfo

    @property
    def size(self) -> int:
        return self.info.size

    @property
    def align(self) -> int:
        return self.info.align

    def field(self, name: str) -> StructField | None:
        """Return the member of that name: the struct's own rather than one that it inherits."""
        return next((f for f in reversed(self.info.fields) if f.name == name), None)

    def spelled(self) -> str:
        return self.info.name


@dataclass(frozen=True)
class Enum(CType):
    name: str
    underlying: Scalar
    scoped: bool = False

    @property
    def size(self) -> int:
        return self.underlying.size

    def spelled(self) -> str:
        return self.name


@dataclass(frozen=True)
class Closure(CType):
    """Represent the type of a lambda: ``key`` is its syntax node."""

    key: object

    @property
    def size(self) -> int:
        return 1

    def spelled(self) -> str:
        return "lambda"


@dataclass(frozen=True)
class Group(CType):
    """Represent the type of a cooperative group: ``kind`` is block, grid, tile, coalesced or any; ``threads`` the
    width of a tile."""

    kind: str
    threads: int = 0

    @property
    def size(self) -> int:
        return 1

    def spelled(self) -> str:
        if self.kind == "tile":
            return f"thread_block_tile<{self.threads}>"
        names = {"block": "thread_block", "grid": "grid_group", "any": "thread_group"}
        return names.get(self.kind, "coalesced_group")


VOID = Void()
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
TYPEDEFS: dict[str, Scalar] = {
    "size_t": ULONG, "ssize_t": LONG, "ptrdiff_t": LONG, "intptr_t": LONG, "uintptr_t": ULONG,
    "int8_t": SCHAR, "uint8_t": UCHAR, "int16_t": SHORT, "uint16_t": USHORT, "int32_t": INT, "uint32_t": UINT,
    "int64_t": LONG, "uint64_t": ULONG, "uint": UINT, "uchar": UCHAR, "ushort": USHORT, "ulong": ULONG,
    "clock_t": LONG,
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


def _vector(name: str, base: Scalar, lanes: int) -> StructInfo:
    # CUDA aligns vectors of 2 and 4 to their size, at most 16; those of 1 and 3 to their element.
    align = min(16, base.size * lanes) if lanes in (2, 4) else base.size
    fields = tuple(StructField("xyzw"[i], base, i * base.size) for i in range(lanes))
    return StructInfo(name, fields, base.size * lanes, align, is_vector=True)


VECTORS: dict[str, StructInfo] = {
    f"{name}{lanes}": _vector(f"{name}{lanes}", base, lanes)
    for name, base in _VECTOR_BASES.items()
    for lanes in (1, 2, 3, 4)
} | {"dim3": _vector("dim3", UINT, 3)}
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


def plain(type: CType) -> CType:
    """Return the type without qualifiers at its top, and without a reference."""
    if isinstance(type, Reference):
        return plain(type.to)
    return replace(type, const=False, volatile=False) if type.const or type.volatile else type


def is_const(type: CType) -> bool:
    """Return whether an object of a type stays as it is; an array does if its elements do."""
    return type.const or (isinstance(type, Array) and type.element.const)


def decayed(type: CType) -> CType:
    """Return the type of the value of an object: an array becomes a pointer to its first element."""
    type = plain(type)
    return Pointer(type.of) if isinstance(type, Array) else type


def unqualified(type: CType) -> CType:
    """Return the type without any qualifier at any level: what two types must share to be the same to us."""
    type = plain(type)
    match type:
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


def arithmetic(type: CType) -> Scalar | None:
    """Return the scalar that a value of this type counts as in arithmetic; None where there is none."""
    type = plain(type)
    if isinstance(type, Enum):
        return type.underlying
    return type if isinstance(type, Scalar) else None


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
