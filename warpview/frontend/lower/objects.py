"""Keep local variables: slots for those that change, names for the values of the others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from warpview.diagnostics import Span
from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.preprocess.preprocessor import is_own_header
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.constant_operations import NotConstant
from warpview.frontend.semantic.layout import bit_holders, holds_array, leaf_types, may_be_promoted, new_parts
from warpview.frontend.semantic.values import Address, BoundObject, Lvalue, ScalarPart, Value, number
from warpview.isa.ops import Op
from warpview.isa.program import Special
from warpview.isa.types import Space, Type

# Special registers that a thread must first fetch; the sizes of the launch are operands as parameters are.
_FETCHED = frozenset({Special.TID_X, Special.TID_Y, Special.TID_Z, Special.CTAID_X, Special.CTAID_Y, Special.CTAID_Z})


class Objects(LoweringPart):
    def new_slot(self, key: object, name: str, type: t.CType, span: Span, align: int = 4) -> Lvalue:
        """Return the slot of a variable; the same one again where a body is written several times (an unrolled
        loop)."""
        identity = (key, self.context.path)
        if identity not in self.context.slots:
            self.context.slots[identity] = slot = self._slot(name, type, span, align)
            self.describe(identity, slot, type, span)
        return _place_in(self.context.slots[identity], type)

    def _slot(self, name: str, type: t.CType, span: Span, align: int = 4) -> ir.Slot:
        types = _register_types(type) if may_be_promoted(type) else None
        slot = ir.Slot(name, max(1, type.size), max(align, type.align), types, span, frame=self.context.stack_frame)
        self.context.function.slots.append(slot)
        for offset, holder in bit_holders(type):  # a bit field is written into what was there before
            place = _place_in(slot, type).address.plus(offset)
            self.low.memory.store(Lvalue(place, holder), number(holder, 0), span)
        return slot

    def describe(self, identity: object, holder: BoundObject | ir.Slot, type: t.CType, span: Span) -> None:
        """Remember a variable for the views; what holds it is filled in when the kernel is complete."""
        if holder.name and not is_own_header(span.source):
            self.context.described[identity] = holder, type, (span.line, max(span.line, self.context.scope_end))

    def temporary(self, type: t.CType, node: s.Node) -> Lvalue:
        """Return a place for the intermediate result of ``node``, which several paths may write."""
        return _place_in(self._slot("", type, node.span), type)

    @contextmanager
    def value_in_parts(self, type: t.CType, node: s.Node) -> Iterator[Lvalue]:
        """Give the result of ``node`` a place, each part of which is written once within."""
        if holds_array(type):
            yield self.temporary(type, node)
        else:
            yield Lvalue(Address(cell=BoundObject("", type, new_parts(type))), type)

    def in_memory(self, address: Address) -> Address:
        """Return the address of a copy in memory of an object that is a name for values, for what needs an address."""
        cell = address.cell
        if cell is None:
            return address
        place = _place_in(self._slot("", cell.type, self.context.builder.span), cell.type)
        self.low.copies.hold_copies(place, Lvalue(Address(cell=cell), cell.type))
        for offset, leaf in cell.leaves.items():
            if leaf.bound is not None:
                self.low.memory.store(
                    Lvalue(place.address.plus(offset), leaf.type), leaf.bound, self.context.builder.span
                )
        return place.address.plus(address.offset)

    def leaf(self, address: Address, type: t.CType) -> ScalarPart | None:
        """Return the part at an address of an object that is a name for values; None where the type is no part of
        it."""
        assert address.cell is not None
        leaf = address.cell.leaves.get(address.offset)
        same_kind = leaf is not None and isinstance(leaf.type, t.Pointer) == isinstance(t.plain(type), t.Pointer)
        return leaf if leaf is not None and same_kind and leaf.type.size == type.size else None

    def read_leaf(self, address: Address, type: t.CType) -> Value | None:
        """Return the value of a part of an object that is a name for values; None where it is no scalar part of it."""
        leaf = self.leaf(address, type)
        if leaf is None or leaf.bound is None:
            return None
        value = self.low.conversions.reinterpret(leaf.bound, type)
        operand = value.operand
        if isinstance(operand, ir.SpecialValue) and (operand.special in _FETCHED or operand.is_volatile):
            return Value(value.type, self.context.emit(Op.MOV, Type.U32, operand))
        return value

    def write_leaf(self, address: Address, value: Value) -> None:
        """Bind a part of an object that is a name for values to ``value``, which is already of the right type."""
        assert address.cell is not None
        cell, leaf = address.cell, self.leaf(address, value.type)
        if leaf is None or (leaf.bound is not None and not cell.folding):
            fail(
                "this cannot be changed here: it is the value of something that does not change",
                self.context.builder.span,
            )
        value = self.low.conversions.reinterpret(value, leaf.type)
        if cell.folding:
            if value.constant is None:
                raise NotConstant
            leaf.bound = value
            return
        leaf.bound = replace(self.kept(value, cell.name), type=leaf.type, product=None)

    def kept(self, value: Value, name: str) -> Value:
        """Return a value under the name of a variable: the register in which it was just computed takes the name."""
        if value.operand is not None:
            return replace(value, operand=self._under_name(value.operand, name))
        if value.address is not None and value.address.base is not None:
            return replace(value, address=replace(value.address, base=self._under_name(value.address.base, name)))
        return value

    def _under_name(self, operand: ir.Value, name: str) -> ir.Value:
        if not isinstance(operand, ir.Reg) or operand.name or not name or not self.context.just_computed(operand):
            return operand
        instrs = self.context.builder.block.instrs
        source = instrs[-1].srcs[0] if instrs[-1].op == Op.LD else None
        if isinstance(source, ir.SlotAddress) and not source.slot.name:
            self.context.results[operand] = source.slot, instrs[-1].imm
            return operand  # the variable is the intermediate result itself
        register = self.context.builder.reg(operand.type, name)
        instrs[-1] = replace(instrs[-1], dsts=(register,))
        return register


def _place_in(slot: ir.Slot, type: t.CType) -> Lvalue:
    return Lvalue(Address(Space.LOCAL, ir.SlotAddress(slot), bounds=ir.ArrayBounds(0, slot.size, slot)), type)


def _register_types(type: t.CType) -> dict[int, Type]:
    """Return the register type of each scalar part of a variable, by byte offset."""
    return {
        offset: scalar.register if (scalar := t.arithmetic(leaf)) is not None else Type.U64
        for offset, leaf in leaf_types(type)
    }
