"""A kernel becomes code: parameters, built-in variables, body.

The layers of lowering build on one another, each in its module: ``core`` (registers), ``memory``, ``conversions``,
``resolve`` (types and constants), ``operators``, ``expressions``, ``calls``, ``declarations``, ``loops``,
``statements``; this one holds what is built in.
"""

from __future__ import annotations

from dataclasses import replace

from warpview.diagnostics import CompileError, Span
from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend import types as t
from warpview.frontend.builtins import FUNCTIONS
from warpview.frontend.builtins.groups import GROUP_FUNCTIONS, group_method
from warpview.frontend.builtins.support import require
from warpview.frontend.core import Frame, holds_array, leaf_types, new_leaves
from warpview.frontend.declarations import memory_variable
from warpview.frontend.mutation import Mutations
from warpview.frontend.passes.infer_spaces import infer_spaces
from warpview.frontend.passes.promote import promote
from warpview.frontend.scopes import Scope
from warpview.frontend.statements import Statements
from warpview.frontend.tokens import fail
from warpview.frontend.values import Address, Cell, Place, Value, number
from warpview.isa.ops import Op
from warpview.isa.program import Param, Special, Variable
from warpview.isa.types import Space, Type

_BUILTIN_VARIABLES = {
    "threadIdx": ("uint3", (Special.TID_X, Special.TID_Y, Special.TID_Z)),
    "blockIdx": ("uint3", (Special.CTAID_X, Special.CTAID_Y, Special.CTAID_Z)),
    "blockDim": ("dim3", (Special.NTID_X, Special.NTID_Y, Special.NTID_Z)),
    "gridDim": ("dim3", (Special.NCTAID_X, Special.NCTAID_Y, Special.NCTAID_Z)),
}
# What a thread must first fetch into a register; sizes of the launch are operands as parameters are.
_FETCHED = frozenset(
    (Special.TID_X, Special.TID_Y, Special.TID_Z, Special.CTAID_X, Special.CTAID_Y, Special.CTAID_Z)
)  # fmt: skip


