"""Lower functions that call themselves: once for each call from outside, with a stack in local memory.

The function is written in place of that call. A call from within goes back to its beginning, with other values in the
variables of its parameters and the number of the place to return to; what the caller still needs is put aside by
``passes.call_frames``. Where the function ends, a comparison with each number leads back to its place.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from warpview.diagnostics import Span
from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.lower.context import CallFrame
from warpview.frontend.lower.copies import named
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.preprocess.tokens import refuse
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.inheritance import base_offset
from warpview.frontend.semantic.layout import fits_registers
from warpview.frontend.semantic.result_types import typed_object
from warpview.frontend.semantic.scopes import Scope
from warpview.frontend.semantic.values import Address, Lvalue, Value
from warpview.frontend.syntax.walk import is_deduced, returns_in, walk
from warpview.isa.ops import Cmp, Op
from warpview.isa.types import Space, Type

if TYPE_CHECKING:
    from warpview.frontend.lower.lowering import Lowering

Argument = Lvalue | Value | s.InitList
# The key of a call's frame, then what tells from others the lambdas that are passed, and the one that is called.
Instance = tuple[tuple[object, ...], *tuple[object, ...]]


class CallsItself(Exception):
    """A function turned out to call itself, to a depth that is not known: its kernel is lowered anew with that."""

    def __init__(self, function: s.FunctionDeclaration) -> None:
        super().__init__(function.name)
        self.function = function


@dataclass
class Procedure:
    """Describe a function that is being written: ``parameters`` are the variables that a call gives values to, ``this``
    first where there is one; ``number`` says where to return to, 0 for the call from outside."""

    declaration: s.FunctionDeclaration
    instance: Instance
    frame: ir.StackFrame
    entry: ir.BasicBlock
    number: ir.Reg
    parameters: list[Lvalue]
    types: list[t.CType]
    result: Lvalue | None
    returns: list[ir.BasicBlock] = field(default_factory=list)


class Procedures(LoweringPart):
    """Write functions of ``chosen``, those known to call themselves. Those of which it turns out are ``found``: what is
    lowered then only serves to find others, before the kernel is lowered anew."""

    def __init__(self, low: Lowering) -> None:
        super().__init__(low)
        self.chosen: frozenset[s.FunctionDeclaration] = frozenset()
        self.found: set[s.FunctionDeclaration] = set()
        self.active: list[Procedure] = []

    def call(
        self, declaration: s.FunctionDeclaration, scope: Scope, arguments: list[Argument], node: s.Call,
        this: Lvalue | None, key: tuple[object, ...], called: Value | None = None,
    ) -> Value | Lvalue:  # fmt: skip
        """Return a call of a function that calls itself, or of the lambda that is ``called``."""
        rest = [p.default for p in declaration.parameters[len(arguments) :] if p.default is not None]
        with self.context.scoped(scope):
            passed = [*arguments, *self.low.calls.arguments(rest)]
            closures, given = _shared_out(declaration.parameters, passed)
            types = self._types(given, node)
        if is_deduced(declaration.result):
            result = self._deduced(declaration, scope, this, closures, types)
        else:
            result = self._result_type(declaration, scope, this)
        objects = [*closures.values(), *([] if called is None else [called])]
        instance = (key, *map(_identity, objects), *(map(t.identity, types) if called is not None else ()))
        known = next((p for p in self.active if p.instance == instance), None)
        values = [self._passed(type, argument, node) for type, (_, argument) in zip(types, given, strict=True)]
        if this is not None:
            types.insert(0, t.Pointer(this.type))
            values.insert(0, Value(types[0], address=self.low.objects.in_memory(this.address)))
        values = [self._held(value, node) for value in values]
        if known is None:
            for closure in objects:
                self._keep_in_memory(closure, node, set())
            scope = Scope(scope)
            scope.names |= closures
            return self._written(declaration, scope, instance, types, values, result, node, this)
        return self._called(known, values, result, node)

    def _result_type(self, declaration: s.FunctionDeclaration, scope: Scope, this: Lvalue | None) -> t.CType:
        """Return the type of a result, which may name parameters and members."""
        overloads = self.low.semantics.overloads
        with self.context.scoped(overloads.with_parameters(declaration, scope, None if this is None else this.type)):
            return self.low.semantics.types.resolve(declaration.result)

    def _deduced(
        self, declaration: s.FunctionDeclaration, scope: Scope, this: Lvalue | None, closures: dict[str, Value],
        types: list[t.CType],
    ) -> t.CType:  # fmt: skip
        """Return the type of a result that the first return in the body tells."""
        inner = Scope(scope, this=this, is_parameters=True)
        inner.names |= closures
        own = [p.name for p in declaration.parameters if p.name not in closures]
        for name, type in zip(own, types, strict=True):
            inner.declare(name, typed_object(type), type)
        return self.low.semantics.typer.results.of_body(declaration, inner)

    def unwritten(
        self, declaration: s.FunctionDeclaration, scope: Scope, node: s.Call, this: Lvalue | None = None
    ) -> Value | Lvalue:  # fmt: skip
        """Note that a function calls itself; return a value that is not known in place of a call of it.

        Raises CallsItself for a function whose type only its body tells.
        """
        self.found.add(declaration)
        if is_deduced(declaration.result):
            raise CallsItself(declaration)
        result = self._result_type(declaration, scope, this)
        place = None if isinstance(result, t.Void) else self.low.objects.temporary(_kept(result), declaration)
        return self._result(place, result, node)

    # ------------------------------------------------------------------------------------ what is passed
    def _types(self, given: list[tuple[s.Parameter, Argument]], node: s.Call) -> list[t.CType]:
        """Return the types of the parameters of a call with these arguments."""
        types = []
        for parameter, argument in given:
            type = self.low.inliner.parameter_type(parameter, argument)
            kept = _kept(type)
            if not fits_registers(kept) or isinstance(kept, (t.Closure, t.Group, t.Array)):
                refuse(f"a parameter of type '{kept}' of a function that calls itself is not supported", node.span)
            types.append(type if isinstance(type, t.Reference) else kept)
        return types

    def _passed(self, type: t.CType, argument: Argument, node: s.Call) -> Value:
        """Return the value that the variable of a parameter gets: an address for a reference."""
        span = node.span
        if isinstance(argument, s.InitList):
            construct = s.Construct(argument.span, s.PlainType(span, t.plain(type)), [argument], True)
            return self.low.construction.construct(construct)
        if isinstance(type, t.Reference):
            place = self.low.calls.given_by_object(self.low.lvalues.referable(argument, type, span), type, span)
            offset = 0 if t.same(place.type, type.to) else base_offset(place.type, type.to)
            if not isinstance(place, Lvalue) or offset is None:
                value = self.low.conversions.convert(self.low.expressions.loaded(place, span), type.to, span)
                place, offset = self.low.objects.temporary(t.plain(type.to), node), 0
                self.low.memory.store(place, value, span)
            return Value(t.Pointer(type.to), address=self.low.objects.in_memory(place.address).plus(offset))
        value = self.low.copies.copied(argument, type, span)
        return self.low.inliner.convert_argument(value, type, span)

    def _held(self, value: Value, node: s.Call) -> Value:
        """Return a value in registers, whose computation is over before the stack moves."""
        if isinstance(t.plain(value.type), t.Struct):
            place = self.low.objects.temporary(t.plain(value.type), node)
            self.low.memory.store(place, value, node.span)
            return self.low.memory.load(place, node.span)
        if value.address is None:
            return value
        number = self.low.memory.generic_operand(value.address)
        if not isinstance(number, ir.Const):
            register = self.context.builder.reg(Type.U64)
            self.context.builder.mov(register, number)
            number = register
        return Value(value.type, address=Address(Space.GENERIC, number))

    def _keep_in_memory(self, closure: Value, node: s.Call, seen: set[s.Lambda]) -> None:
        """Give memory to the objects that a lambda refers to and may change: a call puts aside the registers of its
        caller, and brings back what they held."""
        assert closure.object is not None
        syntax, scope = closure.object.syntax, closure.object.scope
        if syntax in seen:
            return
        seen.add(syntax)
        changed = self.low.semantics.mutations.changed_in(syntax.body)
        names = changed.whole | changed.parts
        this = scope.find_this()
        found = [this] if this is not None else []
        for name in {n.name for n in walk(syntax.body) if isinstance(n, s.Name) and not n.qualifier}:
            match scope.find(name):
                case Lvalue() as place if name in names:
                    found.append(place)
                case Value(object=object) as value if object is not None:
                    self._keep_in_memory(value, node, seen)
        for place in found:
            self._held(Value(t.Pointer(place.type), address=self.low.objects.in_memory(place.address)), node)

    # --------------------------------------------------------------------------------------------- calls
    def _written(
        self, declaration: s.FunctionDeclaration, scope: Scope, instance: Instance, types: list[t.CType],
        values: list[Value], result: t.CType, node: s.Call, this: Lvalue | None,
    ) -> Value | Lvalue:  # fmt: skip
        """Write the function in place of a call from outside."""
        assert declaration.body is not None
        builder, function = self.context.builder, self.context.function
        outer = self.context.stack_frame
        if function.stack_pointer is None:
            function.stack_pointer = builder.reg(Type.U32, "stack")
        with self.low.inliner.calling(node, declaration.name):
            before, enter, after = builder.block, builder.new_block("call"), builder.new_block("return")
            builder.jump(enter)
            builder.place(enter)
            self.context.stack_frame = frame = ir.StackFrame(declaration.name)
            own = [p for p in declaration.parameters if p.name not in scope.names]
            procedure = self._declared(declaration, own, instance, frame, types, result, this is not None)
            self._give(procedure, values, 0, node.span)
            builder.place(procedure.entry)
            frame.first = procedure.entry
            self.active.append(procedure)
            self._body(procedure, declaration, own, scope, this, result)
            self.active.pop()
            for number, back in enumerate(procedure.returns, start=1):
                following = builder.new_block("test")
                here = self.context.emit(Op.SETP, Type.U32, procedure.number, ir.const(Type.U32, number), mod=Cmp.EQ)
                builder.branch(here, back, following)
                builder.place(following)
            builder.jump(after)
            self.context.stack_frame = outer
            frame.end = builder.place(after)
            if outer is not None:
                function.calls.append(ir.CallSite(before, enter, after, outer, None, node.span))
        return self._result(procedure.result, result, node)

    def _declared(
        self, declaration: s.FunctionDeclaration, parameters: list[s.Parameter], instance: Instance,
        frame: ir.StackFrame, types: list[t.CType], result: t.CType, has_this: bool,
    ) -> Procedure:  # fmt: skip
        """Return the procedure with its variables."""
        keys: list[object] = [("this", declaration)] if has_this else []
        names = ["this"] if has_this else []
        keys, names = [*keys, *parameters], [*names, *(p.name for p in parameters)]
        places = [
            self.low.objects.new_slot(key, name, _kept(type), declaration.span)
            for key, name, type in zip(keys, names, types, strict=True)
        ]
        kept, place = _kept(result), None
        if not isinstance(kept, t.Void):
            if not fits_registers(kept):
                refuse(f"a result of type '{kept}' of a function that calls itself is not supported", declaration.span)
            place = self.low.objects.temporary(kept, declaration)
            assert isinstance(place.address.base, ir.SlotAddress)
            frame.result = place.address.base.slot
        frame.number = number = self.context.builder.reg(Type.U32, "return")
        entry = self.context.builder.new_block("function")
        return Procedure(declaration, instance, frame, entry, number, places, types, place)

    def _give(self, procedure: Procedure, values: list[Value], number: int, span: Span) -> None:
        """Put the values of a call into the parameters' variables."""
        for place, value in zip(procedure.parameters, values, strict=True):
            self.low.memory.store(place, value, span)
        self.context.builder.mov(procedure.number, ir.const(Type.U32, number))

    def _body(
        self, procedure: Procedure, declaration: s.FunctionDeclaration, parameters: list[s.Parameter], scope: Scope,
        this: Lvalue | None, result: t.CType,
    ) -> None:  # fmt: skip
        assert declaration.body is not None
        span, places = declaration.span, list(procedure.parameters)
        own = None
        if this is not None:
            place = self.low.lvalues.dereferenced(self.low.memory.load(places.pop(0), span), span)
            own = Lvalue(place.address, this.type)
        inner = Scope(scope, this=own, is_parameters=True)
        types = procedure.types[len(procedure.parameters) - len(places) :]
        for parameter, place, type in zip(parameters, places, types, strict=True):
            if isinstance(type, t.Reference):
                place = self.low.lvalues.dereferenced(self.low.memory.load(place, span), span)
            if parameter.name:
                inner.declare(parameter.name, place, type)
        frame = CallFrame(
            declaration, declaration.name, result, self.context.builder.new_block("return"), key=procedure.instance[0],
            refers=isinstance(result, t.Reference), place=procedure.result,
            variables=len(self.low.destructors.variables),
        )  # fmt: skip
        names = self.low.semantics.mutations.changed_in(declaration.body)
        frame.assigned, frame.assigned_parts = names.whole, names.parts
        if procedure.result is not None and not returns_in(declaration.body):
            self.context.warn(frame.without_value(declaration.body.end))
        self.context.frames.append(frame)
        try:
            with self.context.scoped(inner):
                self.low.statements.statement(declaration.body)
        finally:
            self.context.frames.pop()
        assert frame.done is not None
        procedure.frame.done = self.context.builder.place(frame.done)

    def _called(self, procedure: Procedure, values: list[Value], result: t.CType, node: s.Call) -> Value | Lvalue:
        """Go back to the beginning of a function that is being written."""
        builder, within = self.context.builder, self.context.stack_frame
        assert within is not None
        before, enter, after = builder.block, builder.new_block("call"), builder.new_block("return")
        builder.jump(enter)
        builder.place(enter)
        procedure.returns.append(after)
        self._give(procedure, values, len(procedure.returns), node.span)
        builder.jump(procedure.entry)
        builder.place(after)
        self.context.function.calls.append(ir.CallSite(before, enter, after, within, procedure.frame, node.span))
        return self._result(procedure.result, result, node)

    def _result(self, given: Lvalue | None, result: t.CType, node: s.Call) -> Value | Lvalue:
        """Return what a call gives back in the place ``given``, in one that no later call writes."""
        if given is None:
            return Value(t.VOID)
        place = self.low.objects.temporary(given.type, node)
        self.low.memory.store(place, self.low.memory.load(given, node.span), node.span)
        value = self.low.memory.load(place, node.span)
        if isinstance(result, t.Reference):
            return self.low.lvalues.dereferenced(value, node.span)
        return self.low.destructors.temporary(value)


def _identity(closure: Value) -> tuple[object, ...]:
    """Return what tells a lambda from others: its syntax, where it stands and the objects that it holds."""
    assert closure.object is not None
    scope = closure.object.scope
    return closure.object.syntax, scope.parent, *scope.names.items()


def _shared_out(
    parameters: list[s.Parameter], arguments: list[Argument]
) -> tuple[dict[str, Value], list[tuple[s.Parameter, Argument]]]:
    """Return the lambdas among the arguments, which have no variable of their own, by the names of their parameters,
    and the other parameters with their arguments."""
    closures: dict[str, Value] = {}
    others: list[tuple[s.Parameter, Argument]] = []
    for parameter, argument in zip(parameters, arguments, strict=True):
        if isinstance(argument, Value) and argument.object is not None and parameter.name:
            closures[parameter.name] = named(argument)
        else:
            others.append((parameter, argument))
    return closures, others


def _kept(type: t.CType) -> t.CType:
    """Return the type of a variable that keeps a parameter or a result: a pointer for a reference."""
    return t.Pointer(type.to) if isinstance(type, t.Reference) else t.plain(type)
