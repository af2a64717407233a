"""Expressions and functions evaluated at compile time: an interpreter of the part of C++ that constants need."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import Enum, auto
from typing import TYPE_CHECKING, TypeVar

from warpview.diagnostics import CompileError, Span
from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.interruption import checkpoint
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.constants import compare, convert_number, fold
from warpview.frontend.semantic.layout import leaf_types, new_parts
from warpview.frontend.semantic.overload_resolution import Chosen, methods_of
from warpview.frontend.semantic.scopes import FunctionSet, LazyType, LazyVariable, Scope, TypeSymbol
from warpview.frontend.semantic.values import NULL, Address, BoundObject, FunctionObject, Lvalue, Value, number

if TYPE_CHECKING:
    from warpview.frontend.semantic.analysis import Semantics

T = TypeVar("T")
MAX_STEPS = 100_000  # of one evaluation
MAX_DEPTH = 512  # calls within calls
MAX_OBJECT_BYTES = 1 << 18
_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})


class NotConstant(Exception):
    """What was asked for is only known at run time."""


class _Flow(Enum):
    """Where control goes after a statement."""

    NEXT = auto()
    BREAK = auto()
    CONTINUE = auto()
    RETURN = auto()


class Evaluator:
    """Evaluates what is known at compile time; objects are ``BoundObject``s whose parts hold constants."""

    def __init__(self, semantics: Semantics) -> None:
        self.semantics = semantics
        self.names = semantics.names
        self.known_slots: dict[ir.Slot, BoundObject] = {}  # constant local arrays and structs
        self._globals: dict[LazyVariable, Lvalue | Value] = {}
        self._results: dict[object, Lvalue | Value] = {}  # of functions without arguments
        self._choices: dict[object, Chosen] = {}  # of calls, by their arguments and the function that they stand in
        self._instance: object = None  # the function being executed, with its template arguments
        self._steps = 0
        self._depth = 0
        self._result: Value | None = None

    # ------------------------------------------------------------------------------------ what is asked
    def attempt(self, action: Callable[[], T]) -> T | None:
        """Return the result of ``action``; None where it needs something that is only known at run time."""
        steps, self._steps = self._steps, 0
        with self.names.scoped(self.names.scope):
            try:
                return action()
            except (CompileError, NotConstant):
                return None
            finally:
                self._steps = steps

    def value(self, e: s.Expression) -> Value | None:
        """Return the constant that an expression comes to, or None."""
        return self.attempt(lambda: self.rvalue(e))

    def number(self, e: s.Expression) -> int | float | None:
        """Return the number that an expression comes to, or None."""
        value = self.value(e)
        return None if value is None else value.constant

    def required(self, e: s.Expression, what: str) -> Value:
        """Return the number or lambda that an expression must come to."""
        try:
            value = self.rvalue(e)
        except NotConstant:
            value = None
            self.semantics.typer.type_of(e)  # an error within says more than that it is not constant
        if value is None or (value.constant is None and value.object is None):
            fail(f"{what} must be known at compile time", e.span)
        return value

    def integer(self, e: s.Expression, what: str) -> int:
        """Return the integer that an expression must come to."""
        found = self.required(e, what).constant
        if found is None or isinstance(found, float):
            fail(f"{what} must be an integer", e.span)
        return found

    def converted(self, value: Value, to: t.CType, span: Span) -> Value:
        """Convert a constant to a type; refused where it has no such conversion."""
        to = t.plain(to)
        source, target = t.arithmetic(value.type), t.arithmetic(to)
        if value.constant is not None and source is not None and target is not None:
            return replace(number(target, convert_number(value.constant, target)), type=to)
        if isinstance(to, t.Pointer):
            if value.constant == 0:
                return Value(to, address=NULL)
            if value.address is not None:
                return replace(value, type=to)
        if target is not None and target.is_bool and value.address is not None and value.address.cell is not None:
            return number(t.BOOL, 1)
        if t.same(value.type, to):
            return value
        fail(f"a value of type '{value.type}' cannot become '{to}' here", span)

    # ---------------------------------------------------------------------------------------- expressions
    def rvalue(self, e: s.Expression) -> Value:
        """Evaluate an expression; raise ``NotConstant`` where it is only known at run time."""
        self._step(e.span)
        match e:
            case s.Literal(value=value, type=t.Scalar() as type):
                return number(type, value)
            case s.NullPointer():
                return Value(t.Pointer(t.VOID), address=NULL)
            case s.SizeOf():
                return number(t.ULONG, self.semantics.typer.size_of(e))
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
                return self._construct(e)
        return self.loaded(self.lvalue(e))

    def lvalue(self, e: s.Expression) -> Lvalue | Value:
        """Evaluate an expression to the object that it names, or to its value where it names none."""
        match e:
            case s.Name():
                return self._name(e)
            case s.Index(base=base, index=index):
                pointer = self._pointer(self.rvalue(base))
                position = self._integer(self.rvalue(index))
                return Lvalue(self._address(pointer).plus(position * pointer.to.size), pointer.to)
            case s.Member(base=base, name=name, arrow=arrow):
                return self._member(base, name, arrow)
            case s.Unary(operator="*", operand=operand):
                pointer = self._pointer(self.rvalue(operand))
                return Lvalue(self._address(pointer), pointer.to)
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
                return self._call(e)
            case s.Binary(operator=",", left=left, right=right):
                self.rvalue(left)
                return self.lvalue(right)
        return self.rvalue(e)

    def _step(self, span: Span) -> None:
        self._steps += 1
        if self._steps % 64 == 0:
            checkpoint()
        if self._steps > MAX_STEPS:
            fail(f"this takes more than {MAX_STEPS} steps to evaluate at compile time", span)

    def loaded(self, found: Lvalue | Value) -> Value:
        """Return the value of an object that holds a constant; raise ``NotConstant`` where it does not."""
        if isinstance(found, Value):
            return found
        type, address = t.plain(found.type), found.address
        if isinstance(address.base, ir.SlotAddress) and address.base.slot in self.known_slots:
            address = Address(cell=self.known_slots[address.base.slot], offset=address.offset)
        if address.cell is None:
            raise NotConstant
        if isinstance(type, t.Array):
            return Value(t.Pointer(type.of), address=address)
        if isinstance(type, t.Struct):
            return Value(type, address=address)
        part = address.cell.leaves.get(address.offset)
        value = part.bound if part is not None and part.type.size == type.size else None
        if value is None or (value.constant is None and value.object is None and value.address is None):
            raise NotConstant
        return value if t.same(value.type, type) else self._reread(value, type)

    @staticmethod
    def _reread(value: Value, type: t.CType) -> Value:
        scalar = t.arithmetic(type)
        if scalar is None or value.constant is None or isinstance(value.constant, float) or scalar.is_float:
            raise NotConstant
        return number(scalar, t.wrap(value.constant, scalar))

    def _place(self, e: s.Expression) -> Lvalue:
        found = self.lvalue(e)
        if isinstance(found, Value) or found.address.cell is None or not found.address.cell.folding:
            raise NotConstant
        return found

    def store(self, place: Lvalue, value: Value, span: Span) -> None:
        """Assign a constant to an object of the evaluator."""
        type, cell = t.plain(place.type), place.address.cell
        assert cell is not None
        if isinstance(type, t.Struct):
            source = value.address
            if source is None or source.cell is None:
                raise NotConstant
            for offset, _ in leaf_types(type):
                cell.leaves[place.address.offset + offset].bound = source.cell.leaves[source.offset + offset].bound
            return
        part = cell.leaves.get(place.address.offset)
        if part is None:
            raise NotConstant
        part.bound = self.converted(value, part.type, span)

    def _name(self, e: s.Name) -> Lvalue | Value:
        found = self.names.lookup(e)
        match found:
            case Lvalue() | Value():
                return found
            case LazyVariable():
                return self._global(found)
            case None:
                self.names.unknown(e.name, "name", e.span)
        raise NotConstant

    def _global(self, symbol: LazyVariable) -> Lvalue | Value:
        """Return a file-scope constant."""
        variable = symbol.declaration
        if symbol in self._globals:
            return self._globals[symbol]
        changes = variable.storage & {"__shared__", "__device__", "__managed__", "__constant__"}
        if (changes and "constexpr" not in variable.storage) or symbol.busy:
            raise NotConstant
        symbol.busy = True
        try:
            with self.names.scoped(symbol.scope):
                type = self.semantics.typer.variable_type(variable)
                element = type.element if isinstance(type, t.Array) else type
                if not (element.const or self.semantics.typer.is_deduced(variable.type)):
                    raise NotConstant
                self._globals[symbol] = found = self.declared(variable, type)
        finally:
            symbol.busy = False
        return found

    def _pointer(self, value: Value) -> _Pointer:
        type = t.plain(value.type)
        if not isinstance(type, t.Pointer) or value.address is None or value.address.cell is None:
            raise NotConstant
        return _Pointer(type.to, value.address)

    @staticmethod
    def _address(pointer: _Pointer) -> Address:
        return pointer.address

    @staticmethod
    def _integer(value: Value) -> int:
        if not isinstance(value.constant, int):
            raise NotConstant
        return value.constant

    def _member(self, base: s.Expression, name: str, arrow: bool) -> Lvalue | Value:
        if arrow:
            pointer = self._pointer(self.rvalue(base))
            owner: Lvalue | Value = Lvalue(pointer.address, pointer.to)
        else:
            owner = self.lvalue(base)
        struct = t.plain(owner.type)
        if not isinstance(struct, t.Struct) or owner.address is None:
            raise NotConstant
        field = struct.field(name)
        if field is None:
            scope = struct.info.scope
            symbol = scope.names.get(name) if isinstance(scope, Scope) else None
            if isinstance(symbol, LazyVariable):
                return self._global(symbol)
            if isinstance(symbol, Value):
                return symbol
            raise NotConstant
        return Lvalue(owner.address.plus(field.offset), field.type)

    # ------------------------------------------------------------------------------------------ operators
    def _scalar(self, value: Value) -> tuple[int | float, t.Scalar]:
        scalar = t.arithmetic(value.type)
        if value.constant is None or scalar is None:
            raise NotConstant
        return value.constant, scalar

    def truth(self, value: Value, span: Span) -> bool:
        """Return whether a constant counts as true."""
        return bool(self.converted(value, t.BOOL, span).constant)

    def _unary(self, e: s.Unary) -> Value:
        op = e.operator
        if op == "*":
            return self.loaded(self.lvalue(e))
        if op == "&":
            found = self.lvalue(e.operand)
            if isinstance(found, Value) or found.address.cell is None:
                raise NotConstant
            return Value(t.Pointer(found.type), address=found.address)
        if op in ("++", "--"):
            return self._changed(e.operand, op[0], e.span)[1]
        value = self.rvalue(e.operand)
        if op == "!":
            return number(t.BOOL, not self.truth(value, e.span))
        x, scalar = self._scalar(value)
        type = t.promoted(scalar)
        if op == "-":
            return number(type, -x if type.is_float else t.wrap(-int(x), type))
        if op == "~" and not type.is_float:
            return number(type, t.wrap(~int(x), type))
        if op == "+":
            return number(type, convert_number(x, type))
        raise NotConstant

    def _changed(self, target: s.Expression, op: str, span: Span) -> tuple[Value, Value]:
        """Return the value of a variable before and after ++ or --."""
        place = self._place(target)
        old = self.loaded(place)
        new = self.converted(self.operation(op, old, number(t.INT, 1), span), place.type, span)
        self.store(place, new, span)
        return old, new

    def _binary(self, e: s.Binary) -> Value:
        if e.operator == ",":
            self.rvalue(e.left)
            return self.rvalue(e.right)
        if e.operator in ("&&", "||"):
            stops = e.operator == "||"
            if self.truth(self.rvalue(e.left), e.span) == stops:
                return number(t.BOOL, stops)
            return number(t.BOOL, self.truth(self.rvalue(e.right), e.span))
        spine: list[s.Binary] = []
        first: s.Expression = e
        while isinstance(first, s.Binary) and first.operator not in (",", "&&", "||"):
            spine.append(first)
            first = first.left
        value = self.rvalue(first)
        for node in reversed(spine):
            value = self.operation(node.operator, value, self.rvalue(node.right), node.span)
        return value

    def operation(self, op: str, left: Value, right: Value, span: Span) -> Value:
        """``left op right`` of two constants."""
        pointer = t.plain(left.type)
        if isinstance(pointer, t.Pointer) and left.address is not None and left.address.cell is not None:
            return self._pointer_operation(op, left, right, pointer)
        (x, a), (y, b) = self._scalar(left), self._scalar(right)
        if op in ("<<", ">>"):
            type = t.promoted(a)
            result = fold(op, convert_number(x, type), y, type)
        elif op in _COMPARISONS:
            common = t.usual(a, b)
            return number(t.BOOL, compare(op, convert_number(x, common), convert_number(y, common)))
        else:
            type = t.usual(a, b)
            result = fold(op, convert_number(x, type), convert_number(y, type), type)
        if result is None:
            if op in ("/", "%") and y == 0:
                fail("this divides by zero", span)
            raise NotConstant
        return number(type, result)

    def _pointer_operation(self, op: str, left: Value, right: Value, type: t.Pointer) -> Value:
        assert left.address is not None
        if op in ("+", "-") and right.constant is not None:
            count = self._integer(right) * (1 if op == "+" else -1)
            return Value(type, address=left.address.plus(count * type.to.size))
        if right.address is None or right.address.cell is not left.address.cell:
            raise NotConstant
        if op == "-":
            return number(t.LONG, (left.address.offset - right.address.offset) // type.to.size)
        if op not in _COMPARISONS:
            raise NotConstant
        return number(t.BOOL, compare(op, left.address.offset, right.address.offset))

    def _conditional(self, e: s.Conditional) -> Value:
        chosen = e.then if self.truth(self.rvalue(e.condition), e.span) else e.other
        value = self.rvalue(chosen)
        if value.constant is None:
            return value
        other = self.attempt(lambda: self.semantics.typer.type_of(e.other if chosen is e.then else e.then))
        a, b = t.arithmetic(value.type), t.arithmetic(other) if other is not None else None
        return self.converted(value, t.usual(a, b), e.span) if a and b and not t.same(a, b) else value

    def _assign(self, e: s.Assign) -> Lvalue | Value:
        if isinstance(e.value, s.InitList):
            place = self._place(e.target)
            self.initialise(place, e.value)
            return place
        value = self.rvalue(e.value)
        place = self._place(e.target)
        if e.operator:
            value = self.operation(e.operator, self.loaded(place), value, e.span)
        self.store(place, value, e.span)
        return place

    def _cast(self, e: s.Cast) -> Value:
        to = self.semantics.types.resolve(e.type)
        if isinstance(to, t.Void):
            self.rvalue(e.operand)
            return Value(t.VOID)
        if isinstance(to, t.Reference):
            return self.loaded(self.lvalue(e.operand))
        if isinstance(t.plain(to), t.Struct):
            return self._construct(s.Construct(e.span, e.type, [e.operand], braces=False))
        return self.converted(self.rvalue(e.operand), to, e.span)

    # -------------------------------------------------------------------------------------------- objects
    def new_object(self, name: str, type: t.CType) -> Lvalue:
        """Return an object without a value."""
        if type.size > MAX_OBJECT_BYTES:
            raise NotConstant
        plain = t.plain(type) if not isinstance(type, t.Array) else type
        return Lvalue(Address(cell=BoundObject(name, plain, new_parts(plain), folding=True)), type)

    def _construct(self, e: s.Construct) -> Value:
        """T(values) and T{values}."""
        type = t.plain(self.semantics.types.resolve(e.type))
        arguments = e.arguments
        if e.braces and len(arguments) == 1 and isinstance(arguments[0], s.InitList):
            arguments = [item for _, item in arguments[0].items]
        if not isinstance(type, t.Struct):
            if len(arguments) > 1:
                raise NotConstant
            return self.converted(self.rvalue(arguments[0]) if arguments else number(t.INT, 0), type, e.span)
        place = self.new_object("", type)
        if constructors := methods_of(type, type.info.name):
            self.zero(place, type, 0)
            self._invoke(constructors, None, arguments, e.span, place)
            return Value(type, address=place.address)
        if len(arguments) == 1 and t.same(self.semantics.typer.type_of(arguments[0]), type):
            return self.rvalue(arguments[0])
        if e.braces:
            self.initialise(place, e.arguments[0])
        else:
            self.initialise(place, s.InitList(e.span, [("", a) for a in arguments]))
            if type.info.name == "dim3":
                for field in type.info.fields[len(arguments) :]:
                    self.store(Lvalue(place.address.plus(field.offset), field.type), number(t.UINT, 1), e.span)
        return Value(type, address=place.address)

    def zero(self, place: Lvalue, type: t.CType, offset: int) -> None:
        """Set all parts of an object to zero."""
        cell = place.address.cell
        assert cell is not None
        for at, part in leaf_types(type, place.address.offset + offset):
            scalar = t.arithmetic(part)
            cell.leaves[at].bound = number(scalar, 0) if scalar is not None else Value(part, address=NULL)

    def initialise(self, place: Lvalue, e: s.Expression) -> None:
        """Give an object its value from a list (what is missing is 0) or an expression."""
        type = t.plain(place.type)
        if isinstance(e, s.StringLiteral) and isinstance(type, t.Array):
            e = s.InitList(e.span, [("", s.Literal(e.span, c, t.CHAR)) for c in [*e.value.encode(), 0]])
        if not isinstance(e, s.InitList):
            self.store(place, self.rvalue(e), e.span)
            return
        self.zero(place, type, 0)
        if isinstance(type, t.Array):
            targets = [("", i * type.of.size, type.of) for i in range(type.length or 0)]
        elif isinstance(type, t.Struct):
            targets = [(f.name, f.offset, f.type) for f in type.info.fields]
        else:
            targets = [("", 0, type)]
        position = 0
        for name, item in e.items:
            if name:
                position = next((i for i, target in enumerate(targets) if target[0] == name), len(targets))
            if position >= len(targets):
                raise NotConstant
            _, offset, part = targets[position]
            self.initialise(Lvalue(place.address.plus(offset), part), item)
            position += 1

    def declared(self, variable: s.Variable, type: t.CType) -> Lvalue | Value:
        """Return the object of a variable, with its initial value."""
        value = variable.initialiser
        if isinstance(value, s.Lambda):
            return self.rvalue(value)
        if isinstance(type, t.Reference):
            if value is None:
                raise NotConstant
            found = self.lvalue(value)
            return found if isinstance(found, Lvalue) else self._held(variable.name, type.to, found, variable.span)
        place = self.new_object(variable.name, type)
        if variable.arguments is not None:
            construct = s.Construct(variable.span, s.PlainType(variable.span, type), variable.arguments, braces=False)
            self.store(place, self._construct(construct), variable.span)
        elif isinstance(value, s.InitList) and isinstance(t.plain(type), t.Struct) and _has_constructor(type):
            construct = s.Construct(variable.span, s.PlainType(variable.span, type), [value], braces=True)
            self.store(place, self._construct(construct), variable.span)
        elif value is not None:
            self.initialise(place, value)
        return place

    def _held(self, name: str, type: t.CType, value: Value, span: Span) -> Lvalue:
        place = self.new_object(name, type)
        self.store(place, value, span)
        return place

    # ---------------------------------------------------------------------------------------------- calls
    def _call(self, e: s.Call) -> Lvalue | Value:
        callee = e.callee
        if isinstance(callee, s.Member):
            owner = self._pointer(self.rvalue(callee.base)) if callee.arrow else self.lvalue(callee.base)
            if owner.address is None:
                raise NotConstant
            type = owner.to if isinstance(owner, _Pointer) else owner.type
            named = s.Name(callee.span, callee.name, callee.arguments)
            methods = methods_of(type, callee.name)
            return self._invoke(methods, named, e.arguments, e.span, Lvalue(owner.address, type))
        if not isinstance(callee, s.Name):
            return self._call_object(self.rvalue(callee), e)
        found = self.names.lookup(callee)
        if isinstance(found, FunctionSet):
            return self._invoke(found.declarations, callee, e.arguments, e.span, None)
        if isinstance(found, (Lvalue, Value)):
            return self._call_object(self.loaded(found), e)
        if isinstance(found, LazyVariable):
            return self._call_object(self.loaded(self._global(found)), e)
        if isinstance(found, (TypeSymbol, LazyType)):
            raise NotConstant
        this = self.names.scope.find_this()
        if this is not None and (methods := methods_of(this.type, callee.name)):
            return self._invoke(methods, callee, e.arguments, e.span, this)
        return self._builtin(callee.name, e)

    def _call_object(self, value: Value, e: s.Call) -> Lvalue | Value:
        function = value.object
        if function is None or function.syntax.captures or function.syntax.by_reference:
            raise NotConstant
        syntax = function.syntax
        inner = Scope(function.scope, is_parameters=True)
        self._bind(syntax.parameters, e.arguments, inner, e.span)
        return self._run(syntax.body, inner, syntax.result, e.span)

    def _invoke(
        self, declarations: list[s.FunctionDeclaration], callee: s.Name | None, arguments: list[s.Expression],
        span: Span, this: Lvalue | None,
    ) -> Lvalue | Value:  # fmt: skip
        key = (id(arguments), self._instance)
        if key not in self._choices:
            operands = self.semantics.typer.arguments(arguments)
            self._choices[key] = self.semantics.overloads.choose(
                declarations, callee, span, operands, None if this is None else this.type
            )
        chosen = self._choices[key]
        return self.called(chosen, arguments, span, this)

    def called(
        self, chosen: Chosen, arguments: list[s.Expression], span: Span, this: Lvalue | None = None
    ) -> Lvalue | Value:  # fmt: skip
        """Return the result of a function. One without arguments is executed once for its template arguments."""
        declaration = chosen.declaration
        if declaration.body is None or declaration.is_kernel:
            raise NotConstant
        key = (declaration, *map(self.semantics.types.key_of, chosen.scope.names.values()))
        is_fixed = not declaration.parameters and this is None
        if is_fixed and key in self._results:
            return self._results[key]
        inner = Scope(chosen.scope, this=this, is_parameters=True)
        self._bind(declaration.parameters, arguments, inner, span)
        before, self._instance = self._instance, key
        try:
            result = self._run(declaration.body, inner, declaration.result, span)
        finally:
            self._instance = before
        if is_fixed:
            self._results[key] = result
        return result

    def _bind(self, parameters: list[s.Parameter], arguments: list[s.Expression], scope: Scope, span: Span) -> None:
        """Evaluate arguments in the current scope and declare the parameters with them."""
        for position, parameter in enumerate(parameters):
            argument = arguments[position] if position < len(arguments) else parameter.default
            if argument is None:
                raise NotConstant
            found = self.lvalue(argument) if not isinstance(argument, s.InitList) else argument
            with self.names.scoped(scope):
                if isinstance(found, s.InitList):
                    place = self.new_object(parameter.name, self.semantics.types.resolve(parameter.type))
                    self.initialise(place, found)
                    scope.names[parameter.name] = place
                else:
                    scope.names[parameter.name] = self._parameter(parameter, found, span)

    def _parameter(self, parameter: s.Parameter, found: Lvalue | Value, span: Span) -> Lvalue | Value:
        type = self.semantics.typer.parameter_type(parameter, found.type)
        if isinstance(found, Value) and found.object is not None:
            return found
        if isinstance(type, t.Reference):
            if isinstance(found, Lvalue):
                return Lvalue(found.address, type.to)
            type = type.to
        return self._held(parameter.name, type, self.loaded(found), span)

    def _run(self, body: s.Compound, scope: Scope, result: s.TypeSyntax | None, span: Span) -> Lvalue | Value:
        """Execute a function's body and return its value."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            fail("the calls are nested too deeply to be evaluated at compile time", span)
        before, self._result = self._result, None
        try:
            with self.names.scoped(scope):
                flow = self._execute(body)
                value = self._result
                if flow != _Flow.RETURN or value is None:
                    return Value(t.VOID)
                if result is None or self.semantics.typer.is_deduced(result):
                    return value
                type = self.semantics.types.resolve(result)
                type = type.to if isinstance(type, t.Reference) else type
                return value if isinstance(t.plain(type), t.Struct) else self.converted(value, type, span)
        finally:
            self._result = before
            self._depth -= 1

    def _builtin(self, name: str, e: s.Call) -> Value:
        """Return the few functions of CUDA that constants are made with."""
        values = [self.rvalue(a) for a in e.arguments]
        if name in ("min", "max") and len(values) == 2:
            (x, a), (y, b) = (self._scalar(v) for v in values)
            type = t.usual(a, b)
            chosen = (min if name == "min" else max)(convert_number(x, type), convert_number(y, type))
            return number(type, chosen)
        if name == "abs" and len(values) == 1:
            x, scalar = self._scalar(values[0])
            return number(t.promoted(scalar), abs(x))
        if name in t.BIT_CASTS and len(values) == 1:
            source, to = t.BIT_CASTS[name]
            operand = self.converted(values[0], source, e.span).scalar_operand
            assert isinstance(operand, ir.Const)
            return Value(to, ir.same_bits(operand, to.register))
        raise NotConstant

    # ----------------------------------------------------------------------------------------- statements
    def _execute(self, node: s.Statement) -> _Flow:
        self._step(node.span)
        match node:
            case s.Compound(body=body):
                with self.names.scoped():
                    for statement in body:
                        flow = self._execute(statement)
                        if flow != _Flow.NEXT:
                            return flow
            case s.Declaration(variables=variables):
                for variable in variables:
                    type = self.semantics.typer.variable_type(variable)
                    self.names.scope.names[variable.name] = self.declared(variable, type)
            case s.TypeDeclaration(name=name):
                self.names.scope.names[name] = LazyType(node, self.names.scope)
            case s.ExpressionStatement(expression=expression):
                self.lvalue(expression)
            case s.If():
                return self._if(node)
            case s.For() | s.While() | s.DoWhile():
                return self._loop(node)
            case s.Return(value=value):
                self._result = None if value is None else self._returned(value)
                return _Flow.RETURN
            case s.Break():
                return _Flow.BREAK
            case s.Continue():
                return _Flow.CONTINUE
            case s.Empty() | s.StaticAssert():
                pass
            case _:
                raise NotConstant
        return _Flow.NEXT

    def _returned(self, value: s.Expression) -> Value:
        if isinstance(value, s.InitList):
            raise NotConstant
        return self.rvalue(value)

    def _if(self, node: s.If) -> _Flow:
        with self.names.scoped():
            if node.initialiser is not None:
                self._execute(node.initialiser)
            if not isinstance(node.condition, s.Expression):
                raise NotConstant
            holds = self.truth(self.rvalue(node.condition), node.span)
            chosen = node.then if holds else node.other
            return _Flow.NEXT if chosen is None else self._execute(chosen)

    def _loop(self, node: s.For | s.While | s.DoWhile) -> _Flow:
        with self.names.scoped():
            if isinstance(node, s.For) and node.initialiser is not None:
                self._execute(node.initialiser)
            condition = node.condition
            entered = isinstance(node, s.DoWhile)
            while entered or condition is None or self.truth(self.rvalue(condition), node.span):
                entered = False
                flow = self._execute(node.body)
                if flow == _Flow.BREAK:
                    break
                if flow == _Flow.RETURN:
                    return flow
                if isinstance(node, s.For) and node.step is not None:
                    self.lvalue(node.step)
        return _Flow.NEXT


class _Pointer:
    """A pointer to a constant object."""

    def __init__(self, to: t.CType, address: Address) -> None:
        self.to = to
        self.address = address


def _has_constructor(type: t.CType) -> bool:
    plain = t.plain(type)
    return isinstance(plain, t.Struct) and bool(methods_of(plain, plain.info.name))
