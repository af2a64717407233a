"""The state of lowering, and reading and writing of what lives in registers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from warpview.diagnostics import CompileError, Span
from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend import types as t
from warpview.frontend.facts import Facts
from warpview.frontend.scopes import Scope
from warpview.frontend.tokens import fail
from warpview.frontend.values import Address, Cell, Leaf, Place, Value
from warpview.frontend.walk import Assigned
from warpview.isa.ops import Op
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


@dataclass
class Jumps:
    """Where ``break`` and ``continue`` go."""

    breaks: ir.Block | None
    continues: ir.Block | None


@dataclass
class Shared:
    """Bytes handed out in shared, local, constant and device memory."""

    shared: int = 0
    local: int = 0
    constant: bytearray = field(default_factory=bytearray)
    device: bytearray = field(default_factory=bytearray)
    fixed: list[range] = field(default_factory=list)  # parts of constant memory that nobody can change
    # Where `__device__` variables already lie in global memory, by name: of a whole program, whose kernels share them.
    device_addresses: Mapping[str, int] = field(default_factory=dict)
    places: dict[object, Place] = field(default_factory=dict)


class Core:
    def __init__(self, function: ir.Function, file_scope: Scope, facts: Facts, fma: bool) -> None:
        self.function = function
        self.builder = ir.Builder(function)
        self.file_scope = file_scope
        self.scope = file_scope.child()
        self.facts = facts
        self.fma = fma
        self.frames: list[Frame] = []
        self.jumps: list[Jumps] = []
        self.memory = Shared()
        self.path: tuple[object, ...] = ()  # the calls being inlined
        self.cells: dict[object, Cell] = {}
        self.known_types: dict[object, t.CType] = {}  # of expressions whose type was asked for, by node and path
        self.scope_end = 0  # last line of the block being written
        self.unreadable: dict[str, CompileError] = {}  # names of host code that could not be read, and why
        self.host_functions: set[str] = set()
        self.has_operators = False  # whether any struct of the file defines operators
        self.discarded: s.Expression | None = None  # the expression whose value nobody uses
        self.described: list[tuple[Cell, tuple[int, int]]] = []  # variables for the views, with their source lines
        self.parameter_names = Assigned(frozenset(), frozenset())  # assigned by the function being called
        self.constants: set[ir.Reg] = set()  # registers that never change once they are written

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
    def new_cell(self, key: object, name: str, type: t.CType, span: Span) -> Cell:
        """The cell of a variable; the same one again where a body is written several times (an unrolled loop)."""
        identity = (key, self.path)
        if identity not in self.cells:
            self.cells[identity] = Cell(key, name, type, new_leaves(type))
            self._describe(self.cells[identity], span)
        return self.cells[identity]

    def _describe(self, cell: Cell, span: Span) -> None:
        """Remember a variable for the views; its registers are filled in when the kernel is complete."""
        if cell.name:
            self.described.append((cell, (span.line, max(span.line, self.scope_end))))

    def temporary(self, type: t.CType, node: s.Node) -> Place:
        """A place for the intermediate result of ``node``, which several paths may write."""
        return Place(Address(cell=Cell(("value of", node), "", type, new_leaves(type))), type)

    @contextmanager
    def value_in_parts(self, type: t.CType, node: s.Node) -> Iterator[Place]:
        """A place for the result of ``node``, each part of which is written once within."""
        place = self.temporary(type, node)
        if place.address.cell is None:  # it is indexed at run time
            yield place
            return
        place.address.cell.binding = True
        yield place
        place.address.cell.binding = False

    def leaf(self, address: Address, type: t.CType) -> Leaf:
        """The part of a register variable at an address; a part that is no scalar of its own sends it to memory."""
        assert address.cell is not None
        leaf = address.cell.leaves.get(address.offset)
        if leaf is None or leaf.type.size != type.size or isinstance(leaf.type, t.Pointer) != isinstance(
            t.plain(type), t.Pointer
        ):  # fmt: skip
            self.facts.must_be_in_memory(address.cell.key)
        return leaf

    def register_of(self, leaf: Leaf, cell: Cell) -> ir.Reg:
        """The register of a part that is assigned to."""
        if leaf.register is None:
            scalar = t.arithmetic(leaf.type)
            wide = leaf.space in (Space.GLOBAL, Space.GENERIC, Space.NONE)
            type = scalar.register if scalar else Type.U64 if wide else Type.U32
            leaf.register = self.builder.reg(type, cell.name)
        return leaf.register

    def read_leaf(self, address: Address, type: t.CType) -> Value:
        assert address.cell is not None
        leaf, cell = self.leaf(address, type), address.cell
        if leaf.bound is not None:
            value = leaf.bound
        elif isinstance(leaf.type, t.Pointer):
            if leaf.space == Space.NONE:  # read before it was ever written
                leaf.space, leaf.provisional = self.facts.spaces.get((cell.key, leaf.offset), Space.GLOBAL), True
            value = Value(leaf.type, address=Address(leaf.space, self.register_of(leaf, cell)))
        else:
            value = Value(leaf.type, self.register_of(leaf, cell))
        return self.reinterpret(value, type)

    def write_leaf(self, address: Address, value: Value) -> None:
        """Assign ``value``, already of the right type, to a part of a register variable."""
        assert address.cell is not None
        cell = address.cell
        leaf = self.leaf(address, value.type)
        value = self.reinterpret(value, leaf.type)
        if cell.folding:
            if value.constant is None:
                raise NotConstant
            leaf.bound = value
            return
        if cell.binding:
            leaf.bound = replace(self.kept(value, cell.name), type=leaf.type, product=None)
            return
        if leaf.bound is not None:
            self.facts.is_assigned(cell.key)
        operand = self.pointer_for(leaf, cell, value) if isinstance(leaf.type, t.Pointer) else value.scalar_operand
        self.assign(self.register_of(leaf, cell), operand)

    def bind_leaf(self, address: Address, value: Value, name: str) -> None:
        """Let a part that nothing assigns to stand for a value."""
        assert address.cell is not None
        leaf = self.leaf(address, value.type)
        value = self.reinterpret(value, leaf.type)
        leaf.bound = replace(self.kept(value, name), type=leaf.type, product=None)

    def kept(self, value: Value, name: str) -> Value:
        """A value that stays the same whatever is assigned afterwards: a variable's is copied."""
        if value.operand is not None:
            return replace(value, operand=self._kept_operand(value.operand, name))
        if value.address is not None and value.address.base is not None:
            return replace(value, address=replace(value.address, base=self._kept_operand(value.address.base, name)))
        return value

    def _kept_operand(self, operand: ir.Value, name: str) -> ir.Value:
        if not isinstance(operand, ir.Reg):
            return operand
        if operand in self.constants:
            return operand
        kept = operand
        if operand.name or self._just_computed(operand):
            kept = self.builder.reg(operand.type, name or "t")
            self.assign(kept, operand)
        self.constants.add(kept)
        return kept

    def assign(self, register: ir.Reg, operand: ir.Value) -> None:
        """register = operand; where the operand was just computed, it is computed into the register instead."""
        if (
            isinstance(operand, ir.Reg)
            and self._just_computed(operand)
            and _interchangeable(operand.type, register.type)
        ):
            instrs = self.builder.block.instrs
            instrs[-1] = replace(instrs[-1], dsts=(register,))
        elif operand is not register:
            self.builder.mov(register, operand)

    def _just_computed(self, operand: ir.Reg) -> bool:
        """Whether the last instruction computed ``operand``, an intermediate result that nothing else holds."""
        instrs = self.builder.block.instrs
        fresh = not operand.name and operand not in self.constants and not self.builder.closed
        return fresh and bool(instrs) and instrs[-1].dsts == (operand,)

    def pointer_for(self, leaf: Leaf, cell: Cell, value: Value) -> ir.Value:
        """The operand of a pointer for a variable that points into ``leaf.space``; refutes the space if it must."""
        assert value.address is not None
        address, fact = value.address, (cell.key, leaf.offset)
        if address.cell is not None:
            self.facts.must_be_in_memory(address.cell.key)
        if leaf.space == Space.NONE:
            leaf.provisional = address.is_null and fact not in self.facts.spaces
            leaf.space = self.facts.spaces.get(fact, Space.GLOBAL if address.is_null else address.space)
        if address.is_null:
            if leaf.space not in (Space.GLOBAL, Space.GENERIC):
                self.facts.points_into(*fact, Space.GENERIC)
            return ir.const(Type.U64, 0)
        if leaf.space == address.space:
            return self.address_operand(address)
        if leaf.space == Space.GENERIC:
            return self.generic_operand(address)
        known = leaf.provisional and address.is_wide
        self.facts.points_into(*fact, address.space if known else Space.GENERIC)

    # ------------------------------------------------------------------------------- provided further up
    def address_operand(self, address: Address) -> ir.Value:
        raise NotImplementedError

    def generic_operand(self, address: Address) -> ir.Value:
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


def _interchangeable(written: Type, wanted: Type) -> bool:
    """Whether an instruction that writes one type may write a register of the other instead."""
    if written == wanted:
        return True
    if written.is_float or wanted.is_float or Type.PRED in (written, wanted):
        return False
    return written.is_wide == wanted.is_wide and wanted.bytes >= 4


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


def new_leaves(type: t.CType) -> dict[int, Leaf]:
    return {offset: Leaf(leaf, offset) for offset, leaf in leaf_types(type)}


def fits_registers(type: t.CType) -> bool:
    """Whether a variable may live in registers at all."""
    return _count(type) <= MAX_REGISTER_PARTS


def _count(type: t.CType) -> int:
    type = t.plain(type)
    if isinstance(type, t.Array):
        return (type.length or 0) * _count(type.of)
    if isinstance(type, t.Struct):
        if (
            type.info.is_union
            and len({f.type.size for f in type.info.fields} | {_count(f.type) for f in type.info.fields}) > 2
        ):
            return MAX_REGISTER_PARTS + 1
        return sum(_count(f.type) for f in type.info.fields)
    return 1
