"""Evaluate expressions at compile time: an interpreter of the part of C++ that constants need."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from warpview.diagnostics import CompileError, Span
from warpview.frontend import syntax as s
from warpview.frontend.interruption import checkpoint
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.checks import being_defined, fail_no_pack
from warpview.frontend.semantic.constant_calls import ConstantCalls
from warpview.frontend.semantic.constant_objects import ConstantObjects
from warpview.frontend.semantic.constant_operations import (
    NotConstant,
    binary_operation,
    converted,
    integer_of,
    truth,
    unary_operation,
)
from warpview.frontend.semantic.operands import TypedOperand, part_named
from warpview.frontend.semantic.scopes import FunctionSet, LazyVariable, Scope
from warpview.frontend.semantic.validity import rewritten_comparison
from warpview.frontend.semantic.values import NULL, FunctionObject, Lvalue, Value, constants_of, number
from warpview.frontend.syntax.walk import is_deduced

if TYPE_CHECKING:
    from warpview.frontend.semantic.analysis import Semantics

T = TypeVar("T")
MAX_STEPS = 100_000  # of one evaluation


class Evaluator:
    """Evaluate expressions whose value is known at compile time."""

    def __init__(self, semantics: Semantics) -> None:
        self.semantics = semantics
        self.names = semantics.names
        self.objects = ConstantObjects(self)
        self.calls = ConstantCalls(self)
        self._globals: dict[LazyVariable, Lvalue | Value] = {}
        self._steps = 0
        self.is_manifest = False  # whether what is evaluated must be known at compile time (C++20, 7.7)

    def attempt(self, action: Callable[[], T], is_manifest: bool = False) -> T | None:
        """Return the result of ``action``; None where it needs something that is only known at run time."""
        steps, self._steps = self._steps, 0
        with self.names.scoped(self.names.scope):
            try:
                with self.manifest(is_manifest):
                    return action()
            except (CompileError, NotConstant):
                return None
            finally:
                self._steps = steps

    @contextmanager
    def manifest(self, is_manifest: bool = True) -> Iterator[None]:
        """Say within whether what is evaluated must be known at compile time."""
        before, self.is_manifest = self.is_manifest, is_manifest
        try:
            yield
        finally:
            self.is_manifest = before

    def value(self, e: s.Expression) -> Value | None:
        """Return the constant that an expression comes to, or None."""
        return self.attempt(lambda: self.rvalue(e))

    def truth(self, e: s.Expression) -> bool:
        """Return whether a condition holds."""
        return truth(self.numbered(self.rvalue(e), e.span, t.BOOL, explicit=True), e.span)

    def numbered(self, value: Value, span: Span, to: t.CType | None = None, explicit: bool = False) -> Value:
        """Return a struct as the number that its own function converts it to, ``to`` before others; anything else as it
        is. Functions that are explicit count where ``explicit`` says so."""
        struct, own = value.type, self.semantics.own_conversions
        if not isinstance(struct, t.Struct) or value.address is None:
            return value
        wanted = t.plain(to) if to is not None else own.number_type(value.type, explicit, value.is_lvalue)
        found = None if wanted is None else own.function_for(TypedOperand.of(value), wanted, span, explicit)
        if found is None:
            return value
        callee = s.Name(span, s.CONVERSION, found[1])
        this = Lvalue(value.address, value.type)
        return self.objects.loaded(self.calls.invoke([found[0]], callee, [], span, this))

    def number(self, e: s.Expression) -> int | float | None:
        """Return the number that an expression comes to, or None."""
        value = self.attempt(lambda: self.numbered(self.rvalue(e), e.span, explicit=True))
        return None if value is None else value.constant

    def required(self, e: s.Expression, what: str) -> Value:
        """Return the number, lambda or constant object that an expression must come to; the number that an object
        converts itself to."""
        try:
            with self.manifest():
                value = self.numbered(self.rvalue(e), e.span)
        except NotConstant:
            value = None
            self.semantics.typer.type_of(e)  # an error within says more than that it is not constant
        is_known = value is not None and (value.object is not None or constants_of(value) is not None)
        if value is None or not is_known:
            fail(f"{what} must be known at compile time", e.span)
        return value

    def folded_integer(self, e: s.Expression, what: str) -> int:
        """Return the integer that an expression must come to once calls are inlined, where a variable of which only one
        value is known is one, too."""
        found = self.number(e)
        return int(found) if isinstance(found, int) else self.integer(e, what)

    def integer(self, e: s.Expression, what: str) -> int:
        """Return the integer that an expression must come to."""
        found = self.required(e, what).constant
        if found is None or isinstance(found, float):
            fail(f"{what} must be an integer", e.span)
        return found

    def branch_taken(self, e: s.Expression) -> bool:
        """Return the value of the condition of an ``if constexpr``."""
        return bool(self.integer(e, "the condition of 'if constexpr'"))

    # ---------------------------------------------------------------------------------------- expressions
    def rvalue(self, e: s.Expression) -> Value:
        """Evaluate an expression; raise ``NotConstant`` where it is only known at run time."""
        self.count_step(e.span)
        match e:
            case s.Literal(value=value, type=t.Scalar() as type):
                return number(type, value)
            case s.NullPointer():
                return Value(t.NULLPTR, address=NULL)
            case s.PackExpression():
                fail_no_pack(e.span)
            case s.SizeOf():
                return number(t.ULONG, self.semantics.typer.size_of(e))
            case s.Requires():
                return number(t.BOOL, self.semantics.concepts.are_met(e))
            case s.Lambda():
                return Value(t.Closure(e), object=FunctionObject(e, self.names.scope))
            case s.Unary():
                return self._unary(e)
            case s.Postfix(operand=operand, operator=op):
                return self._changed(operand, op[0], e.span)[0]
            case s.Binary():
                return self._binary(e)
            case s.Conditional():
                return self._conditional(e)
            case s.Cast():
                return self._cast(e)
            case s.Construct():
                return self.objects.construct(e)
        return self.objects.loaded(self.lvalue(e))

    def lvalue(self, e: s.Expression) -> Lvalue | Value:
        """Evaluate an expression to the object that it names, or to its value where it names none."""
        match e:
            case s.Name():
                return self._name(e)
            case s.StringLiteral():
                place = self.objects.new_object("", t.text(len(e.characters)))
                self.objects.initialise(place, e)
                return place
            case s.Index(base=base, index=index):
                if (overloaded := self._operator("[]", [base, index], e.span)) is not None:
                    return overloaded
                pointer = self.target(base)
                position = integer_of(self.numbered(self.rvalue(index), index.span))
                return Lvalue(pointer.address.plus(position * pointer.type.size), pointer.type)
            case s.BoundPart(base=base):
                return self.lvalue(part_named(e, self.semantics.typer.type_of(base)))
            case s.Member(base=base, name=name, arrow=arrow):
                return self._member(base, name, arrow)
            case s.PointedMember():
                return self._pointed_member(e)
            case s.Unary(operator="*", operand=operand):
                return self.target(operand)
            case s.Unary(operator="++" | "--" as op, operand=operand):
                self._changed(operand, op[0], e.span)
                return self.lvalue(operand)
            case s.This():
                this = self.names.scope.find_this()
                if this is None:
                    raise NotConstant
                return Value(t.Pointer(this.type), address=this.address)
            case s.Assign():
                return self._assign(e)
            case s.Call():
                return self.calls.call(e)
            case s.Binary(operator=",", left=left, right=right):
                self.rvalue(left)
                return self.lvalue(right)
        return self.rvalue(e)

    def count_step(self, span: Span) -> None:
        """Count one step of the evaluation; refuse more than ``MAX_STEPS``."""
        self._steps += 1
        if self._steps % 64 == 0:
            checkpoint()
        if self._steps > MAX_STEPS:
            fail(f"this takes more than {MAX_STEPS} steps to evaluate at compile time", span)

    def _name(self, e: s.Name) -> Lvalue | Value:
        found = self.names.lookup(e)
        match found:
            case Lvalue() | Value():
                if self.is_manifest and _is_variable(found):
                    raise NotConstant
                return found
            case LazyVariable():
                return self.global_constant(found)
            case None | FunctionSet():
                return self.names.function_value(e, found)
        raise NotConstant

    def global_constant(self, symbol: LazyVariable) -> Lvalue | Value:
        """Return a file-scope constant."""
        variable = symbol.declaration
        if symbol in self._globals:
            return self._globals[symbol]
        changes = variable.storage & {"__shared__", "__device__", "__managed__", "__constant__"}
        if (changes and "constexpr" not in variable.storage) or symbol.busy:
            raise NotConstant
        with being_defined(symbol), self.names.scoped(symbol.scope), self.manifest():
            type = self.semantics.typer.variable_type(variable)
            if not (t.is_const(type) or is_deduced(variable.type)):
                raise NotConstant
            self._globals[symbol] = found = self.objects.declared(variable, type)
        return found

    def target(self, e: s.Expression) -> Lvalue:
        """Return the object that a constant pointer points to."""
        value = self.rvalue(e)
        type = t.plain(value.type)
        if not isinstance(type, t.Pointer) or value.address is None or value.address.cell is None:
            raise NotConstant
        return Lvalue(value.address, type.to)

    def _member(self, base: s.Expression, name: str, arrow: bool) -> Lvalue | Value:
        try:
            owner = self.target(base) if arrow else self.lvalue(base)
        except NotConstant:
            type = self.semantics.typer.type_of(base)
            return self._static_constant(type.to if arrow and isinstance(type, t.Pointer) else type, name)
        struct = t.plain(owner.type)
        if not isinstance(struct, t.Struct) or owner.address is None:
            raise NotConstant
        field = struct.field(name)
        if field is None:
            return self._static_constant(struct, name)
        if isinstance(field.type, t.BitMember):
            raise NotConstant
        return Lvalue(owner.address.plus(field.offset), field.type)

    def _pointed_member(self, e: s.PointedMember) -> Lvalue:
        owner, pointer = self.lvalue(e.base), self.rvalue(e.pointer)
        if owner.address is None:
            raise NotConstant
        place = self.semantics.member_pointers.member(Lvalue(owner.address, owner.type), pointer.type, e.span)
        return Lvalue(place.address.plus(integer_of(pointer)), place.type)

    def _static_constant(self, type: t.CType, name: str) -> Lvalue | Value:
        """Return a constant that a struct declares, which is known even where no object of the struct is."""
        struct = t.plain(type)
        scope = struct.info.scope if isinstance(struct, t.Struct) else None
        symbol = scope.names.get(name) if isinstance(scope, Scope) else None
        if isinstance(symbol, LazyVariable):
            return self.global_constant(symbol)
        if isinstance(symbol, Value):
            return symbol
        raise NotConstant

    # ------------------------------------------------------------------------------------------ operators
    def _unary(self, e: s.Unary) -> Value:
        op = e.operator
        if op == "*":
            return self.objects.loaded(self.lvalue(e))
        if (member := self.semantics.member_pointers.named(e)) is not None:
            return member
        if (overloaded := self._overloaded(op, [e.operand], e.span)) is not None:
            return overloaded
        if op == "&":
            found = self.lvalue(e.operand)
            if isinstance(found, Value) or found.address.cell is None:
                raise NotConstant
            return Value(t.Pointer(found.type), address=found.address)
        if op in ("++", "--"):
            return self._changed(e.operand, op[0], e.span)[1]
        value = self.numbered(self.rvalue(e.operand), e.span, t.BOOL if op == "!" else None, explicit=op == "!")
        return unary_operation(op, value, e.span)

    def _overloaded(self, op: str, operands: list[s.Expression], span: Span) -> Value | None:
        """Return the value of an operator that the file defines for these operands; None where it defines none."""
        found = self._operator(op, operands, span)
        return None if found is None else self.objects.loaded(found)

    def _operator(self, op: str, operands: list[s.Expression], span: Span) -> Lvalue | Value | None:
        """Call the operator that the file defines for these operands; None where it defines none."""
        found = self.semantics.typer.operator_function(op, operands, span)
        if found is None:
            return None
        candidates, _ = found
        if not candidates.are_methods:
            return self.calls.invoke(candidates.declarations, None, operands, span, None, candidates.owner)
        struct = self.lvalue(operands[0])
        if struct.address is None:
            raise NotConstant
        this = struct if isinstance(struct, Lvalue) else Lvalue(struct.address, struct.type)
        return self.calls.invoke(candidates.declarations, None, operands[1:], span, this)

    def _changed(self, target: s.Expression, op: str, span: Span) -> tuple[Value, Value]:
        """Return the value of a variable before and after ++ or --."""
        place = self.objects.modifiable(target)
        old = self.objects.loaded(place)
        new = converted(binary_operation(op, old, number(t.INT, 1), span), place.type, span)
        self.objects.store(place, new, span)
        return old, new

    def _binary(self, e: s.Binary) -> Value:
        if e.operator == ",":
            self.rvalue(e.left)
            return self.rvalue(e.right)
        if e.operator in ("&&", "||"):
            stops = e.operator == "||"
            if self.truth(e.left) == stops:
                return number(t.BOOL, stops)
            return number(t.BOOL, self.truth(e.right))
        spine: list[s.Binary] = []
        first: s.Expression = e
        while isinstance(first, s.Binary) and first.operator not in (",", "&&", "||"):
            spine.append(first)
            first = first.left
        value = self.rvalue(first)
        for node in reversed(spine):
            if (overloaded := self._overloaded(node.operator, [node.left, node.right], node.span)) is not None:
                value = overloaded
                continue
            if (meant := rewritten_comparison(self.semantics.typer, node)) is not None:
                value = self.rvalue(meant)
                continue
            left, right = (self.numbered(side, node.span) for side in (value, self.rvalue(node.right)))
            value = binary_operation(node.operator, left, right, node.span)
        return value

    def _conditional(self, e: s.Conditional) -> Value:
        chosen = e.then if self.truth(e.condition) else e.other
        value = self.rvalue(chosen)
        found = self.attempt(lambda: self.semantics.typer.type_of(e))
        to = None if found is None else t.arithmetic(found)
        if to is None or t.same(value.type, to):
            return value
        value = self.numbered(value, e.span, to)
        return value if value.constant is None else converted(value, to, e.span)

    def _assign(self, e: s.Assign) -> Lvalue | Value:
        if isinstance(e.value, s.InitList):
            place = self.objects.modifiable(e.target)
            self.objects.initialise(place, e.value)
            return place
        if e.operator and (result := self._operator(f"{e.operator}=", [e.target, e.value], e.span)) is not None:
            return result
        to, given = (self.semantics.typer.type_of(side) for side in (e.target, e.value))
        made = None if e.operator else self.objects.made(e.value, given, to)
        value = made or self.rvalue(e.value)
        place = self.objects.modifiable(e.target)
        if e.operator:
            value = binary_operation(e.operator, self.objects.loaded(place), value, e.span)
        self.objects.store(place, value, e.span)
        return place

    def _cast(self, e: s.Cast) -> Value:
        to = self.semantics.types.resolve(e.type)
        if isinstance(to, t.Void):
            self.rvalue(e.operand)
            return Value(t.VOID)
        if isinstance(to, t.Reference):
            found = self.lvalue(e.operand)
            if not t.same(found.type, to.to):
                raise NotConstant
            return self.objects.loaded(found)
        if isinstance(t.plain(to), t.Struct):
            return self.objects.construct(s.Construct(e.span, e.type, [e.operand], braces=False))
        return converted(self.numbered(self.rvalue(e.operand), e.span, to, explicit=True), to, e.span)


def _is_variable(found: Lvalue | Value) -> bool:
    """Return whether a name is a number that a function of the kernel could change, though its value may be known."""
    cell = found.address.cell if isinstance(found, Lvalue) else None
    if cell is None or cell.folding or t.arithmetic(found.type) is None:
        return False
    return not found.type.const or cell.is_computed