class Lowering(Statements):
    def __init__(self, function: ir.Function, file_scope: Scope, mutations: Mutations, fma: bool) -> None:
        super().__init__(function, file_scope, mutations, fma)
        self.case_blocks: dict[s.Case, ir.Block] = {}
        self.label_blocks: dict[object, ir.Block] = {}
        self.labels_placed: set[object] = set()
        self.gotos: dict[tuple[str, object, object], Span] = {}
        built_in = Scope()
        for name, (type, specials) in _BUILTIN_VARIABLES.items():
            built_in.names[name] = _builtin_variable(type, specials)
        built_in.names["warpSize"] = number(t.INT, 32)
        file_scope.parent = built_in

    def enter_file(self, unit: s.Unit, unreadable: dict[str, CompileError]) -> None:
        """What holds for the whole file: the constants of its enums, its static assertions."""
        self.unreadable, self.host_functions = unreadable, unit.host_functions
        with self.scoped(self.file_scope):
            for declaration in unit.types:
                methods = declaration.type.methods if isinstance(declaration.type, s.StructType) else []
                self.has_operators = self.has_operators or any(m.name.startswith("operator") for m in methods)
                if isinstance(declaration.type, s.EnumType):
                    self.define_enum(declaration.type, self.file_scope)
            for assertion in unit.asserts:
                self.static_assert(assertion)

    # ------------------------------------------------------------------------------------------ a kernel
    def kernel(self, declaration: s.FunctionDeclaration, scope: Scope) -> None:
        """The whole of a kernel; ``scope`` holds its template arguments."""
        assert declaration.body is not None
        self.scope_end = declaration.body.end.line
        names = self.mutations.changed_in(declaration.body)
        frame = Frame(declaration, declaration.name, t.VOID, None, key=(declaration,))
        frame.assigned, frame.assigned_parts, frame.body = names.whole, names.parts, declaration.body
        inner = Scope(scope, is_parameters=True)
        self.frames.append(frame)
        with self.scoped(inner):
            if not isinstance(self.resolve(declaration.result), t.Void):
                fail("a kernel must return void", declaration.span)
            for bound in declaration.launch_bounds[:1]:
                self.function.max_threads = max(0, self.constant_integer(bound, "a launch bound"))
            self.parameter_names = names
            for parameter in declaration.parameters:
                inner.names[parameter.name] = self.kernel_parameter(parameter)
            self.statement(declaration.body)
        self.frames.pop()
        with self.at(declaration.body.end):
            if not self.builder.closed:
                self.builder.exit()
        self.check_labels()
        self.finish()

    def kernel_parameter(self, parameter: s.Parameter) -> Place | Value:
        """A parameter is its value, until something assigns to it."""
        type = self.resolve(parameter.type)
        type = t.Pointer(type.of) if isinstance(type, t.Array) else type
        if isinstance(type, t.Reference):
            fail("a kernel cannot take references: its parameters come from the host", parameter.span)
        if not parameter.name or isinstance(t.plain(type), (t.Void, t.Closure, t.Group)):
            if not parameter.name:
                self._add_param(parameter, f"(unnamed {len(self.function.params)})", type, type, "")
                return number(t.INT, 0)
            fail(f"a kernel parameter cannot have the type '{type}'", parameter.span)
        cell = Cell(parameter.name, type, new_leaves(type))
        names = leaf_names(type)
        for offset, leaf_type in leaf_types(type):
            value = self._add_param(parameter, parameter.name, leaf_type, type, names.get(offset, ""), offset)
            cell.leaves[offset].bound = value
        place = Place(Address(cell=cell), type)
        value = Value(t.plain(type), address=place.address)
        if not isinstance(t.plain(type), t.Struct):
            value = self.load(place, parameter.span)
        if holds_array(type) or self.is_assigned(parameter, type):
            return self.new_variable(parameter, parameter.name, type, value, parameter.span, mutable=True)
        return place

    def _add_param(
        self, parameter: s.Parameter, name: str, type: t.CType, whole: t.CType, field: str, offset: int = 0
    ) -> Value:
        plain = t.plain(type)
        index = len(self.function.params)
        if isinstance(plain, t.Pointer):
            to = plain.to
            parts = leaf_types(to) if not isinstance(to, t.Void) else []
            scalars = {x.isa for _, p in parts if (x := t.arithmetic(p)) is not None}
            element = scalars.pop() if len(scalars) == 1 else None
            read_only = to.const and plain.restrict
            self.function.params.append(
                Param(name, str(whole), Type.U64, -1, True, element, to.size, read_only, field, offset)
            )  # fmt: skip
            address = Address(Space.GLOBAL, ir.ParamValue(Type.U64, index), read_only=read_only)
            return Value(plain, address=address)
        scalar = t.arithmetic(plain)
        if scalar is None:
            fail(f"a kernel parameter cannot have the type '{type}'", parameter.span)
        self.function.params.append(Param(name, str(whole), scalar.isa, -1, field=field, offset=offset))
        operand = ir.ParamValue(scalar.isa, index)
        if scalar.is_bool:
            return Value(plain, self._not_zero(operand, t.UINT))
        return Value(plain, operand)

    def host_value(self, variable: s.Variable) -> Value:
        """The value of a host variable, if its initialiser is constant."""
        if variable.arguments is None and variable.initialiser is None:
            fail("no value", variable.span)
        if isinstance(variable.type, s.AutoType) and variable.initialiser is not None:
            return self.rvalue(variable.initialiser)
        found = self.local_variable(variable, self.resolve(variable.type))
        value = self.loaded(found, variable.span)
        if value.constant is None and value.address is None:
            fail("no constant", variable.span)
        return value

    def finish(self) -> None:
        """What is only known when all is written."""
        function, memory = self.function, self.memory
        function.static_shared_bytes = memory.shared
        promote(function)
        infer_spaces(function)
        function.constant_bytes, function.device_bytes = bytes(memory.constant), bytes(memory.device)
        if any(i.type == Type.F64 for b in function.blocks for i in b.instrs):
            require(self, (1, 3), "double precision")
        for variable in self.dynamic_arrays:
            function.variables.append((replace(variable, offset=function.static_shared_bytes), None))
        for holder, type, lines in self.described.values():
            self._describe(holder, type, lines)

    def _describe(self, holder: Cell | ir.Slot, type: t.CType, lines: tuple[int, int]) -> None:
        """Tell the views where a local variable is: in registers, part by part, or in local memory."""
        variables = self.function.variables
        if isinstance(holder, ir.Slot) and holder.registers is None:
            variables.append((memory_variable(holder.name, type, Space.LOCAL, holder.offset, lines), None))
            return
        names = leaf_names(type)
        for offset, leaf in leaf_types(type):
            if isinstance(holder, ir.Slot):
                shown: ir.Value | None = (holder.registers or {}).get(offset)
            else:
                shown = self._shown(holder.leaves[offset].bound)
            if shown is not None:
                scalar = t.arithmetic(leaf)
                register = scalar.register if scalar else shown.type
                name = holder.name + names.get(offset, "")
                variables.append((Variable(name, str(leaf), register, scope=lines), shown))

    def _shown(self, bound: Value | None) -> ir.Value | None:
        """What holds the value that a name stands for: a register, a constant or a parameter."""
        if bound is None:
            return None
        shown = bound.operand if bound.operand is not None else bound.address.base if bound.address else None
        if isinstance(shown, ir.Reg) and shown in self.results:
            slot, offset = self.results[shown]
            return slot.registers.get(offset) if slot.registers is not None else None
        return None if isinstance(shown, (ir.SlotAddress, ir.DynamicShared)) else shown

    # ------------------------------------------------------------------------------------ what is built in
    def read_leaf(self, address: Address, type: t.CType) -> Value | None:
        value = super().read_leaf(address, type)
        if value is not None and isinstance(value.operand, ir.SpecialValue) and value.operand.special in _FETCHED:
            return Value(value.type, self.emit(Op.MOV, Type.U32, value.operand))
        return value

    def known_functions(self) -> set[str]:
        return {*FUNCTIONS, *GROUP_FUNCTIONS, *(f"make_{v}" for v in t.VECTORS if v != "dim3")}

    def builtin(self, name: str, node: s.Call) -> Value | Place | None:
        """A function that CUDA provides."""
        if name.startswith("make_") and name[5:] in t.VECTORS:
            type = s.PlainType(node.span, t.Struct(t.VECTORS[name[5:]]))
            if len(node.arguments) != len(t.VECTORS[name[5:]].fields):
                fail(f"'{name}' takes {len(t.VECTORS[name[5:]].fields)} arguments", node.span)
            return self.construct(s.Construct(node.span, type, node.arguments, braces=False))
        handler = FUNCTIONS.get(name) or GROUP_FUNCTIONS.get(name)
        return handler(self, node, name) if handler else None

    def group_method(self, group: t.Group, value: Value, node: s.Call, member: s.Member) -> Value | Place:
        return group_method(self, group, value, node, member)

    def construct(self, node: s.Construct) -> Value:
        """T(values) and T{values}."""
        if isinstance(node.type, s.AutoType):
            fail("'auto' cannot be constructed", node.span)
        type = t.plain(self.resolve(node.type))
        arguments = node.arguments
        if node.braces and len(arguments) == 1 and isinstance(arguments[0], s.InitList):
            items = arguments[0].items
            if isinstance(type, (t.Struct, t.Array)) and not self._constructors(type):
                with self.value_in_parts(type, node) as place:
                    self.initialise(place, arguments[0], node.span)
                return self.load(place, node.span)
            arguments = [e for _, e in items]
        if not isinstance(type, t.Struct):
            return self._construct_scalar(type, arguments, node.span)
        if constructors := self._constructors(type):
            same = len(arguments) == 1 and t.same(self.quick_type(arguments[0]), type)
            if not same:
                place = self.temporary(type, node)
                self.default_fields(place)
                call = s.Call(node.span, s.Name(node.span, type.info.name), arguments)
                self._call_candidates(constructors, None, call, self.arguments(arguments), place)
                return self.load(place, node.span)
        syntax = type.info.syntax
        copies = len(arguments) == 1 and t.same(self.quick_type(arguments[0]), type)
        if isinstance(syntax, s.StructType) and type.info.name in syntax.host_methods and not copies:
            self.refuse_host_constructor(type, node.span)
        return self._construct_struct(type, arguments, node)

    def _constructors(self, type: t.CType) -> list[s.FunctionDeclaration]:
        return self._methods(type, type.info.name) if isinstance(type, t.Struct) else []

    def _construct_scalar(self, type: t.CType, arguments: list[s.Expression], span: Span) -> Value:
        if len(arguments) > 1:
            fail(f"'{type}' takes one value, {len(arguments)} given", span)
        if not arguments:
            scalar = t.arithmetic(type)
            return number(scalar, 0) if scalar is not None else self.convert(number(t.INT, 0), type, span)
        return self.convert(self.rvalue(arguments[0]), type, span, explicit=True)

    def _construct_struct(self, type: t.Struct, arguments: list[s.Expression], node: s.Construct) -> Value:
        """A struct from the values of its members; dim3 fills up with ones."""
        span = node.span
        if len(arguments) == 1:
            value = self.rvalue(arguments[0])
            if t.same(value.type, type):
                return value
        if len(arguments) > len(type.info.fields):
            fail(f"too many values for '{type}'", span)
        with self.value_in_parts(type, node) as place:
            for position, field in enumerate(type.info.fields):
                target = Place(place.address.plus(field.offset), field.type)
                scalar = t.arithmetic(field.type)
                if position < len(arguments):
                    self.initialise(target, arguments[position], span)
                elif type.info.name == "dim3" and scalar is not None:
                    self.store(target, number(scalar, 1), span)
                else:
                    self.zero(target, span)
        return self.load(place, span)


def _builtin_variable(type: str, specials: tuple[Special, ...]) -> Place:
    struct = t.Struct(t.VECTORS[type], const=True)
    cell = Cell("", struct, new_leaves(struct))
    for leaf, special in zip(cell.leaves.values(), specials, strict=True):
        leaf.bound = Value(t.UINT, ir.SpecialValue(special))
    return Place(Address(cell=cell), struct)


def leaf_names(type: t.CType) -> dict[int, str]:
    """How the parts of a variable are written after its name: byte offset -> '.x', '[2].y', or ''."""
    type = t.plain(type)
    names: dict[int, str] = {}
    if isinstance(type, t.Array):
        inner = leaf_names(type.of)
        for i in range(type.length or 0):
            names |= {i * type.of.size + o: f"[{i}]{n}" for o, n in inner.items()}
    elif isinstance(type, t.Struct):
        for field in reversed(type.info.fields):
            names |= {field.offset + o: f".{field.name}{n}" for o, n in leaf_names(field.type).items()}
    else:
        names[0] = ""
    return names
