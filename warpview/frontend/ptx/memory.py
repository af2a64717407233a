"""Place the variables of a PTX module in memory, and lower accesses, parameters and addresses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from warpview.diagnostics import CompileError, Diagnostic, Refusal, Span
from warpview.frontend.ir import (
    Const,
    DeviceBase,
    DynamicShared,
    Function,
    Instr,
    Slot,
    SlotAddress,
    StackFrame,
    Value,
    const,
)
from warpview.frontend.passes.infer_spaces import generic_constant
from warpview.frontend.ptx.functions import PtxFunctions
from warpview.frontend.ptx.syntax import PtxAddress, PtxInstruction, PtxModule, PtxOperand, PtxVariable
from warpview.frontend.ptx.table import SCOPES
from warpview.isa.modes import AtomOp, MemoryScope
from warpview.isa.ops import Op
from warpview.isa.program import Variable
from warpview.isa.shared_variables import shared_variable, source_name
from warpview.isa.types import RANK_SHIFT, SHARED_WINDOW, Space, Type

if TYPE_CHECKING:
    from warpview.frontend.ptx.lowering import PtxCall

SPACES = {"global": Space.GLOBAL, "shared": Space.SHARED, "local": Space.LOCAL, "const": Space.CONST,
          "shared::cta": Space.SHARED}  # fmt: skip
OF_CLUSTER = "shared::cluster"
_RELAXED = frozenset({"relaxed", "acquire", "release"})
_RELEASING, _ACQUIRING = frozenset({"release", "acq_rel"}), frozenset({"acquire", "acq_rel"})
_VOLATILE = _RELAXED | {"volatile", "mmio"}  # not through the read-only cache
GRID_BARRIER = "$grid_barrier"
MOST_BYTES = 256 << 20  # of the variables of one space


def unsupported(what: str, span: Span, refusal: Refusal | None = Refusal.FRONT_END) -> CompileError:
    """Return the error that says of what is written at ``span`` that it is not supported, and who refuses it."""
    return CompileError([Diagnostic(f"{what} is not supported in PTX", span, refusal=refusal)])


class ModuleMemory:
    """Hold where each variable of a module lies: its space and its offset there."""

    def __init__(
        self, module: PtxModule, known: Mapping[str, Variable], names: Mapping[str, str] | None = None,
        at: Mapping[str, int] | None = None,
    ) -> None:  # fmt: skip
        """``at`` says where the ``__device__`` variables of a program lie, by name: of others there are only those that
        the kernel uses then."""
        self.at, self.names = at, names or {}
        self.is_inline = not module.functions
        self.placed: dict[str, int] = {}  # of those, by their names in PTX
        self.unused = {} if at is None else {v.name: v for v in module.variables if v.space == "global"}
        self.places: dict[str, tuple[Space, int | None]] = {}
        self.slots: dict[str, Slot] = {}  # of variables on the stack
        self.images = {Space.CONST: bytearray(), Space.GLOBAL: bytearray()}
        self.symbols: dict[Space, list[Variable]] = {Space.CONST: [], Space.GLOBAL: [], Space.SHARED: []}
        self.sizes = {Space.SHARED: 0, Space.LOCAL: 0}
        self.addresses: list[tuple[PtxVariable, Space, int, PtxAddress]] = []  # among initial values, with their places
        self.dynamic_shared = ""  # its first name, where there is one
        self.known = known
        for variable in module.variables:
            if variable.name not in self.unused:
                self.place(variable)

    def place_of(self, name: str) -> tuple[Space, int | None] | None:
        """Return the space and the offset of a variable; None where there is none of this name."""
        variable = self.unused.pop(name, None)
        if variable is not None:
            self.place(variable)
        return self.places.get(name)

    def place(self, variable: PtxVariable, function: Function | None = None, frame: StackFrame | None = None) -> None:
        """Give a variable its place: on the stack where it is a local one of a function that calls itself."""
        space = SPACES[variable.space]
        self.slots.pop(variable.name, None)
        if function is not None and frame is not None and space == Space.LOCAL:
            slot = Slot(variable.name, variable.size, variable.align, None, variable.span, frame=frame)
            function.slots.append(slot)
            self.slots[variable.name], self.places[variable.name] = slot, (space, None)
            return
        if space == Space.SHARED and variable.is_array and not variable.size:
            self.dynamic_shared = self.dynamic_shared or variable.name
            self.places[variable.name] = space, None
            return
        if self.at is not None and space == Space.GLOBAL and self._is_at(variable, self.at):
            return
        start = len(self.images[space]) if space in self.images else self.sizes[space]
        offset = -(-start // variable.align) * variable.align
        if space in self.images:
            data = variable.data or bytes(variable.size)
            self.addresses += [(variable, space, offset, address) for address in variable.addresses]
            if offset + len(data) > MOST_BYTES:
                raise CompileError([Diagnostic("the variables are too large", variable.span)])
            self.images[space] += bytes(offset - start) + data
        else:
            self.sizes[space] = offset + variable.size
        self.places[variable.name] = space, offset
        if space in self.symbols and not variable.name.startswith("$"):  # those are strings of the compiler
            self.symbols[space].append(self._declared(variable, space, offset))

    def _declared(self, variable: PtxVariable, space: Space, offset: int) -> Variable:
        """Return a variable as the source declares it, where that is known; else as words, or as so many bytes."""
        mangled, size = variable.name, variable.size
        if space == Space.SHARED:
            return shared_variable(mangled, offset, size, self.known)
        name, owner = self.names.get(mangled, source_name(mangled)), mangled if mangled.startswith("_ZZ") else ""
        if name in self.known:
            return replace(self.known[name], offset=offset, owner=owner)
        return Variable(name, f"{size} bytes", Type.U8, space=space, offset=offset, element_bytes=size, owner=owner)

    def _is_at(self, variable: PtxVariable, at: Mapping[str, int]) -> bool:
        """Let a variable lie where a program has it; return whether there is such a place."""
        described = self._declared(variable, Space.GLOBAL, 0)
        place = at.get(described.owner or described.name)
        if place is None:
            return False
        self.symbols[Space.GLOBAL].append(replace(described, offset=place))
        self.placed[variable.name], self.places[variable.name] = place, (Space.GLOBAL, 0)
        self.addresses += [(variable, Space.NONE, 0, address) for address in variable.addresses]
        return True

    def fill_addresses(self, functions: PtxFunctions) -> tuple[tuple[int, int], ...]:
        """Write the numbers of functions into initial values; return where addresses of global variables lie in the
        bytes of the global ones, and the place of each there. Raises CompileError for an address of another kind."""
        pointers = []
        for variable, space, start, address in self.addresses:  # which grows as they are met
            at, target = start + address.offset, self.place_of(address.name)
            number = functions.number(address.name)
            if number is not None and space == Space.NONE:
                continue  # the program has given it its value
            if number is not None:
                self.images[space][at : at + 8] = number.to_bytes(8, "little")
            elif target is not None and target[0] == Space.GLOBAL and space == Space.GLOBAL:
                pointers.append((at, (target[1] or 0) + address.further))
            else:
                what = f"the initial value of '{source_name(variable.name)}', the address of '{address.name}',"
                raise unsupported(what, variable.span)
        return tuple(pointers)

    def grid_barrier(self, span: Span) -> int:
        """Return where the words of the barrier of the whole grid lie in global memory, zeros at first."""
        if GRID_BARRIER not in self.places:
            self.place(PtxVariable(GRID_BARRIER, "global", Type.U8, 16, 16, span))
        return self.places[GRID_BARRIER][1] or 0


class PtxAccesses:
    """Lower loads, stores and addresses of one activation of a function."""

    def __init__(self, activation: PtxCall) -> None:
        self.low = activation

    # ---- addresses

    def symbol(self, name: str, wide: bool) -> Value | None:
        """Return the address of a variable: in its space if it is not ``wide``, else a generic one."""
        place = self.low.memory.place_of(name)
        if place is None:
            return None
        space, offset = place
        if name in self.low.memory.placed:
            return const(Type.U64, self.low.memory.placed[name])
        if space == Space.GLOBAL:
            return self.low.emit(Op.ADD, Type.U64, DeviceBase(), const(Type.U64, offset or 0))
        narrow: Value = DynamicShared() if offset is None else const(Type.U32, offset)
        if name in self.low.memory.slots:
            narrow = SlotAddress(self.low.memory.slots[name])
        if not wide:
            return narrow
        if isinstance(narrow, Const):
            return generic_constant(narrow.bits, space)
        return self.low.emit(Op.CVT, Type.U64, narrow, stype=Type.U32, space=space)

    def accessed(self, ins: PtxInstruction, operand: PtxOperand) -> tuple[Space, Value, int]:
        """Return the space, the base and the offset of an access."""
        return self.place(operand, next((m for m in ins.modifiers if m == OF_CLUSTER or m in SPACES), ""))

    def place(self, operand: PtxOperand, space: str) -> tuple[Space, Value, int]:
        """Return the space, the base and the offset of an access to what PTX calls ``space`` (empty: any)."""
        if space == OF_CLUSTER and not self.low.function.names_blocks:
            space = "shared"  # of the own block, as no other one has been named
        if space != OF_CLUSTER:
            return self.address(operand, SPACES.get(space, Space.GENERIC))
        narrow = self.low.emit(Op.CVT, Type.U64, self.low.read(operand.parts[0], Type.U32), stype=Type.U32)
        wide = self.low.emit(Op.OR, Type.U64, narrow, const(Type.U64, SHARED_WINDOW))
        return Space.GENERIC, wide, operand.value

    def address(self, operand: PtxOperand, space: Space) -> tuple[Space, Value, int]:
        """Return the space, the base and the offset of an access that names ``space`` (GENERIC: none)."""
        base = operand.parts[0]
        if base.kind == "int":
            return space, const(Type.U32 if space in (Space.SHARED, Space.LOCAL, Space.CONST) else Type.U64,
                                base.value), operand.value  # fmt: skip
        place = self.low.memory.place_of(base.text)
        if place is not None:
            value = self.symbol(base.text, wide=False)
            assert value is not None
            return place[0], value, operand.value
        value = self.low.read(base, Type.U64)
        if space == Space.SHARED and self.low.memory.is_inline:  # an offset, or an address that ends in it
            value = self.low.read(base, Type.U32)
        if space == Space.SHARED and self.low.function.names_blocks:
            value = self.low.emit(
                Op.AND, Type.U32, self.low.read(base, Type.U32), const(Type.U32, (1 << RANK_SHIFT) - 1)
            )
        if value.type.bytes == 4:
            return (Space.SHARED if space == Space.GENERIC else space), value, operand.value
        # Wide addresses of variables are generic ones here; a pass finds their space again.
        return (space if space == Space.GLOBAL else Space.GENERIC), value, operand.value

    # ---- accesses

    def load(self, ins: PtxInstruction) -> None:
        """Lower ld of one value or of a vector."""
        target, source = ins.operands
        type_ = ins.types[-1]
        if "param" in ins.modifiers:
            self._load_param(ins, target, source, type_)
            return
        space, base, offset = self.accessed(ins, source)
        targets = target.parts if target.kind == "list" else (target,)
        loaded = tuple(self.low.function.reg(type_) for _ in targets)
        self.low.append(
            Instr(Op.LD, type_, loaded, (base,), ins.span, space=space, vec=len(targets), imm=offset,
                  **_order(ins), read_only="nc" in ins.modifiers and space == Space.GLOBAL)
        )  # fmt: skip
        self._fence(ins, _ACQUIRING)
        for part, value in zip(targets, loaded, strict=True):
            if part.text != "_":
                self.low.write(part, value)

    def store(self, ins: PtxInstruction) -> None:
        """Lower st of one value or of a vector."""
        target, source = ins.operands
        type_ = ins.types[-1]
        sources = source.parts if source.kind == "list" else (source,)
        values = tuple(self.low.read(part, type_) for part in sources)
        if "param" in ins.modifiers:
            for k, (part, value) in enumerate(zip(sources, values, strict=True)):
                place = target.parts[0].text, target.value + k * type_.bytes
                self.low.store_param(*place, type_, value)
                self.low.stored_names[place] = part.text
            return
        space, base, offset = self.accessed(ins, target)
        self._fence(ins, _RELEASING)
        self.low.append(
            Instr(Op.ST, type_, (), (base, *values), ins.span, space=space, vec=len(values), imm=offset,
                  **_order(ins))
        )  # fmt: skip

    def _fence(self, ins: PtxInstruction, orders: frozenset[str]) -> None:
        """Lower what one of some orders asks for beside the access: a fence among the threads of its scope."""
        if orders.intersection(ins.modifiers):
            self.low.builder.effect(Op.MEMBAR, mod=scope_of(ins))

    def _load_param(self, ins: PtxInstruction, target: PtxOperand, source: PtxOperand, type_: Type) -> None:
        targets = target.parts if target.kind == "list" else (target,)
        for k, part in enumerate(targets):
            name, offset = source.parts[0].text, source.value + k * type_.bytes
            self.low.write(part, self.low.param(name, offset, type_, ins))

    def atomic(self, ins: PtxInstruction, mod: int, returns: bool) -> None:
        """Lower atom and red; of a vector each element is one access (PTX ISA: each is atomic by itself)."""
        operands = list(ins.operands) if returns else [PtxOperand("name", "_"), *ins.operands]
        space, base, offset = self.accessed(ins, operands[1])
        size, count = ins.types[-1].bytes, len(operands[2].parts) if operands[2].kind == "list" else 1
        targets = operands[0].parts if operands[0].kind == "list" else (operands[0],) * count
        if len(operands) != (4 if mod == AtomOp.CAS else 3) or len(targets) != count:
            raise ValueError
        self._fence(ins, _RELEASING)
        for element, target in enumerate(targets):
            sources = [o.parts[element] if o.kind == "list" else o for o in operands[2:]]
            self._atomic_element(ins, mod, (space, base, offset + element * size), target, sources)
        self._fence(ins, _ACQUIRING)

    def _atomic_element(
        self, ins: PtxInstruction, mod: int, place: tuple[Space, Value, int], target: PtxOperand,
        sources: Sequence[PtxOperand],
    ) -> None:  # fmt: skip
        space, base, offset = place
        type_ = ins.types[-1]
        values = tuple(self.low.read(source, type_) for source in sources)
        more = {"space": space, "mod": mod, "imm": offset, "scope": scope_of(ins)}
        if target.text == "_":
            self.low.builder.effect(Op.RED, type_, base, *values, **more)
        else:
            self.low.write(target, self.low.emit(Op.ATOM, type_, base, *values, **more))


def scope_of(ins: PtxInstruction) -> MemoryScope:
    """Return the threads among which an atomic or relaxed access is atomic."""
    return next((SCOPES[m] for m in ins.modifiers if m in SCOPES), MemoryScope.DEVICE)


def _order(ins: PtxInstruction) -> dict[str, Any]:
    """Return the attributes of an instruction that say how a load or store is ordered with others."""
    relaxed = bool(_RELAXED.intersection(ins.modifiers))
    return {"cached": not _VOLATILE.intersection(ins.modifiers), "relaxed": relaxed, "scope": scope_of(ins)}


def parameter_parts(
    function: Function, sizes: list[PtxVariable], name: str, offset: int, size: int
) -> list[tuple[int, int]] | None:
    """Return the fields of which the ``size`` bytes from ``offset`` on of the PTX parameter ``name`` consist: the index
    of each and the byte where it begins, counted from ``offset``. Padding has none; None where there are no such
    bytes."""
    params, names = function.params, function.parameter_names
    order = [variable.name for variable in sizes]
    if name not in order or len(names) != len(order):
        return None
    place = order.index(name)
    if offset + size > sizes[place].size:
        return None
    begins = ((k, p.offset - offset, p.type.bytes) for k, p in enumerate(params) if p.name == names[place])
    return [(k, first) for k, first, length in begins if first < size and first + length > 0]


def initial_pointers(module: PtxModule) -> dict[str, bytes]:
    """Return the initial values of those global variables of a module that hold pointers to functions alone."""
    functions = PtxFunctions(module)
    found = {}
    for variable in module.variables:
        numbers = {address.offset: functions.number(address.name) for address in variable.addresses}
        if variable.space == "global" and numbers and None not in numbers.values():
            contents = bytearray(variable.data)
            for at, number in numbers.items():
                contents[at : at + 8] = (number or 0).to_bytes(8, "little")
            found[source_name(variable.name)] = bytes(contents)
    return found
