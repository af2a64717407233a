"""Lower a kernel: its parameters, its body, and the facts that are only known when all is written."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from warpview.diagnostics import CompileError
from warpview.frontend import features, ir
from warpview.frontend import syntax as s
from warpview.frontend.lower.builtins.clusters import use_clusters
from warpview.frontend.lower.builtins.support import require
from warpview.frontend.lower.context import CallFrame
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.lower.static_variables import members_of, memory_variable
from warpview.frontend.passes.call_frames import keep_frames
from warpview.frontend.passes.infer_spaces import infer_spaces
from warpview.frontend.passes.local_arrays import resolve_arrays
from warpview.frontend.passes.promote import place_in_memory, promote
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.checks import fail_kernel_result
from warpview.frontend.semantic.layout import holds_array, leaf_types, new_parts
from warpview.frontend.semantic.scopes import Scope
from warpview.frontend.semantic.values import NULL, Address, BoundObject, Lvalue, Value
from warpview.isa.program import Param, Variable
from warpview.isa.types import SMALL_FLOATS, Space, Type


class KernelLowering(LoweringPart):
    def enter_file(self, unit: s.TranslationUnit, unreadable: dict[str, CompileError]) -> None:
        """Declare the constants of a file's enums and check its static assertions."""
        names = self.low.semantics.names
        names.unreadable, names.host_functions = unreadable, unit.host_functions
        names.has_operators, names.has_destructors = unit.has_operators, unit.has_destructors
        names.has_function_pointers = unit.has_function_types
        for declaration in unit.types:
            if isinstance(declaration.type, s.EnumType):
                scope = names.namespaces.around(declaration)
                with self.context.scoped(scope):
                    self.low.semantics.definitions.define_enum(declaration.type, scope)
        for use in unit.uses:
            with self.context.scoped(names.namespaces.around(use)):
                names.use_constants(use)
        for assertion in unit.asserts:
            with self.context.scoped(names.namespaces.around(assertion)):
                self.low.statements.static_assert(assertion)

    # ------------------------------------------------------------------------------------------ a kernel
    def kernel(self, declaration: s.FunctionDeclaration, scope: Scope, body: s.Compound | None = None) -> None:
        """Lower a kernel; ``scope`` holds its template arguments. ``body`` takes the place of its own."""
        assert declaration.body is not None
        self.context.scope_end = declaration.body.end.line
        names = self.low.semantics.mutations.changed_in(declaration.body)
        frame = CallFrame(declaration, declaration.name, t.VOID, None, key=(declaration,))
        frame.assigned, frame.assigned_parts = names.whole, names.parts
        inner = Scope(scope, is_parameters=True)
        self.context.frames.append(frame)
        with self.context.scoped(inner):
            if not isinstance(self.low.semantics.types.resolve(declaration.result), t.Void):
                fail_kernel_result(declaration.span)
            for bound in declaration.launch_bounds[:1]:
                self.context.function.max_threads = max(
                    0, self.low.semantics.evaluator.integer(bound, "a launch bound")
                )
            if declaration.cluster_dims:
                use_clusters(self.low)
                self.context.function.cluster = self._cluster(declaration.cluster_dims)
            self.context.parameter_names = names
            for parameter in declaration.parameters:
                known = len(self.context.function.params)
                inner.names[parameter.name] = self.kernel_parameter(parameter)
                names_of_parts = [param.name for param in self.context.function.params[known:]]
                self.context.function.parameter_names += names_of_parts[:1] or [parameter.name]
            self.low.statements.statement(body or declaration.body)
        self.context.frames.pop()
        with self.context.at(declaration.body.end):
            if not self.context.builder.closed:
                self.context.builder.exit()
        self.low.statements.check_labels()
        self.finish()

    def _cluster(self, extents: list[s.Expression]) -> tuple[int, int, int]:
        """Return the blocks of a cluster in each direction, as __cluster_dims__ says."""
        given = [self.low.semantics.evaluator.integer(extent, "the extent of a cluster") for extent in extents[:3]]
        x, y, z = [*given, 1, 1][:3]
        if min(x, y, z) < 1:
            fail("a cluster has at least one block in each direction", extents[0].span)
        return x, y, z

    def kernel_parameter(self, parameter: s.Parameter) -> Lvalue | Value:
        """Return the value of a parameter, or its variable where something assigns to it."""
        type = self.low.semantics.types.resolve(parameter.type)
        type = t.Pointer(type.of) if isinstance(type, t.Array) else type
        named = type.to if isinstance(type, t.Reference) else type
        is_emptied = isinstance(type, t.Reference) and type.rvalue
        if is_emptied or isinstance(t.plain(named), (t.Void, t.Closure, t.Group)):
            fail(f"a kernel parameter cannot have the type '{type}'", parameter.span)
        if isinstance(member := t.plain(type), t.MemberPointer) and member.is_of_function:
            fail("a kernel parameter cannot point to a function of the host", parameter.span)
        name = parameter.name or f"(unnamed {len(self.context.function.params)})"
        if isinstance(type, t.Reference):  # the address of an object, which lies in managed memory
            return Lvalue(self._add_param(name, t.Pointer(named), type, "", 0).address or NULL, named)
        cell = BoundObject(name, type, new_parts(type))
        parts = named_parts(type, SMALL_FLOATS)
        for offset, leaf_type in leaf_types(type):
            value = self._add_param(name, leaf_type, type, parts.get(offset, ("", type))[0], offset)
            cell.leaves[offset].bound = value
        place = Lvalue(Address(cell=cell), type)
        value = Value(t.plain(type), address=place.address)
        if not isinstance(t.plain(type), t.Struct):
            value = self.low.memory.load(place, parameter.span)
        if holds_array(type) or self.low.variables.is_assigned(parameter, type):
            return self.low.variables.new_variable(parameter, parameter.name, type, value, parameter.span, mutable=True)
        return place

    def _add_param(self, name: str, type: t.CType, whole: t.CType, field: str, offset: int) -> Value:
        plain = t.plain(type)
        index = len(self.context.function.params)
        if isinstance(plain, t.Pointer) and isinstance(plain.to, t.FunctionSignature):
            self.context.function.params.append(Param(name, str(whole), Type.U64, -1, field=field, offset=offset))
            return Value(plain, address=Address(Space.GENERIC, ir.ParamValue(Type.U64, index)))
        if isinstance(plain, t.Pointer):
            to = plain.to
            parts = leaf_types(to) if not isinstance(to, t.Void) else []
            scalars = {x.isa for _, p in parts if (x := t.arithmetic(p)) is not None}
            element = scalars.pop() if len(scalars) == 1 else None
            read_only = to.const and plain.restrict
            self.context.function.params.append(
                Param(name, str(whole), Type.U64, -1, True, element, to.size, read_only, field, offset,
                      members=members_of(to))
            )  # fmt: skip
            address = Address(Space.GLOBAL, ir.ParamValue(Type.U64, index), read_only=read_only)
            return Value(plain, address=address)
        scalar = t.arithmetic(plain)
        assert scalar is not None
        self.context.function.params.append(Param(name, str(whole), scalar.isa, -1, field=field, offset=offset))
        operand = ir.ParamValue(scalar.isa, index)
        if scalar.is_bool:
            return Value(plain, self.low.conversions.not_zero(operand, t.UINT))
        return Value(plain, operand)

    def finish(self) -> None:
        """Complete the function with the facts that are known once all of it is written."""
        function, memory = self.context.function, self.context.static_memory
        function.static_shared_bytes = memory.shared
        promote(function)
        resolve_arrays(function)
        place_in_memory(function)
        keep_frames(function)
        infer_spaces(function)
        function.constant_bytes, function.device_bytes = bytes(memory.constant), bytes(memory.device)
        function.device_pointers = tuple(memory.device_pointers.items())
        if any(i.type == Type.F64 for b in function.blocks for i in b.instrs):
            require(self.low, features.DOUBLES)
        for variable in self.context.dynamic_arrays:
            function.variables.append((replace(variable, offset=function.static_shared_bytes), None))
        for holder, type, lines in self.context.described.values():
            self._describe(holder, type, lines)

    def _describe(self, holder: BoundObject | ir.Slot, type: t.CType, lines: tuple[int, int]) -> None:
        """Tell the views where a local variable is: in registers, part by part, or in local memory."""
        variables = self.context.function.variables
        if isinstance(holder, ir.Slot) and holder.registers is None:
            variables.append((memory_variable(holder.name, type, Space.LOCAL, holder.offset, lines), None))
            return
        parts = named_parts(type, SMALL_FLOATS)
        for offset, leaf in leaf_types(type):
            if isinstance(holder, ir.Slot):
                shown: ir.Value | None = _own_register(holder, offset, t.arithmetic(leaf))
            else:
                shown = self._shown(holder.leaves[offset].bound)
            if shown is not None:
                scalar = t.arithmetic(leaf)
                register = scalar.register if scalar else shown.type
                name, kind = parts.get(offset, ("", leaf))
                variables.append((Variable(holder.name + name, str(kind), register, scope=lines), shown))

    def _shown(self, bound: Value | None) -> ir.Value | None:
        """Return the register, constant or parameter that holds the value of a name."""
        if bound is None:
            return None
        shown = bound.operand if bound.operand is not None else bound.address.base if bound.address else None
        if isinstance(shown, ir.Reg) and shown in self.context.results:
            slot, offset = self.context.results[shown]
            return slot.registers.get(offset) if slot.registers is not None else None
        return None if isinstance(shown, (ir.SlotAddress, ir.DynamicShared)) else shown

    # ------------------------------------------------------------------------------------ what is built in


