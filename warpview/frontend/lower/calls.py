"""Calls: which function is meant, and its body written in place of the call."""

from __future__ import annotations

from typing import NoReturn

from warpview.diagnostics import CompileError, Span
from warpview.frontend import syntax as s
from warpview.frontend.lower.inlining import Argument
from warpview.frontend.lower.part import Part
from warpview.frontend.lower.types import as_symbol, scope_of
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.deduction import deduce
from warpview.frontend.semantic.overloads import cost
from warpview.frontend.semantic.scopes import FunctionSet, Scope, TypeSymbol
from warpview.frontend.semantic.values import Lvalue, Value


class Calls(Part):
    # --------------------------------------------------------------------------------------------- calls
    def call(self, node: s.Call) -> Value | Lvalue:
        callee = node.callee
        if isinstance(callee, s.Member):
            return self._method_call(node, callee)
        if not isinstance(callee, s.Name):
            return self._call_value(self.low.expressions.lvalue(callee), node)
        found = self.low.lvalues.lookup(callee)
        if isinstance(found, (Value, Lvalue)):
            return self._call_value(found, node)
        if isinstance(found, FunctionSet):
            return self._call_function(found, callee, node)
        if (method := self._own_method(callee.name)) is not None:
            this = self.context.scope.find_this()
            return self.call_candidates(method, callee, node, self.arguments(node.arguments), this)
        result = self.low.builtins.builtin(callee.name, node)
        if result is not None:
            return result
        if isinstance(found, TypeSymbol):
            fail(f"'{callee.name}' is a type", callee.span)
        self.low.lvalues.unknown(callee.name, "function", callee.span)

    def arguments(self, expressions: list[s.Expression]) -> list[Argument]:
        """Arguments, evaluated as far as possible without knowing what they are passed to."""
        return [e if isinstance(e, s.InitList) else self.low.expressions.lvalue(e) for e in expressions]

    def _call_value(self, callee: Value | Lvalue, node: s.Call) -> Value | Lvalue:
        """A call of a lambda, or of a struct with operator()."""
        function = callee.object if isinstance(callee, Value) else None
        if function is not None:
            return self.low.inliner.call_lambda(function, self.arguments(node.arguments), node)
        type = t.plain(callee.type)
        if isinstance(type, t.Struct) and (methods := self.methods_of(type, "operator()")):
            this = self._object(callee, node.span)
            return self.call_candidates(methods, None, node, self.arguments(node.arguments), this)
        fail(f"a value of type '{callee.type}' cannot be called", node.span)

    def _call_function(self, functions: FunctionSet, callee: s.Name, node: s.Call) -> Value | Lvalue:
        arguments = self.arguments(node.arguments)
        try:
            return self.call_candidates(functions.declarations, callee, node, arguments, None)
        except NoMatch as error:
            # A file may overload a function of CUDA for other types.
            with self.low.types.undone():
                known = callee.name in self.low.builtins.known_functions()
            if known and (result := self.low.builtins.builtin(callee.name, node)) is not None:
                return result
            raise CompileError(error.diagnostics) from None

    def _own_method(self, name: str) -> list[s.FunctionDeclaration] | None:
        this = self.context.scope.find_this()
        struct = t.plain(this.type) if this else None
        return (self.methods_of(struct, name) or None) if isinstance(struct, t.Struct) else None

    def methods_of(self, struct: t.Struct, name: str) -> list[s.FunctionDeclaration]:
        syntax = struct.info.syntax
        if not isinstance(syntax, s.StructType):
            return []
        return [m for m in syntax.methods if m.name == name]

    def _object(self, base: Value | Lvalue, span: Span) -> Lvalue:
        if isinstance(base, Lvalue):
            return base
        if base.address is None:
            fail(f"'{base.type}' has no members", span)
        return Lvalue(base.address, base.type)

    def _method_call(self, node: s.Call, member: s.Member) -> Value | Lvalue:
        base = (
            self.low.lvalues.dereferenced(self.low.expressions.rvalue(member.base), member.span)
            if member.arrow
            else self.low.expressions.lvalue(member.base)
        )
        type = t.plain(base.type)
        if isinstance(type, t.Group):
            value = base if isinstance(base, Value) else self.low.memory.load(base, member.span)
            return self.low.builtins.group_method(type, value, node, member)
        if not isinstance(type, t.Struct):
            fail(f"'{base.type}' has no functions", member.span)
        methods = self.methods_of(type, member.name)
        if not methods:
            if type.field(member.name):
                return self._call_value(self.low.lvalues.member(member), node)
            syntax = type.info.syntax
            if isinstance(syntax, s.StructType) and member.name in syntax.host_methods:
                fail(f"'{member.name}' is a function of the host", member.span, "mark it __device__")
            fail(f"'{type}' has no function '{member.name}'", member.span)
        arguments = self.arguments(node.arguments)
        callee = s.Name(member.span, member.name, member.arguments)
        return self.call_candidates(methods, callee, node, arguments, self._object(base, member.span))

    def operator_function(self, op: str, operands: list[s.Expression], span: Span) -> Value | Lvalue | None:
        """A call of an operator that the file defines; None where it defines none for these operands."""
        symbol = self.context.scope.find(f"operator{op}")
        candidates = symbol.declarations if isinstance(symbol, FunctionSet) else []
        if not candidates and not self.context.has_operators:
            return None
        if not any(self.may_be_struct(e) for e in operands):
            return None
        node = s.Call(span, s.Name(span, f"operator{op}"), operands)
        values = self.arguments(operands)
        first = t.plain(values[0].type) if not isinstance(values[0], s.InitList) else t.VOID
        methods = self.methods_of(first, f"operator{op}") if isinstance(first, t.Struct) else []
        try:
            if methods:
                assert not isinstance(values[0], s.InitList)
                return self.call_candidates(methods, None, node, values[1:], self._object(values[0], span))
            return self.call_candidates(candidates, None, node, values, None) if candidates else None
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
                found = self.low.lvalues.lookup(e)
                return isinstance(found, (Lvalue, Value)) and isinstance(t.plain(found.type), t.Struct)
        return isinstance(self.quick_type(e), t.Struct)

    def quick_type(self, e: s.Expression) -> t.CType:
        try:
            return t.plain(self.low.types.type_of(e))
        except CompileError:
            return t.VOID

    def refuse_host_constructor(self, struct: t.Struct, span: Span) -> NoReturn:
        fail(f"the constructor of '{struct}' is a function of the host", span, "mark it __device__")

    def user_conversion(self, value: Value, to: t.CType, span: Span) -> Value | None:
        """A struct converted by a function of its own, if it has one to this type (or to another arithmetic one)."""
        struct = t.plain(value.type)
        assert isinstance(struct, t.Struct)
        best: s.FunctionDeclaration | None = None
        for method in self.methods_of(struct, s.CONVERSION):
            with self.context.scoped(scope_of(struct)):
                result = self.low.types.resolve(method.result)
            exact = t.same(result, to) and (best is None or str(result) == str(to))
            numbers = t.arithmetic(result) is not None and t.arithmetic(to) is not None
            if exact or (best is None and numbers):
                best = method
        if best is None or value.address is None:
            return None
        node = s.Call(span, s.Name(span, s.CONVERSION), [])
        result_value = self.call_candidates([best], None, node, [], Lvalue(value.address, struct))
        return self.low.conversions.convert(self.low.expressions.loaded(result_value, span), to, span)

    # ------------------------------------------------------------------------------------ which function
    def call_candidates(
        self, declarations: list[s.FunctionDeclaration], callee: s.Name | None, node: s.Call,
        arguments: list[Argument], this: Lvalue | None,
    ) -> Value | Lvalue:  # fmt: skip
        """Call the candidate that fits the arguments best."""
        name = callee.name if callee else "operator()"
        explicit = self.low.types.template_values(callee.arguments) if callee and callee.arguments else []
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
        return self.low.inliner.inline(best[1], best[2], arguments, node, this)

    def declaring_scope(self, declaration: s.FunctionDeclaration, this: Lvalue | None) -> Scope:
        if this is not None:
            struct = t.plain(this.type)
            assert isinstance(struct, t.Struct)
            assert isinstance(struct.info.scope, Scope)
            return struct.info.scope
        return self.context.file_scope

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
            with self.context.scoped(parent):
                wanted = [
                    self.low.types.key_of(as_symbol(a)) for a in self.low.types.template_values(declaration.specialises)
                ]
            if explicit and [self.low.types.key_of(as_symbol(a)) for a in explicit] != wanted[: len(explicit)]:
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
        self.low.types.bind_template(declaration.template, values, scope, span, declaration.name)
        return scope

    def _price(self, declaration: s.FunctionDeclaration, scope: Scope, arguments: list[Argument]) -> float:
        """How badly arguments fit: the less the better; refused where they do not fit at all."""
        price = 0.5 if declaration.template is not None and declaration.specialises is None else 0.0
        with self.context.scoped(scope):
            for parameter, argument in zip(declaration.parameters, arguments, strict=False):
                type = self.low.types.resolve(parameter.type)
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
