"""Destroy objects where their time ends: variables at the end of their block, temporaries at the end of an expression.

Both wait in lists, in the order in which they were made, and are destroyed in the reverse order. What leaves a block
early (``return``, ``break``, ``continue``) destroys what was made since the block that it goes to was entered.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from warpview.diagnostics import Span
from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import DESTRUCTOR, destructors_of, is_destroyed, struct_of
from warpview.frontend.semantic.checks import fail_host_function
from warpview.frontend.semantic.layout import list_parts
from warpview.frontend.semantic.values import Address, Lvalue, Value, number
from warpview.frontend.syntax.walk import result_object, walk

if TYPE_CHECKING:
    from warpview.frontend.lower.lowering import Lowering


@dataclass(frozen=True)
class Temporary:
    """Hold an object that is destroyed with its expression; ``made`` tells whether it was made, where that depends."""

    place: Lvalue
    made: Lvalue | None


class Destructors(LoweringPart):
    def __init__(self, low: Lowering) -> None:
        super().__init__(low)
        self.variables: list[Lvalue] = []  # of the blocks that are open, in the order in which they were made
        self.temporaries: list[Temporary] = []
        self._blocks: list[tuple[s.Statement, int]] = []  # that are open, with the number of variables before each
        self._fork: ir.BasicBlock | None = None  # where the outermost condition within the expression divides

    # ------------------------------------------------------------------------------------ objects are made
    def variable(self, place: Lvalue) -> Lvalue:
        """Let a new variable be destroyed at the end of the block."""
        info = struct_of(place.type)
        if info is not None and isinstance(info.syntax, s.StructType) and DESTRUCTOR in info.syntax.host_methods:
            fail_host_function(f"the destructor of '{t.Struct(info)}'", self.context.builder.span)
        if is_destroyed(place.type):
            self.variables.append(place)
        return place

    def temporary(self, value: Value) -> Value:
        """Let the object that a value is be destroyed at the end of the expression, unless it is adopted."""
        if value.address is not None and is_destroyed(value.type):
            self.parameter(Lvalue(value.address, value.type))
        return value

    def parameter(self, place: Lvalue) -> Lvalue:
        """Let the parameter of a call be destroyed at the end of the expression (Itanium C++ ABI, 3.1.1)."""
        if is_destroyed(place.type):
            self.temporaries.append(Temporary(place, self._flag()))
        return place

    def _flag(self) -> Lvalue | None:
        """Return a variable that is true from here on, and false where the condition divides; None without one."""
        if self._fork is None:
            return None
        flag = self.low.objects.temporary(t.BOOL, s.Name(self.context.builder.span, ""))
        builder, here = self.context.builder, self.context.builder.block
        builder.block, ending = self._fork, self._fork.terminator
        builder.block.terminator = None
        self.low.memory.store(flag, number(t.BOOL, 0), builder.span)
        builder.block.terminator, builder.block = ending, here
        self.low.memory.store(flag, number(t.BOOL, 1), builder.span)
        return flag

    def adopt(self, value: Value) -> Value:
        """Return a value that becomes an object of its type, which is destroyed in place of the temporary."""
        if self.temporaries and value.address is not None and is_destroyed(value.type):
            kept = [x for x in self.temporaries if not _is_at(x.place, value.address, value.type)]
            self.temporaries[:] = kept
        return value

    # -------------------------------------------------------------------------------- objects are destroyed
    @contextmanager
    def block(self, node: s.Statement, end: Span) -> Iterator[None]:
        """Destroy at ``end`` the variables that are declared within a statement."""
        before, fork = len(self.variables), self._fork
        self._fork = None
        self._blocks.append((node, before))
        yield
        self._blocks.pop()
        with self.context.at(end):
            self.leave(before)
        del self.variables[before:]
        self._fork = fork

    @contextmanager
    def expression(self) -> Iterator[None]:
        """Destroy at the end of an expression the temporaries that were made within."""
        before, fork = len(self.temporaries), self._fork
        self._fork = None
        yield
        while len(self.temporaries) > before:
            last = self.temporaries.pop()
            self._destroy_if(last.made, last.place, self.context.builder.span)
        self._fork = fork

    @contextmanager
    def fork(self) -> Iterator[None]:
        """Let what is made within be destroyed only where it was made: the code that follows divides."""
        before = self._fork
        self._fork = before or self.context.builder.block
        yield
        self._fork = before

    def leave(self, kept: int, given_back: Lvalue | None = None) -> None:
        """Destroy all variables but the first ``kept`` and the one that a function gives back."""
        if self.context.builder.closed:
            return
        for place in reversed(self.variables[kept:]):
            if given_back is None or not _is_at(place, given_back.address, given_back.type):
                self.destroy(place, self.context.builder.span)

    def leave_for(self, label: str, placed: int | None) -> None:
        """Destroy the variables that a jump to a label leaves: those of the blocks that do not hold the label, and
        those that are declared behind it, where it is ``placed`` already behind so many (C++17, 9.6)."""
        kept, function = len(self.variables), self.context.frame.function
        if kept == self.context.frame.variables or not isinstance(function, (s.FunctionDeclaration, s.Lambda)):
            return
        target = next((n for n in walk(function) if isinstance(n, s.Label) and n.name == label), None)
        for node, before in reversed(self._blocks):
            if any(n is target for n in walk(node)):
                break
            kept = before
        self.leave(kept if placed is None else min(kept, placed))

    def give_back(self, place: Lvalue) -> None:
        """Leave a variable to the caller of the function that ends here."""
        self.variables[:] = [x for x in self.variables if not _is_at(x, place.address, place.type)]

    def destroy(self, place: Lvalue, span: Span) -> None:
        """Call the destructor of an object, then those of its members and base classes, the last one first."""
        type = t.plain(place.type)
        if not is_destroyed(type):
            return
        if isinstance(type, t.Array):
            for _, offset, element in reversed(list(list_parts(type))):
                self.destroy(Lvalue(place.address.plus(offset), element), span)
            return
        assert isinstance(type, t.Struct)
        place = Lvalue(self.low.objects.in_memory(place.address), type)
        if own := destructors_of(type):
            self.low.virtual_calls.set_class(place, span)
            this_very_one = s.Name(span, DESTRUCTOR, qualifier="::")
            self.low.calls.call_candidates(own, this_very_one, s.Call(span, this_very_one, []), [], place)
        for part in reversed(type.info.parts):
            self.destroy(Lvalue(place.address.plus(part.offset), part.type), span)

    def _destroy_if(self, made: Lvalue | None, place: Lvalue, span: Span) -> None:
        if self.context.builder.closed:
            return
        if made is None:
            self.destroy(place, span)
            return
        builder = self.context.builder
        there, done = builder.new_block("then"), builder.new_block("end")
        builder.branch(self.low.memory.load(made, span).scalar_operand, there, done)
        builder.place(there)
        self.destroy(place, span)
        builder.place(done)

    # ----------------------------------------------------------------------------------------- questions
    def may_be_made_in(self, e: s.Expression) -> bool:
        """Return whether an expression may make temporaries that are destroyed."""
        has_any = self.low.semantics.names.has_destructors
        return has_any and any(isinstance(n, (s.Call, s.Construct)) for n in walk(e))

    def given_back(self, e: s.Expression | None) -> Lvalue | None:
        """Return the variable that a function gives back as it is: the one that all its returns name."""
        frame = self.context.frame
        if not self.variables or not isinstance(e, s.Name):
            return None
        if not isinstance(frame.function, (s.FunctionDeclaration, s.Lambda)) or e.name != result_object(frame.function):
            return None
        found = self.low.expressions.lvalue(e)
        is_result = frame.result is None or t.same(found.type, frame.result)
        return found if is_result and isinstance(found, Lvalue) else None


def _is_at(place: Lvalue, address: Address, type: t.CType) -> bool:
    """Return whether an object of a type lies at an address."""
    at = place.address
    same = (at.base, at.offset, at.space) == (address.base, address.offset, address.space) and at.cell is address.cell
    return same and t.same(place.type, type)
