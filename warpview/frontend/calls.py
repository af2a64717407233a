"""Calls: which function is meant, and its body written in place of the call."""

from __future__ import annotations

from typing import NoReturn

from warpview.diagnostics import CompileError, Span
from warpview.frontend import syntax as s
from warpview.frontend import types as t
from warpview.frontend.deduction import deduce
from warpview.frontend.inlining import Argument, Inlining
from warpview.frontend.overloads import cost
from warpview.frontend.resolve import as_symbol, scope_of
from warpview.frontend.scopes import FunctionSet, Scope, TypeSymbol
from warpview.frontend.tokens import fail
from warpview.frontend.values import Place, Value


class Calls(Inlining):
    # ------------------------------------------------------------------------------- provided further up
    def builtin(self, name: str, node: s.Call) -> Value | Place | None:
        raise NotImplementedError

    def group_method(self, group: t.Group, value: Value, node: s.Call, member: s.Member) -> Value | Place:
        raise NotImplementedError

    # --------------------------------------------------------------------------------------------- calls
    def call(self, node: s.Call) -> Value | Place:
        callee = node.callee
        if isinstance(callee, s.Member):
            return self._method_call(node, callee)
        if not isinstance(callee, s.Name):
            return self._call_value(self.lvalue(callee), node)
        found = self.lookup(callee)
        if isinstance(found, (Value, Place)):
            return self._call_value(found, node)
        if isinstance(found, FunctionSet):
            return self._call_function(found, callee, node)
        if (method := self._own_method(callee.name)) is not None:
            this = self.scope.find_this()
            return self._call_candidates(method, callee, node, self.arguments(node.arguments), this)
        result = self.builtin(callee.name, node)
        if result is not None:
            return result
        if isinstance(found, TypeSymbol):
            fail(f"'{callee.name}' is a type", callee.span)
        self.unknown(callee.name, "function", callee.span)

    def arguments(self, expressions: list[s.Expression]) -> list[Argument]:
        """Arguments, evaluated as far as possible without knowing what they are passed to."""
        return [e if isinstance(e, s.InitList) else self.lvalue(e) for e in expressions]

    def _call_value(self, callee: Value | Place, node: s.Call) -> Value | Place:
        """A call of a lambda, or of a struct with operator()."""
        function = callee.object if isinstance(callee, Value) else None
        if function is not None:
            return self.call_lambda(function, self.arguments(node.arguments), node)
        type = t.plain(callee.type)
        if isinstance(type, t.Struct) and (methods := self._methods(type, "operator()")):
            this = self._object(callee, node.span)
            return self._call_candidates(methods, None, node, self.arguments(node.arguments), this)
        fail(f"a value of type '{callee.type}' cannot be called", node.span)

    def _call_function(self, functions: FunctionSet, callee: s.Name, node: s.Call) -> Value | Place:
        arguments = self.arguments(node.arguments)
        try:
            return self._call_candidates(functions.declarations, callee, node, arguments, None)
        except NoMatch as error:
            # A file may overload a function of CUDA for other types.
            with self.undone():
                known = callee.name in self.known_functions()
            if known and (result := self.builtin(callee.name, node)) is not None:
                return result
            raise CompileError(error.diagnostics) from None

    def _own_method(self, name: str) -> list[s.FunctionDeclaration] | None:
        this = self.scope.find_this()
        struct = t.plain(this.type) if this else None
        return (self._methods(struct, name) or None) if isinstance(struct, t.Struct) else None

    def _methods(self, struct: t.Struct, name: str) -> list[s.FunctionDeclaration]:
        syntax = struct.info.syntax
        if not isinstance(syntax, s.StructType):
            return []
        return [m for m in syntax.methods if m.name == name]

    def _object(self, base: Value | Place, span: Span) -> Place:
        if isinstance(base, Place):
            return base
        if base.address is None:
            fail(f"'{base.type}' has no members", span)
        return Place(base.address, base.type)

    def _method_call(self, node: s.Call, member: s.Member) -> Value | Place:
        base = self.dereferenced(self.rvalue(member.base), member.span) if member.arrow else self.lvalue(member.base)
        type = t.plain(base.type)
        if isinstance(type, t.Group):
            value = base if isinstance(base, Value) else self.load(base, member.span)
            return self.group_method(type, value, node, member)
        if not isinstance(type, t.Struct):
            fail(f"'{base.type}' has no functions", member.span)
        methods = self._methods(type, member.name)
        if not methods:
            if type.field(member.name):
                return self._call_value(self.member(member), node)
            syntax = type.info.syntax
            if isinstance(syntax, s.StructType) and member.name in syntax.host_methods:
                fail(f"'{member.name}' is a function of the host", member.span, "mark it __device__")
            fail(f"'{type}' has no function '{member.name}'", member.span)
        arguments = self.arguments(node.arguments)
        callee = s.Name(member.span, member.name, member.arguments)
        return self._call_candidates(methods, callee, node, arguments, self._object(base, member.span))

    def operator_function(self, op: str, operands: list[s.Expression], span: Span) -> Value | Place | None:
        """A call of an operator that the file defines; None where it defines none for these operands."""
        symbol = self.scope.find(f"operator{op}")
        candidates = symbol.declarations if isinstance(symbol, FunctionSet) else []
        if not candidates and not self.has_operators:
            return None
        if not any(self.may_be_struct(e) for e in operands):
            return None
        node = s.Call(span, s.Name(span, f"operator{op}"), operands)
        values = self.arguments(operands)
        first = t.plain(values[0].type) if not isinstance(values[0], s.InitList) else t.VOID
        methods = self._methods(first, f"operator{op}") if isinstance(first, t.Struct) else []
        try:
            if methods:
                assert not isinstance(values[0], s.InitList)
                return self._call_candidates(methods, None, node, values[1:], self._object(values[0], span))
            return self._call_candidates(candidates, None, node, values, None) if candidates else None
        except NoMatch:
            return None

    def may_be_struct(self, e: s.Expression) -> bool:
        """Whether an operand is a struct. An operator only yields one if one of its operands is one."""
        match e:
            case s.Literal() | s.SizeOf() | s.StringLiteral() | s.NullPointer() | s.Lambda() | s.InitList():
                return False
            case s.Unary(operator="&"):
                return False
            case s.Unary(operator=op, operand=operand) | s.Postfix(operator=op, operand=operand) if op != "*":
                return self.may_be_struct(operand)
            case s.Binary(left=left, right=right):
                return self.may_be_struct(left) or self.may_be_struct(right)
            case s.Assign(target=target):
                return self.may_be_struct(target)
            case s.Conditional(then=then):
                return self.may_be_struct(then)
            case s.Name():
                found = self.lookup(e)
                return isinstance(found, (Place, Value)) and isinstance(t.plain(found.type), t.Struct)
        return isinstance(self.quick_type(e), t.Struct)

    def quick_type(self, e: s.Expression) -> t.CType:
        try:
            return t.plain(self.type_of(e))
        except CompileError:
            return t.VOID

    def refuse_host_constructor(self, struct: t.Struct, span: Span) -> NoReturn:
        fail(f"the constructor of '{struct}' is a function of the host", span, "mark it __device__")

    def user_conversion(self, value: Value, to: t.CType, span: Span) -> Value | None:
        """A struct converted by a function of its own, if it has one to this type (or to another arithmetic one)."""
        struct = t.plain(value.type)
        assert isinstance(struct, t.Struct)
        best: s.FunctionDeclaration | None = None
        for method in self._methods(struct, s.CONVERSION):
            with self.scoped(scope_of(struct)):
                result = self.resolve(method.result)
            exact = t.same(result, to) and (best is None or str(result) == str(to))
            numbers = t.arithmetic(result) is not None and t.arithmetic(to) is not None
            if exact or (best is None and numbers):
                best = method
        if best is None or value.address is None:
            return None
        node = s.Call(span, s.Name(span, s.CONVERSION), [])
        result_value = self._call_candidates([best], None, node, [], Place(value.address, struct))
        return self.convert(self.loaded(result_value, span), to, span)

    # ------------------------------------------------------------------------------------ which function
    def _call_candidates(
        self, declarations: list[s.FunctionDeclaration], callee: s.Name | None, node: s.Call,
        arguments: list[Argument], this: Place | None,
    ) -> Value | Place:  # fmt: skip
        """Call the candidate that fits the arguments best."""
        name = callee.name if callee else "operator()"
        explicit = self.template_values(callee.arguments) if callee and callee.arguments else []
        best: tuple[float, s.FunctionDeclaration, Scope] | None = None
        reasons: list[str] = []
        for declaration in defined(declarations):
            parent = self.declaring_scope(declaration, this)
            try:
                scope = self._instance_scope(declaration, explicit, arguments, parent, node.span)
                price = self._price(declaration, scope, arguments)
            except CompileError as error:
                reasons.append(error.diagnostics[0].message)
                continue
            if best is None or price < best[0]:
                best = (price, declaration, scope)
        if best is None:
            types = ", ".join("{...}" if isinstance(a, s.InitList) else str(t.plain(a.type)) for a in arguments)
            reason = f": {reasons[0]}" if len(set(reasons)) == 1 else ""
            span = callee.span if callee else node.span
            raise NoMatch.of(f"no function '{name}' takes ({types}){reason}", span)
        return self.inline(best[1], best[2], arguments, node, this)

    def declaring_scope(self, declaration: s.FunctionDeclaration, this: Place | None) -> Scope:
        if this is not None:
            struct = t.plain(this.type)
            assert isinstance(struct, t.Struct)
            assert isinstance(struct.info.scope, Scope)
            return struct.info.scope
        return self.file_scope

    def _instance_scope(
        self, declaration: s.FunctionDeclaration, explicit: list[t.CType | Value], arguments: list[Argument],
        parent: Scope, span: Span,
    ) -> Scope:  # fmt: skip
        """The scope of a function's template arguments, given or deduced."""
        scope = Scope(parent)
        required = [p for p in declaration.parameters if p.default is None]
        if not len(required) <= len(arguments) <= len(declaration.parameters):
            fail(f"it takes {len(declaration.parameters)} arguments, {len(arguments)} given", span)
        if declaration.template is None:
            if explicit and declaration.specialises is None:
                fail("it is no template", span)
            return scope
        if declaration.specialises is not None:  # explicit specialisation: only for exactly these arguments
            with self.scoped(parent):
                wanted = [self.key_of(as_symbol(a)) for a in self.template_values(declaration.specialises)]
            if explicit and [self.key_of(as_symbol(a)) for a in explicit] != wanted[: len(explicit)]:
                fail("it is specialised for other arguments", span)
            return scope
        found = deduce(declaration, explicit, arguments)
        values: list[t.CType | Value] = []
        for parameter in declaration.template:
            if parameter.name in found:
                values.append(found[parameter.name])
            elif parameter.default is not None:
                break
            else:
                fail(f"template argument '{parameter.name}' cannot be deduced", span)
        self.bind_template(declaration.template, values, scope, span, declaration.name)
        return scope

    def _price(self, declaration: s.FunctionDeclaration, scope: Scope, arguments: list[Argument]) -> float:
        """How badly arguments fit: the less the better; refused where they do not fit at all."""
        price = 0.5 if declaration.template is not None and declaration.specialises is None else 0.0
        with self.scoped(scope):
            for parameter, argument in zip(declaration.parameters, arguments, strict=False):
                type = self.resolve(parameter.type)
                if not isinstance(argument, s.InitList):
                    price += cost(argument, type)
        return price


class NoMatch(CompileError):
    """No candidate takes the arguments."""

    @classmethod
    def of(cls, message: str, span: Span) -> NoMatch:
        try:
            fail(message, span)
        except CompileError as error:
            return cls(error.diagnostics)


def defined(declarations: list[s.FunctionDeclaration]) -> list[s.FunctionDeclaration]:
    """Candidates in the order to try them: specialisations first, definitions rather than declarations."""
    with_body = [d for d in declarations if d.body is not None] or declarations
    return sorted(with_body, key=lambda d: d.specialises is None and d.template != [])
