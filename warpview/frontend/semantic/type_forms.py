"""Represent the kinds of types of CUDA C."""

from __future__ import annotations

from dataclasses import dataclass, field

from warpview.isa.types import Type


@dataclass(frozen=True, kw_only=True)
class CType:
    """Represent a type with its qualifiers; ``aligned`` is that of a member which a packed struct aligns to fewer
    bytes than its type asks for."""

    const: bool = False
    volatile: bool = False
    aligned: int = field(default=0, compare=False)

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
        to = (
            f"{self.to.result} (*){self.to.parameter_list}" if isinstance(self.to, FunctionSignature) else f"{self.to}*"
        )
        return to + (" const" if self.const else "")


@dataclass(frozen=True)
class NullPointerType(Pointer):
    """Represent the type of ``nullptr``, which becomes any pointer (C++17, 5.13.7); its objects are null pointers."""

    def __str__(self) -> str:
        return "std::nullptr_t"


@dataclass(frozen=True)
class ReferenceMember(Pointer):
    """Represent the type of a member that is a reference: in memory it is a pointer, and named the object itself."""

    def __str__(self) -> str:
        return f"{self.to}&"


@dataclass(frozen=True)
class FunctionSignature(CType):
    """Represent the type of a function, to which there are pointers: these hold the number of a function."""

    result: CType
    parameters: tuple[CType, ...]
    is_const: bool = False  # a function of a struct that leaves its object alone

    @property
    def size(self) -> int:
        return 1

    @property
    def parameter_list(self) -> str:
        return f"({', '.join(map(str, self.parameters))})" + " const" * self.is_const

    def spelled(self) -> str:
        return f"{self.result}{self.parameter_list}"


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
class BitPiece:
    """Hold ``width`` bits of a bit field from bit ``position`` on: they lie from bit ``shift`` on in an integer that is
    ``delta`` bytes behind the beginning of the field."""

    delta: int
    type: Scalar
    shift: int
    width: int
    position: int


@dataclass(frozen=True)
class BitMember(Reference):
    """Represent the type of a member of some bits: it is read and written as a reference to ``to`` is, but has no
    address."""

    pieces: tuple[BitPiece, ...] = ()
    width: int = 0
    is_signed: bool = False


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


UNNAMED_MEMBER = "(unnamed member)"  # the name of a struct or union that is a member without a name


@dataclass(frozen=True)
class StructField:
    name: str
    type: CType
    offset: int

    @property
    def first_bit(self) -> int:
        return 8 * self.offset + (self.type.pieces[0].shift if isinstance(self.type, BitMember) else 0)

    @property
    def end_bit(self) -> int:
        return self.first_bit + (self.type.width if isinstance(self.type, BitMember) else 8 * self.type.size)


def _without_overlaps(parts: tuple[StructField, ...]) -> tuple[StructField, ...]:
    found: list[StructField] = []
    end = 0  # of the named ones
    for part in parts:
        if part.first_bit >= end:
            found.append(part)
            end = max(end, part.end_bit) if part.name else end
    return tuple(found)