def _own_register(holder: ir.Slot, offset: int, scalar: t.Scalar | None) -> ir.Reg | None:
    """Return the register that holds a scalar part of a variable and nothing else."""
    register = (holder.registers or {}).get(offset)
    if register is None or scalar is None:
        return register
    is_alike = register.type.bytes == scalar.register.bytes
    return register if is_alike and (register.type == Type.PRED) == (scalar.register == Type.PRED) else None


def named_parts(type: t.CType, whole: Collection[str] = ()) -> dict[int, tuple[str, t.CType]]:
    """Return the parts of a variable by their byte offsets: the name of each after the variable's, such as '.x',
    '[2].y' or '', and its type. Structs whose names are among ``whole`` are not divided."""
    type = t.plain(type)
    parts: dict[int, tuple[str, t.CType]] = {}
    if isinstance(type, t.Array):
        inner = named_parts(type.of, whole)
        for i in range(type.length or 0):
            parts |= {i * type.of.size + o: (f"[{i}]{name}", of) for o, (name, of) in inner.items()}
    elif isinstance(type, t.Struct) and type.info.name not in whole:
        for field in reversed(type.info.fields if type.info.stored is None else type.info.stored_parts):
            inner = named_parts(field.type, whole)
            parts |= {field.offset + o: (f".{field.name}{name}", of) for o, (name, of) in inner.items()}
    else:
        parts[0] = "", type
    return parts
