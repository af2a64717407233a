"""Represent the results of expressions during lowering: values, addresses, places and variables."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from warpview.frontend import ir
from warpview.frontend.semantic.types import CType, Scalar, Struct
from warpview.isa.modes import MemoryScope
from warpview.isa.types import GLOBAL_SPACES, Space

if TYPE_CHECKING:
    from warpview.frontend.semantic.scopes import Scope
    from warpview.frontend.syntax import Lambda


@dataclass(eq=False)
class ScalarPart:
    """Hold a scalar or pointer part of an object that nothing assigns to, with the value that it stands for."""

    type: CType
    offset: int
    bound: Value | None = None


@dataclass(eq=False)
class BoundObject:
    """Represent an object that is a name for values: its scalar parts by byte offset, each bound once.

    A ``folding`` cell is that of a loop being unrolled: it only ever holds constants, and assignments change them.
    """

    name: str
    type: CType
    leaves: dict[int, ScalarPart] = field(default_factory=dict)
    folding: bool = False
    is_computed: bool = False  # from variables, so that it is no constant of the language though its value be known


@dataclass(frozen=True)
class Address:
    """An address locates an object: a name for values (``cell``), or ``base`` (None is 0) + ``offset`` in a memory
    space.

    Space NONE without a cell is the null pointer. ``read_only`` marks memory that the kernel promises not to write,
    ``relaxed`` an object whose loads and stores are atomic among the threads of a scope, ``asynchronous`` one that is
    copied on the side.
    """

    space: Space = Space.NONE
    base: ir.Value | None = None
    offset: int = 0
    cell: BoundObject | None = None
    read_only: bool = False
    relaxed: MemoryScope | None = None
    asynchronous: bool = False
    bounds: ir.ArrayBounds | None = None  # of the variable that the object is a part of, where it is known
    member: ir.ArrayBounds | None = None  # of the member array that it is a part of, from ``base`` on

    @property
    def is_null(self) -> bool:
        return self.space == Space.NONE and self.cell is None

    @property
    def is_wide(self) -> bool:
        return self.space in GLOBAL_SPACES

    def plus(self, offset: int) -> Address:
        """Return the address ``offset`` bytes further; it wraps around as 64-bit addresses do."""
        return replace(self, offset=ir.signed(self.offset + offset, 64))


@dataclass(frozen=True)
class Lvalue:
    """Represent an lvalue: an object of ``type`` at ``address``."""

    address: Address
    type: CType
    expiring: bool = False  # what std::move(x) names: it may be emptied

    @property
    def is_local(self) -> bool:
        """Return whether this is a local variable, or a part of one at an offset known at compile time."""
        return self.address.cell is not None or isinstance(self.address.base, ir.SlotAddress)


@dataclass(frozen=True)
class FunctionObject:
    """Represent a lambda with the scope that it can see. One that a variable names is copied where it is used to make
    another; a temporary is not."""

    syntax: Lambda
    scope: Scope
    is_named: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Value:
    """Represent an rvalue. A scalar has an ``operand``; a pointer, struct or array an ``address``; a lambda an
    ``object``.

    ``product`` are the factors of a multiplication whose result may still be fused with an addition; ``truth`` is the
    predicate that an int of 0 or 1 was made from, as ``a & b`` of two bools; ``among`` are the rank of a group and the
    number of groups that a partition made with it.
    """

    type: CType
    operand: ir.Value | None = None
    address: Address | None = None
    object: FunctionObject | None = None
    product: tuple[ir.Value, ir.Value] | None = None
    truth: ir.Value | None = None
    among: tuple[ir.Value, ir.Value] | None = None
    is_lvalue: bool = False

    @property
    def constant(self) -> int | float | None:
        """Return the number, where it is known at compile time."""
        return self.operand.value if isinstance(self.operand, ir.Const) else None

    @property
    def scalar_operand(self) -> ir.Value:
        assert self.operand is not None
        return self.operand


def constants_of(value: Value) -> tuple[int | float, ...] | None:
    """Return the number that a value is, or the numbers of the parts of an object that is a name for values; None
    where one of them is not known at compile time."""
    cell = None if value.address is None else value.address.cell
    if cell is None or not isinstance(value.type, Struct):
        return None if value.constant is None else (value.constant,)
    end = value.address.offset + value.type.size if value.address else 0
    parts = [
        leaf.bound for at, leaf in sorted(cell.leaves.items()) if value.address and value.address.offset <= at < end
    ]
    found = [None if part is None else part.constant for part in parts]
    return None if None in found else tuple(x for x in found if x is not None)


def number(type: Scalar, value: int | float) -> Value:
    """Return a constant of an arithmetic type."""
    return Value(type, ir.const(type.register, value))


NULL = Address()