@dataclass(eq=False)
class StructInfo:
    """Hold the definition behind a struct type; two structs are the same type if they are the same definition."""

    name: str
    fields: tuple[StructField, ...] = ()
    size: int = 0
    align: int = 1
    is_union: bool = False
    is_vector: bool = False  # float4 and its like
    unnamed: tuple[StructField, ...] = ()  # structs and unions without a name whose members are among ``fields``
    bases: tuple[StructField, ...] = ()  # its base classes, whose members are among ``fields``
    base_positions: tuple[int, ...] = ()  # of the base classes among those that the struct is written with
    size_as_base: int = 0  # without the padding at the end that a derived struct uses for its own members
    empty: frozenset[int] = frozenset()  # the structs without members that begin where it begins, by identity
    is_constructed: bool = False  # it, or a part of it, has constructors or members with values of their own
    stored: tuple[StructField, ...] | None = None  # what is in memory of its own members, where some are bit fields
    holds_bits: bool = False  # it, or a part of it, has bit fields
    is_polymorphic: bool = False  # it has virtual functions
    holds_class: bool = False  # it, or a part of it, is polymorphic: it holds the number of its class
    chosen: dict[str, StructField] = field(default_factory=dict)  # members that a using-declaration names
    explicit: frozenset[object] = frozenset()  # its functions whose ``explicit(condition)`` is met
    is_pod: bool = True  # laid out as C does it, so that a derived struct uses none of its padding
    syntax: object = None  # the syntax.StructType it was defined by, for its methods
    scope: object = None  # template arguments and names visible in it
    template: object = None  # the symbol that declares it at file scope
    arguments: tuple[object, ...] = ()  # of that template, whichever specialisation defines the struct
    function: CType | None = None  # the lambda whose class it is

    @property
    def bare_name(self) -> str:
        """Return the name without that of a namespace: the one that its constructors have."""
        return self.name.rpartition("::")[2]

    @property
    def parts(self) -> tuple[StructField, ...]:
        """Return the base classes and then the members that the struct itself declares."""
        inherited = sum(len(base.type.info.fields) for base in self.bases if isinstance(base.type, Struct))
        return (*self.bases, *self.fields[inherited:])

    @property
    def first_alternatives(self) -> tuple[StructField, ...]:
        """Return the ``parts`` without those that lie over an earlier one, as the later members of a union do, and with
        each unnamed struct or union in place of its members."""
        found: list[StructField] = []
        for part in self.parts:
            around = (u for u in self.unnamed if isinstance(u.type, Struct) and part.name and u.type.field(part.name))
            found.append(next(around, part))
        return _without_overlaps(tuple(dict.fromkeys(found)))

    @property
    def all_stored(self) -> tuple[StructField, ...]:
        """Return the ``parts`` with the integers that hold bit fields in place of these."""
        return self.parts if self.stored is None else (*self.bases, *self.stored)

    @property
    def stored_parts(self) -> tuple[StructField, ...]:
        """Return the parts of ``all_stored`` that do not lie over an earlier one."""
        return _without_overlaps(self.all_stored)


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
        chosen = self.info.chosen.get(name)
        return chosen or next((f for f in reversed(self.info.fields) if f.name == name), None)

    def spelled(self) -> str:
        return self.info.name


@dataclass(frozen=True)
class Enum(CType):
    """Represent an enum; ``definition`` tells it from others of its name, ``home`` is the scope that it stands in."""

    name: str
    underlying: Scalar
    scoped: bool = False
    definition: object = None
    home: object = field(default=None, compare=False)

    @property
    def size(self) -> int:
        return self.underlying.size

    def spelled(self) -> str:
        return self.name


@dataclass(frozen=True)
class MemberPointer(Enum):
    """Represent the type of a pointer to a member of ``owner`` that has the type ``to``. It is held as the values of an
    enum class are: the offset of a member with a value, the number of a function."""

    owner: CType | None = None
    to: CType | None = None

    @property
    def is_of_function(self) -> bool:
        return isinstance(self.to, FunctionSignature)

    @property
    def size(self) -> int:
        return 2 * self.underlying.size if self.is_of_function else self.underlying.size

    @property
    def align(self) -> int:
        return self.underlying.size

    @property
    def null(self) -> int:
        """Return the value that points to no member (Itanium C++ ABI, 2.3)."""
        return 0 if self.is_of_function else -1

    def spelled(self) -> str:
        if isinstance(self.to, FunctionSignature):
            return f"{self.to.result} ({self.owner}::*){self.to.parameter_list}"
        return f"{self.to} {self.owner}::*"


@dataclass(frozen=True)
class Closure(CType):
    """Represent the type of a lambda: ``key`` is its syntax node."""

    key: object

    @property
    def size(self) -> int:
        return 1

    def spelled(self) -> str:
        return "lambda"


KNOWN_GROUPS = ("block", "grid", "tile")  # kinds whose objects hold nothing: the type tells all of them


@dataclass(frozen=True)
class Group(CType):
    """Represent the type of a cooperative group: ``kind`` is block, grid, tile, coalesced or any; ``threads`` the
    width of a tile, ``parent`` that of the tile of which it is a part, 0 where that is the block."""

    kind: str
    threads: int = 0
    parent: int = field(default=0, compare=False)

    @property
    def size(self) -> int:
        return 1

    def spelled(self) -> str:
        if self.kind == "tile":
            return f"thread_block_tile<{self.threads}>"
        names = {"block": "thread_block", "grid": "grid_group", "any": "thread_group"}
        return names.get(self.kind, "coalesced_group")
