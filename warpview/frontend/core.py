"""The state of lowering, and reading and writing of what lives in registers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from warpview.diagnostics import CompileError, Span
from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend import types as t
from warpview.frontend.array_uses import ArrayUses
from warpview.frontend.mutation import Changed, Mutations
from warpview.frontend.scopes import Scope
from warpview.frontend.tokens import fail
from warpview.frontend.values import Address, Cell, Leaf, Place, Value
from warpview.isa.ops import Op
from warpview.isa.program import Variable
from warpview.isa.types import Space, Type

MAX_REGISTER_PARTS = 256  # a larger array lives in local memory from the start
MAX_INSTRUCTIONS = 150_000  # of one kernel after inlining and unrolling


class NotConstant(Exception):
    """What was asked for is only known at run time."""


@dataclass
class Frame:
    """A function being inlined, or the kernel itself. ``done`` is where its returns go, None for the kernel."""

    function: object
    name: str
    result: t.CType | None  # None where 'auto' is still to be deduced
    done: ir.Block | None
    direct: s.Return | None = None  # the only return, at the end: its value is the call's value
    value: Value | Place | None = None
    place: Place | None = None  # where returns leave their value otherwise
    assigned: frozenset[str] = frozenset()
    assigned_parts: frozenset[str] = frozenset()
    key: tuple[object, ...] = ()  # identifies the instance: the function and its template arguments
    body: s.Statement | None = None
    uses: ArrayUses | None = None  # how the body indexes arrays, once that was asked for


@dataclass
class Jumps:
    """Where ``break`` and ``continue`` go."""

    breaks: ir.Block | None
    continues: ir.Block | None


@dataclass
class Shared:
    """Bytes handed out in shared, constant and device memory."""

    shared: int = 0
    constant: bytearray = field(default_factory=bytearray)
    device: bytearray = field(default_factory=bytearray)
    fixed: list[range] = field(default_factory=list)  # parts of constant memory that nobody can change
    # Where `__device__` variables already lie in global memory, by name: of a whole program, whose kernels share them.
    device_addresses: Mapping[str, int] = field(default_factory=dict)
    places: dict[object, Place] = field(default_factory=dict)


class Core:
    def __init__(self, function: ir.Function, file_scope: Scope, mutations: Mutations, fma: bool) -> None:
        self.function = function
        self.builder = ir.Builder(function)
        self.file_scope = file_scope
        self.scope = file_scope.child()
        self.mutations = mutations
        self.fma = fma
        self.frames: list[Frame] = []
        self.jumps: list[Jumps] = []
        self.memory = Shared()
        self.copies = 1  # of what is being written, by the unrolled loops around it
        self.path: tuple[object, ...] = ()  # the calls being inlined
        self.slots: dict[object, ir.Slot] = {}  # of local variables, by declaration and path
        self.known_types: dict[object, t.CType] = {}  # of expressions whose type was asked for, by node and path
        self.scope_end = 0  # last line of the block being written
        self.unreadable: dict[str, CompileError] = {}  # names of host code that could not be read, and why
        self.host_functions: set[str] = set()
        self.has_operators = False  # whether any struct of the file defines operators
        self.discarded: s.Expression | None = None  # the expression whose value nobody uses
        # What the views show: by declaration and path, what holds each local variable, its type and source lines.
        self.described: dict[object, tuple[Cell | ir.Slot, t.CType, tuple[int, int]]] = {}
        self.parameter_names = Changed(frozenset(), frozenset())  # changed by the function being called
        self.results: dict[ir.Reg, tuple[ir.Slot, int]] = {}  # loads of intermediate results that have a name
        self.dynamic_arrays: list[Variable] = []  # the extern __shared__ arrays, for the views

    # ------------------------------------------------------------------------------------- housekeeping
    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    @contextmanager
    def at(self, span: Span) -> Iterator[None]:
        """Instructions written within belong to ``span``."""
        before, self.builder.span = self.builder.span, span
        try:
            yield
        finally:
            self.builder.span = before

    @contextmanager
    def scoped(self, scope: Scope | None = None) -> Iterator[Scope]:
        """Names declared within are visible within only."""
        before, self.scope = self.scope, scope or self.scope.child()
        try:
            yield self.scope
        finally:
            self.scope = before

    def emit(self, op: Op, type: Type, *operands: ir.Value, **more: object) -> ir.Reg:
        if self.function.next_register > MAX_INSTRUCTIONS:
            fail(
                f"the kernel is too long: it has more than {MAX_INSTRUCTIONS} instructions",
                self.builder.span,
                "functions are inlined and some loops unrolled, each copy counts",
            )
        return self.builder.emit(op, type, *operands, **more)  # type: ignore[arg-type]

    # --------------------------------------------------------------------------------------- variables
    def new_slot(self, key: object, name: str, type: t.CType, span: Span, align: int = 4) -> Place:
        """The slot of a variable; the same one again where a body is written several times (an unrolled loop)."""
        identity = (key, self.path)
        if identity not in self.slots:
            self.slots[identity] = slot = self._slot(name, type, span, align)
            self.describe(identity, slot, type, span)
        return _place_in(self.slots[identity], type)

    def _slot(self, name: str, type: t.CType, span: Span, align: int = 4) -> ir.Slot:
        types = _register_types(type) if fits_registers(type) else None
        slot = ir.Slot(name, max(1, type.size), max(align, type.align), types, span)
        self.function.slots.append(slot)
        return slot

    def describe(self, identity: object, holder: Cell | ir.Slot, type: t.CType, span: Span) -> None:
        """Remember a variable for the views; what holds it is filled in when the kernel is complete."""
        if holder.name:
            self.described[identity] = holder, type, (span.line, max(span.line, self.scope_end))

    def temporary(self, type: t.CType, node: s.Node) -> Place:
        """A place for the intermediate result of ``node``, which several paths may write."""
        return _place_in(self._slot("", type, node.span), type)

    @contextmanager
    def value_in_parts(self, type: t.CType, node: s.Node) -> Iterator[Place]:
        """A place for the result of ``node``, each part of which is written once within."""
        if holds_array(type):
            yield self.temporary(type, node)
        else:
            yield Place(Address(cell=Cell("", type, new_leaves(type))), type)

    def in_memory(self, address: Address) -> Address:
        """The address of a copy in memory of an object that is a name for values, for what needs an address."""
        cell = address.cell
        if cell is None:
            return address
        place = _place_in(self._slot("", cell.type, self.builder.span), cell.type)
        for offset, leaf in cell.leaves.items():
            if leaf.bound is not None:
                self.store(Place(place.address.plus(offset), leaf.type), leaf.bound, self.builder.span)
        return place.address.plus(address.offset)

    def leaf(self, address: Address, type: t.CType) -> Leaf | None:
        """The part at an address of an object that is a name for values; None where the type is no part of it."""
        assert address.cell is not None
        leaf = address.cell.leaves.get(address.offset)
        same_kind = leaf is not None and isinstance(leaf.type, t.Pointer) == isinstance(t.plain(type), t.Pointer)
        return leaf if leaf is not None and same_kind and leaf.type.size == type.size else None

    def read_leaf(self, address: Address, type: t.CType) -> Value | None:
        """The value of a part of an object that is a name for values; None where it is no scalar part of it."""
        leaf = self.leaf(address, type)
        return self.reinterpret(leaf.bound, type) if leaf is not None and leaf.bound is not None else None

    def write_leaf(self, address: Address, value: Value) -> None:
        """Bind a part of an object that is a name for values to ``value``, which is already of the right type."""
        assert address.cell is not None
        cell, leaf = address.cell, self.leaf(address, value.type)
        if leaf is None or (leaf.bound is not None and not cell.folding):
            fail("this cannot be changed here: it is the value of something that does not change", self.builder.span)
        value = self.reinterpret(value, leaf.type)
        if cell.folding:
            if value.constant is None:
                raise NotConstant
            leaf.bound = value
            return
        leaf.bound = replace(self.kept(value, cell.name), type=leaf.type, product=None)

    def kept(self, value: Value, name: str) -> Value:
        """A value under the name of a variable: the register in which it was just computed takes the name."""
        if value.operand is not None:
            return replace(value, operand=self._under_name(value.operand, name))
        if value.address is not None and value.address.base is not None:
            return replace(value, address=replace(value.address, base=self._under_name(value.address.base, name)))
        return value

    def _under_name(self, operand: ir.Value, name: str) -> ir.Value:
        if not isinstance(operand, ir.Reg) or operand.name or not name or not self.just_computed(operand):
            return operand
        instrs = self.builder.block.instrs
        source = instrs[-1].srcs[0] if instrs[-1].op == Op.LD else None
        if isinstance(source, ir.SlotAddress) and not source.slot.name:
            self.results[operand] = source.slot, instrs[-1].imm
            return operand  # the variable is the intermediate result itself
        register = self.builder.reg(operand.type, name)
        instrs[-1] = replace(instrs[-1], dsts=(register,))
        return register

    def just_computed(self, operand: ir.Reg) -> bool:
        """Whether the last instruction computed ``operand``."""
        instrs = self.builder.block.instrs
        return not self.builder.closed and bool(instrs) and instrs[-1].dsts == (operand,)

    # ------------------------------------------------------------------------------- provided further up
    def address_operand(self, address: Address) -> ir.Value:
        raise NotImplementedError

    def generic_operand(self, address: Address) -> ir.Value:
        raise NotImplementedError

    def store(self, place: Place, value: Value, span: Span) -> None:
        raise NotImplementedError

    def reinterpret(self, value: Value, type: t.CType) -> Value:
        """The same bits as another type of the same size."""
        if t.same(value.type, type):
            return value
        to = t.arithmetic(type)
        if to is None or value.operand is None:
            return replace(value, type=t.plain(type))
        source = value.operand.type
        if source == to.register or (
            not source.is_float and not to.is_float and source.bytes >= 4 and Type.PRED not in (source, to.register)
        ):
            return Value(to, value.operand)
        if isinstance(value.operand, ir.Const):
            return Value(to, _same_bits(value.operand, to.register))
        operand = self.builder.emit(Op.MOV, to.register, value.operand)
        return Value(to, operand)


def _same_bits(constant: ir.Const, type: Type) -> ir.Const:
    mask = (1 << (8 * type.bytes)) - 1
    if type.is_float:
        return ir.Const(type, constant.bits & mask)
    bits = constant.bits & mask
    if type.is_signed and bits >> (8 * type.bytes - 1):
        bits -= 1 << (8 * type.bytes)
    return ir.const(type, bits)


def leaf_types(type: t.CType, base: int = 0) -> list[tuple[int, t.CType]]:
    """The scalar parts of a type with their byte offsets; of a union those of its first member."""
    type = t.plain(type)
    match type:
        case t.Array(of=of, length=length):
            inner = leaf_types(of)
            size = of.size
            return [(base + i * size + o, leaf) for i in range(length or 0) for o, leaf in inner]
        case t.Struct(info=info):
            fields = info.fields[:1] if info.is_union else info.fields
            return [leaf for f in fields for leaf in leaf_types(f.type, base + f.offset)]
        case t.Scalar() | t.Enum() | t.Pointer():
            return [(base, type)]
    return []


def _place_in(slot: ir.Slot, type: t.CType) -> Place:
    return Place(Address(Space.LOCAL, ir.SlotAddress(slot)), type)


def _register_types(type: t.CType) -> dict[int, Type]:
    """The register type of each scalar part of a variable, by byte offset."""
    return {
        offset: scalar.register if (scalar := t.arithmetic(leaf)) is not None else Type.U64
        for offset, leaf in leaf_types(type)
    }


def holds_array(type: t.CType) -> bool:
    """Whether an object of this type can be indexed, or has too many parts to be names for values."""
    return bool(_array_within(type)) or not fits_registers(type)


def _array_within(type: t.CType) -> bool:
    type = t.plain(type)
    if isinstance(type, t.Struct):
        return any(_array_within(f.type) for f in type.info.fields)
    return isinstance(type, t.Array)


def new_leaves(type: t.CType) -> dict[int, Leaf]:
    return {offset: Leaf(leaf, offset) for offset, leaf in leaf_types(type)}


def fits_registers(type: t.CType) -> bool:
    """Whether a variable may live in registers at all."""
    return _count(type) <= MAX_REGISTER_PARTS


def _count(type: t.CType, limit: int = MAX_REGISTER_PARTS + 1) -> int:
    """The number of scalar parts of a type, as far as ``limit``."""
    type = t.plain(type)
    if isinstance(type, t.Array):
        return min(limit, (type.length or 0) * _count(type.of, limit))
    if not isinstance(type, t.Struct):
        return 1
    if type.info.is_union and len({(f.type.size, _count(f.type, limit)) for f in type.info.fields}) > 1:
        return limit
    total = 0
    for member in type.info.fields:
        if total >= limit:
            break
        total += _count(member.type, limit)
    return min(limit, total)
