"""Find the types of expressions without evaluating them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from warpview.diagnostics import CompileError, Span
from warpview.frontend import syntax as s
from warpview.frontend.semantic import checks, validity
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import (
    DESTRUCTOR,
    OperatorCandidates,
    callable_on,
    copies_itself,
    member_type,
    methods_of,
    operator_candidates,
)
from warpview.frontend.semantic.layout import with_length_of
from warpview.frontend.semantic.operands import TypedOperand, operands_of_step, part_named
from warpview.frontend.semantic.overload_resolution import NoMatch
from warpview.frontend.semantic.result_types import ResultTypes, result_operand
from warpview.frontend.semantic.scopes import FunctionSet, LazyVariable, Scope
from warpview.frontend.semantic.type_properties import measured
from warpview.frontend.semantic.values import FunctionObject, Lvalue, Value
from warpview.frontend.syntax.expressions import in_pairs
from warpview.frontend.syntax.walk import is_deduced

if TYPE_CHECKING:
    from warpview.frontend.semantic.analysis import Semantics

_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">=", "&&", "||"})


class Typer:
    """Type expressions in the current scope, by the rules of C++."""

    def __init__(self, semantics: Semantics) -> None:
        self.semantics = semantics
        self.names = semantics.names
        self._known: dict[tuple[s.Expression, Scope], TypedOperand] = {}
        self.results = ResultTypes(self)
        self.is_checked = False  # whether expressions must be valid, on which a template may depend

    # ------------------------------------------------------------------------------------ what is asked
    def type_of(self, e: s.Expression) -> t.CType:
        """Return the type of an expression, without qualifiers at its top."""
        return t.plain(self.operand(e).type)

    def is_struct(self, e: s.Expression) -> bool:
        """Return whether an expression is a struct; False where its type cannot be told."""
        return self._is_one_of(e, (t.Struct,))

    def _is_one_of(self, e: s.Expression, kinds: tuple[type[t.CType], ...]) -> bool:
        if isinstance(e, (s.Literal, s.SizeOf, s.StringLiteral, s.NullPointer, s.Lambda, s.InitList)):
            return False
        try:
            return isinstance(self.type_of(e), kinds)
        except CompileError:
            return False

    def _may_overload(self, e: s.Expression) -> bool:
        """Return whether an operator of the file may take an operand: a struct or an enum."""
        return self._is_one_of(e, (t.Struct, t.Enum))

    def size_of(self, e: s.SizeOf) -> int:
        """Return what ``sizeof`` or ``alignof`` comes to, the number of an array's elements, or a
        property as 0 or 1."""
        of = self.names.type_named(e.of) or e.of if isinstance(e.of, s.Name) else e.of
        return measured(self.semantics.types.resolve(of) if isinstance(of, s.TypeSyntax) else self.type_of(of), e)

    def operand(self, e: s.Expression) -> TypedOperand:
        """Return what is known of an expression without evaluating it."""
        key = (e, self.names.scope)
        if key not in self._known:
            self._known[key] = self._operand(e)
        return self._known[key]

    def checked_operand(self, e: s.Expression) -> TypedOperand:
        """Return what is known of an expression in ``decltype``. Raises CompileError where it is not valid."""
        before, self.is_checked = self.is_checked, True
        try:
            return self.operand(e)
        finally:
            self.is_checked = before

    # ------------------------------------------------------------------------------------ each expression
    def _operand(self, e: s.Expression) -> TypedOperand:
        return self._primary(e) or self._operation(e) or self._made(e) or checks.fail_list(e.span)

    def _primary(self, e: s.Expression) -> TypedOperand | None:
        """Return a constant, or what a name or an access to a part of an object means; None for the others."""
        match e:
            case s.Literal(value=value, type=type):
                return TypedOperand(type, is_null=value == 0)
            case s.NullPointer():
                return TypedOperand(t.NULLPTR, is_null=True)
            case s.PackExpression():
                checks.fail_no_pack(e.span)
            case s.StringLiteral():
                return TypedOperand(t.text(len(e.characters)), is_lvalue=True)
            case s.SizeOf() | s.Requires():
                return TypedOperand(t.ULONG if isinstance(e, s.SizeOf) else t.BOOL)
            case s.Name():
                return self._name(e)
            case s.This():
                return TypedOperand(t.Pointer(checks.this_object(self.names.scope, e.span).type))
            case s.Index():
                return self._index(e)
            case s.Member():
                return self._member(e)
            case s.PointedMember():
                return TypedOperand(self.semantics.member_pointers.operand_type(e), is_lvalue=True)
            case s.BoundPart(base=base):
                return self.operand(part_named(e, self.type_of(base)))
        return None

    def _operation(self, e: s.Expression) -> TypedOperand | None:
        match e:
            case s.Unary():
                return self._unary(e)
            case s.Postfix(operand=operand, operator=op):
                overloaded = self.operator(op, operands_of_step(e), e.span)
                if self.is_checked and overloaded is None:
                    validity.check_operation(self, op, [operand], e.span)
                return overloaded or TypedOperand(self.semantics.own_conversions.changed(self.operand(operand)).type)
            case s.Binary():
                return self._binary(e)
            case s.Assign():
                return self._assignment(e)
            case s.Conditional():
                return self.semantics.conditional_types.operand(e)
        return None

    def _made(self, e: s.Expression) -> TypedOperand | None:
        """Return what a call gives, or the object that an expression makes; None for the others."""
        match e:
            case s.Call():
                return self._call(e)
            case s.LaunchByKernel():
                return TypedOperand(t.VOID)
            case s.Construct(type=type, arguments=arguments, braces=braces):
                made = self.semantics.class_deduction.type_of(type, arguments)
                if self.is_checked and not braces:
                    validity.check_construction(self, made, e)
                return result_operand(made)
            case s.Cast(type=type, operand=operand):
                self.arguments([operand] if self.is_checked else [])
                return result_operand(self.semantics.types.resolve(type))
            case s.ConstructAt(type=type):
                return TypedOperand(t.Pointer(self.semantics.types.resolve(type)))
            case s.Lambda():
                function = self.names.closures.setdefault(e, FunctionObject(e, self.names.scope))
                return TypedOperand(t.Closure(e), object=replace(function, scope=self.names.scope))
        return None

    def _name(self, e: s.Name) -> TypedOperand:
        if (member := self.names.unbound_member(e)) is not None:
            return TypedOperand(member.to if isinstance(member, t.ReferenceMember) else member, is_lvalue=True)
        found = self.names.lookup(e)
        match found:
            case Lvalue() | Value():
                return TypedOperand.of(found)
            case LazyVariable():
                return self._global(found)
        return TypedOperand.of(self.names.function_value(e, found))

    def _global(self, symbol: LazyVariable) -> TypedOperand:
        variable = symbol.declaration
        with checks.being_defined(symbol), self.names.scoped(symbol.scope):
            if isinstance(variable.initialiser, s.Lambda) and is_deduced(variable.type):
                return self.operand(variable.initialiser)
            return TypedOperand(self.variable_type(variable), is_lvalue=True)

    def _index(self, e: s.Index) -> TypedOperand:
        if (overloaded := self.operator("[]", [e.base, e.index], e.span)) is not None:
            return overloaded
        for side in (e.base, e.index):
            type = self.semantics.own_conversions.operand_type(self.operand(side).type)
            if isinstance(type, t.Pointer):
                return TypedOperand(type.to, is_lvalue=True)
        checks.fail_not_indexable(self.operand(e.base).type, e.span)

    def _member(self, e: s.Member) -> TypedOperand:
        base = self._owner(e)
        struct = checks.struct_with_members(base.type, e)
        field = struct.field(e.name)
        if field is None:
            with self.names.scoped(struct.info.scope if isinstance(struct.info.scope, Scope) else None):
                symbol = self.names.scope.names.get(e.name)
                if isinstance(symbol, (LazyVariable, Value)):
                    return self._name(s.Name(e.span, e.name))
            checks.fail_no_member(struct, e.name, e.span)
        if isinstance(field.type, t.ReferenceMember):
            return TypedOperand(field.type.to, is_lvalue=True)
        return TypedOperand(member_type(base.type, field), is_lvalue=base.is_lvalue)

    def _owner(self, e: s.Member) -> TypedOperand:
        """Return the object whose member is meant."""
        if not e.arrow:
            return self.operand(e.base)
        return self._pointed((self.operator("->", [e.base], e.span) or self.operand(e.base)).type, e.span)

    def _pointed(self, type: t.CType, span: Span) -> TypedOperand:
        pointer = self.semantics.own_conversions.operand_type(type)
        return TypedOperand(checks.pointed_type(pointer, span), is_lvalue=True)

    def _unary(self, e: s.Unary) -> TypedOperand:
        op = e.operator
        if (member := self.semantics.member_pointers.named(e)) is not None:
            return TypedOperand(member.type)
        if (overloaded := self.operator(op, [e.operand], e.span)) is not None:
            return overloaded
        if op == "&":
            named = self.operand(e.operand)
            return named if named.object is not None else TypedOperand(t.Pointer(named.type))
        if op == "*":
            found = self.operand(e.operand)
            given = self.semantics.own_conversions.operand_type(found.type)
            return found if found.object is not None else self._pointed(given, e.span)
        if self.is_checked:
            validity.check_operation(self, op, [e.operand], e.span)
        if op in ("++", "--"):
            return self.semantics.own_conversions.changed(self.operand(e.operand))
        if op == "+" and (pointer := self.semantics.function_pointers.as_pointer(self.operand(e.operand))) is not None:
            return TypedOperand(pointer)
        return TypedOperand(t.BOOL if op == "!" else t.promoted(self._scalar(e.operand, e.span, op)))

    def _scalar(self, e: s.Expression, span: Span, op: str) -> t.Scalar:
        of = self.operand(e)
        scalar = self.semantics.own_conversions.number_type(of.type, is_lvalue=of.is_lvalue)
        if scalar is None:
            self.names.fail_operator(op, of.type, f"'{op}' cannot be applied to a value of type '{of.type}'", span)
        return scalar

    def _assignment(self, e: s.Assign) -> TypedOperand:
        op = e.operator
        overloaded = self.operator(f"{op}=", [e.target, e.value], e.span)
        if self.is_checked and overloaded is None and op:
            validity.check_operation(self, op, [e.target, e.value], e.span)
        elif self.is_checked and overloaded is None:
            validity.check_assignment(self, e)
        found = overloaded or self.operand(e.target)
        return self.semantics.own_conversions.changed(found) if op and overloaded is None else found

    def _binary(self, e: s.Binary) -> TypedOperand:
        """Chains of operators are walked along their left side, however long they are."""
        spine: list[s.Binary] = []
        first: s.Expression = e
        while isinstance(first, s.Binary) and (first, self.names.scope) not in self._known:
            spine.append(first)
            first = first.left
        for node in reversed(spine[1:]):
            self._known[node, self.names.scope] = self._combined(node)
        return self._combined(e)

    def _combined(self, e: s.Binary) -> TypedOperand:
        op = e.operator
        if (overloaded := self.operator(op, [e.left, e.right], e.span)) is not None:
            return overloaded
        if op == ",":
            return self.operand(e.right)
        if op in _COMPARISONS:
            if self.is_checked:
                validity.check_comparison(self, e)
            return TypedOperand(t.BOOL)
        if self.is_checked:
            validity.check_operation(self, op, [e.left, e.right], e.span)
        own = self.semantics.own_conversions
        left, right = (own.operand_type(self.operand(side).type) for side in (e.left, e.right))
        if isinstance(left, t.Pointer) and isinstance(right, t.Pointer):
            return TypedOperand(t.LONG)
        if isinstance(left, t.Pointer) or isinstance(right, t.Pointer):
            return TypedOperand(left if isinstance(left, t.Pointer) else right)
        a, b = self._scalar(e.left, e.span, op), self._scalar(e.right, e.span, op)
        if op in ("<<", ">>"):
            return TypedOperand(t.promoted(a))
        return TypedOperand(t.usual(a, b))

    # ---------------------------------------------------------------------------------------------- calls
    def operator(self, op: str, operands: list[s.Expression], span: Span) -> TypedOperand | None:
        """Return the result of an operator that the file defines; None where it defines none for these operands."""
        found = self.operator_function(op, operands, span)
        return None if found is None else found[1]

    def operator_function(
        self, op: str, operands: list[s.Expression], span: Span
    ) -> tuple[OperatorCandidates, TypedOperand] | None:
        """Return the functions among which the file defines an operator for these operands, and its result; None where
        it defines none."""
        if not self.names.has_operators or not any(map(self._may_overload, operands)):
            return None
        arguments = self.arguments(operands)
        types = [a.type if isinstance(a, TypedOperand) else None for a in arguments]
        functions = self.names.operator_functions(f"operator{op}", types)
        for found in operator_candidates(f"operator{op}", types, functions):
            if op == "=" and copies_itself(types):
                continue
            try:
                given = arguments[1:] if found.are_methods else arguments
                return found, self.results.of_call(found.declarations, None, span, given, found.owner)
            except NoMatch:
                continue
        return None

    def arguments(self, expressions: list[s.Expression]) -> list[TypedOperand | s.InitList]:
        """Return the operands that the arguments of a call are."""
        return [e if isinstance(e, s.InitList) else self.argument(e) for e in expressions]

    def argument(self, e: s.Expression) -> TypedOperand:
        """Return the operand that an argument is; of a name of several functions the parameter chooses."""
        functions = self.semantics.function_pointers.unsettled(e) if isinstance(e, (s.Name, s.Unary)) else None
        return self.operand(e) if functions is None else TypedOperand(t.VOID, functions=functions)

    def _call(self, e: s.Call) -> TypedOperand:
        callee = e.callee
        if isinstance(callee, s.Member):
            return self._method_call(e, callee)
        if not isinstance(callee, s.Name):
            return self._call_object(self.operand(callee), e)
        this = self.names.scope.find_this()
        if this is not None and (methods := self.names.own_methods(callee)):
            return self.results.of_call(methods, callee, e.span, self.arguments(e.arguments), this.type)
        found = self.names.functions_called(callee, self.names.lookup(callee), lambda: self.arguments(e.arguments))
        if isinstance(found, (Lvalue, Value, LazyVariable)) or self.names.unbound_member(callee) is not None:
            return self._call_object(self._name(callee), e)
        if isinstance(found, FunctionSet):
            try:
                arguments = self.arguments(e.arguments)
                return self.results.of_call(found.declarations, callee, e.span, arguments, found.owner)
            except NoMatch:
                if callee.name not in self.names.builtin_functions:
                    raise
        if callee.name in self.names.builtin_functions:
            return result_operand(self.semantics.builtin_result(callee.name, in_pairs(e), self))
        self.names.fail_no_function(callee, found)

    def _method_call(self, e: s.Call, member: s.Member) -> TypedOperand:
        base = self._owner(member)
        type = t.plain(base.type)
        if member.name == DESTRUCTOR:
            return result_operand(t.VOID)
        if isinstance(type, t.Group):
            return result_operand(self.semantics.group_result(type, member.name, e, self))
        if isinstance(type, t.Closure) and member.name == "operator()":
            return self._call_object(base, e)
        methods = callable_on(methods_of(type, member.name), base.is_lvalue, e.span)
        if not methods:
            return self._call_object(self._member(member), e)
        callee = s.Name(member.span, member.name, member.arguments)
        return self.results.of_call(methods, callee, e.span, self.arguments(e.arguments), base.type)

    def _call_object(self, operand: TypedOperand, e: s.Call) -> TypedOperand:
        """Return a call of a lambda, or of a struct with operator()."""
        if operand.object is None and isinstance(closure := t.plain(operand.type), t.Closure):
            assert isinstance(closure.key, s.Lambda)
            operand = replace(operand, object=self.names.closures.get(closure.key))
        if operand.object is not None:
            if self.is_checked:
                validity.check_lambda_call(operand.object.syntax, len(e.arguments))
            return self.results.of_lambda(operand.object, e.callee, [self.operand(a) for a in e.arguments])
        type = t.decayed(operand.type)
        if isinstance(type, t.Pointer) and isinstance(type.to, t.FunctionSignature):
            if self.is_checked:
                validity.check_pointer_call(self, type.to, e)
            return result_operand(type.to.result)
        if methods := methods_of(operand.type, "operator()"):
            return self.results.of_call(methods, None, e.span, self.arguments(e.arguments), operand.type)
        checks.fail_not_callable(operand.type, e.span)

    def parameter_type(self, parameter: s.Parameter, given: t.CType) -> t.CType:
        """Return the type of a parameter: arrays are pointers; 'auto' is that of the argument."""
        if not is_deduced(parameter.type):
            type = self.semantics.types.resolve(parameter.type)
            return t.decayed(type) if isinstance(type, (t.Array, t.FunctionSignature)) else type
        return t.Reference(given) if isinstance(parameter.type, s.ReferenceType) else t.decayed(given)

    # --------------------------------------------------------------------------------------- deduced types
    def bound_array(self, variable: s.DeclaredVariable) -> t.Array | None:
        """Return the type of the copy of an array to whose elements names are bound, ``auto [a, b] = array``; None for
        other variables."""
        if not variable.name.startswith("[") or isinstance(variable.type, s.ReferenceType):
            return None
        type = self.type_of(checks.deduced_from(variable))
        return type if isinstance(type, t.Array) else None

    def variable_type(self, variable: s.DeclaredVariable) -> t.CType:
        """Return the type of a variable; an array has the length of its initialiser where none is written."""
        if (array := self.bound_array(variable)) is not None:
            return array
        if is_deduced(variable.type):
            operand = self.operand(checks.deduced_from(variable))
            if isinstance(variable.type, s.ReferenceType):
                return t.Reference(operand.type)
            const = isinstance(variable.type, s.QualifiedType) and variable.type.const
            return replace(t.decayed(operand.type), const=const)
        type = self.semantics.class_deduction.variable_type(variable)
        return with_length_of(variable.initialiser, type, self.type_of)
