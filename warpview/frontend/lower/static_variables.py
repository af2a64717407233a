"""Lower variables with static storage: those of shared memory, and those declared outside functions."""

from __future__ import annotations

from dataclasses import replace

from warpview.diagnostics import Span
from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.lower.initial_bytes import image
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.checks import being_defined
from warpview.frontend.semantic.layout import first_scalar, holds_function_pointer
from warpview.frontend.semantic.scopes import LazyVariable, Scope, TypeSymbol
from warpview.frontend.semantic.special_members import check_constant_has_value
from warpview.frontend.semantic.values import Address, Lvalue, Value
from warpview.frontend.syntax.walk import is_deduced, walk
from warpview.isa.members import StructMember
from warpview.isa.program import Variable
from warpview.isa.types import CONST_WINDOW, Space

MAX_SHARED = 1 << 20
MAX_CONSTANT = 1 << 16  # on every device
MAX_DEVICE = 1 << 28


class StaticVariables(LoweringPart):
    """Lower the variables that have one place for the kernel, however often their function is inlined."""

    # ------------------------------------------------------------------------------------ shared memory
    def shared_variable(self, variable: s.DeclaredVariable) -> Lvalue:
        """Return a __shared__ variable: one for the block, however often the function is inlined."""
        if variable.initialiser is not None or variable.arguments:
            fail("__shared__ variables cannot have an initialiser", variable.span)
        type = self.low.semantics.types.resolve(variable.type)
        if isinstance(type, t.Array) and type.length is None:
            return self._dynamic_shared(variable, type)
        if isinstance(type, (t.Reference, t.Void)):
            fail(f"a __shared__ variable cannot be '{type}'", variable.span)
        self.low.semantics.classes.check_complete(type, variable.span)
        identity = ("shared", variable, self.context.frame.key if self.context.frames else ())
        if identity not in self.context.static_memory.places:
            offset = aligned(self.context.static_memory.shared, self.low.variables.alignment(variable, type))
            self.context.static_memory.shared = offset + type.size
            if self.context.static_memory.shared > MAX_SHARED:
                fail("this needs more shared memory than any device has", variable.span)
            self.context.static_memory.places[identity] = Lvalue(
                Address(Space.SHARED, None, offset, bounds=ir.ArrayBounds(offset, offset + type.size)), type
            )
            self._remember(variable.name, type, Space.SHARED, offset, variable.span)
        return self.context.static_memory.places[identity]

    def _dynamic_shared(self, variable: s.DeclaredVariable, type: t.Array) -> Lvalue:
        """Lower extern __shared__: behind all static shared memory, whose size is known when all is written."""
        if "extern" not in variable.storage:
            self.low.variables.complete(type, variable)  # stops, as there is no initialiser
        self.context.function.uses_dynamic_shared = True
        place = Lvalue(Address(Space.SHARED, ir.DynamicShared()), type)
        if ("dynamic", variable.name) not in self.context.static_memory.places:
            self.context.static_memory.places["dynamic", variable.name] = place
            lines = self._lines(variable.span)
            self.context.dynamic_arrays.append(memory_variable(variable.name, type, Space.SHARED, 0, lines))
        return place

    # ------------------------------------------------------------------------------ static in a function
    def function_variable(self, variable: s.DeclaredVariable) -> Lvalue:
        """Return a static variable of a function, in constant or global memory: one for each instance of it."""
        frames = self.context.frames
        identity = ("static", variable, frames[-1].key if frames else ())
        if identity not in self.context.static_memory.places:
            space = Space.CONST if "__constant__" in variable.storage else Space.GLOBAL
            self.context.static_memory.places[identity] = self._memory_image(variable, space, self._owner(variable))
        return self.context.static_memory.places[identity]

    def _owner(self, variable: s.DeclaredVariable) -> str:
        """Return the place of a static variable of a function, with the template arguments of the instance."""
        frames, arguments = self.context.frames, list[object]([self.context.function.name])
        if frames and len(frames[-1].key) > 1:  # neither the kernel nor a lambda
            _, scope, *arguments = frames[-1].key
            while isinstance(scope, Scope) and scope.space is None:  # classes around the function
                arguments += [x.type for x in scope.names.values() if isinstance(x, TypeSymbol)]
                arguments += [x.constant for x in scope.names.values() if isinstance(x, Value)]
                scope = scope.parent
        shown = (str(x.span if isinstance(x, s.Node) else x) for x in arguments)
        return f"{variable.span}<{', '.join(shown)}>"

    # --------------------------------------------------------------------------------------- file scope
    def global_variable(self, symbol: LazyVariable) -> Lvalue | Value:
        """Return a file-scope variable: __constant__, __device__, __shared__, or a constant of the host."""
        if symbol in self.context.static_memory.places:
            return self.context.static_memory.places[symbol]
        with being_defined(symbol), self.context.scoped(symbol.scope):
            place = self._file_scope_variable(symbol.declaration)
        if isinstance(place, Lvalue):
            self.context.static_memory.places[symbol] = place
        return place

    def _file_scope_variable(self, variable: s.DeclaredVariable) -> Lvalue | Value:
        if "__shared__" in variable.storage:
            return self.shared_variable(variable)
        if "__constant__" in variable.storage:
            return self._memory_image(variable, Space.CONST)
        if variable.storage & {"__device__", "__managed__"}:
            return self._memory_image(variable, Space.GLOBAL)
        type = t.CType() if is_deduced(variable.type) else self.low.semantics.types.resolve(variable.type)
        if isinstance(type, (t.Array, t.Struct)):
            if t.is_const(type):
                return self._memory_image(variable, Space.CONST)
        elif type.const or is_deduced(variable.type):
            expression = variable.initialiser
            if isinstance(expression, s.InitList) and len(expression.items) == 1:
                expression = expression.items[0][1]
            if isinstance(expression, s.Lambda):
                return self.low.copies.make_lambda(expression)
            value = self.low.semantics.evaluator.value(expression) if expression is not None else None
            if value is not None:
                deduced = is_deduced(variable.type)
                return value if deduced else self.low.conversions.convert(value, type, variable.span)
        fail(
            f"'{variable.name}' is a variable of the host and cannot be used by a kernel",
            self.context.builder.span,
            "pass it as a parameter, or declare it const with a constant value",
        )

    def _memory_image(self, variable: s.DeclaredVariable, space: Space, owner: str = "") -> Lvalue:
        """Return a variable in constant or global memory, with its initial bytes."""
        type = self.low.variables.complete(self.low.semantics.typer.variable_type(variable), variable)
        if isinstance(type, t.Reference):
            fail("references cannot be declared here", variable.span)
        if space == Space.GLOBAL and variable.first_value is None and "extern" not in variable.storage:
            check_constant_has_value(variable, type)
        name = variable.name if owner else self.low.semantics.names.namespaces.shown_name(variable)
        known = self.context.static_memory.device_addresses.get(owner or name) if space == Space.GLOBAL else None
        if known is not None:
            described = replace(self._remember(name, type, space, known, variable.span), owner=owner)
            self.context.function.device_symbols += (described,)
            return Lvalue(Address(Space.GLOBAL, ir.DeviceBase(), known), type)
        contents, pointers = self._contents(variable, type, space)  # which may put strings and other variables there
        data = self.context.static_memory.constant if space == Space.CONST else self.context.static_memory.device
        offset = aligned(len(data), self.low.variables.alignment(variable, type))
        limit = MAX_CONSTANT if space == Space.CONST else MAX_DEVICE
        if offset + type.size > limit:
            kind = "constant" if space == Space.CONST else "__device__"
            fail(f"the {kind} variables of this file need more than {limit} bytes", variable.span)
        data.extend(bytes(offset - len(data)))
        data.extend(contents)
        self.context.static_memory.device_pointers |= {offset + at: target for at, target in pointers.items()}
        described = replace(self._remember(name, type, space, offset, variable.span), owner=owner)
        if space == Space.CONST:
            if "__constant__" in variable.storage and not owner:
                self.context.function.constant_symbols += (described,)
            else:
                self.context.static_memory.fixed.append(range(offset, offset + type.size))
            return Lvalue(Address(Space.CONST, None, offset, bounds=ir.ArrayBounds(offset, offset + type.size)), type)
        self.context.function.device_symbols += (described,)
        return Lvalue(Address(Space.GLOBAL, ir.DeviceBase(), offset), type)

    def _contents(self, variable: s.DeclaredVariable, type: t.CType, space: Space) -> tuple[bytes, dict[int, int]]:
        """Return the initial bytes of a variable, and where in them which addresses of ``__device__`` variables are."""
        memory = self.context.static_memory
        around, memory.pointers = memory.pointers, {} if space == Space.GLOBAL else None
        try:
            return image(self.low, variable, type), memory.pointers or {}
        finally:
            memory.pointers = around

    def string_address(self, e: s.StringLiteral, offset: int) -> int:
        """Return the generic address of a string, to which a pointer at an offset of a variable points at first."""
        if self.context.static_memory.strings is not None:
            self.context.static_memory.strings[offset] = e.characters
            return 0
        return CONST_WINDOW + self.low.expressions.string(e).address.offset

    def string_pointers(self, variables: list[s.DeclaredVariable]) -> dict[str, tuple[bytes, dict[int, bytes]]]:
        """Return the initial bytes of variables of the file that hold pointers to strings, by name, with the strings
        by the places of the pointers, which are zeros."""
        found = {}
        namespaces = self.low.semantics.names.namespaces
        for variable in variables:
            value = variable.initialiser
            if not variable.storage & {"__device__", "__managed__", "__constant__"} or value is None:
                continue
            if not any(isinstance(node, s.StringLiteral) for node in walk(value)):
                continue
            with self.context.scoped(namespaces.around(variable)):
                type = self.low.variables.complete(self.low.semantics.typer.variable_type(variable), variable)
                self.context.static_memory.strings = {}
                contents = image(self.low, variable, type)
                if self.context.static_memory.strings:
                    found[namespaces.shown_name(variable)] = contents, self.context.static_memory.strings
        return found

    def function_pointers(self, variables: list[s.DeclaredVariable]) -> dict[str, bytes]:
        """Return the initial bytes of variables of the file that hold pointers to functions, by name."""
        found = {}
        namespaces = self.low.semantics.names.namespaces
        for variable in variables:
            if not variable.storage & {"__device__", "__managed__", "__constant__"}:
                continue
            with self.context.scoped(namespaces.around(variable)):
                type = self.low.variables.complete(self.low.semantics.typer.variable_type(variable), variable)
                if holds_function_pointer(type):
                    found[namespaces.shown_name(variable)] = image(self.low, variable, type)
        return found

    def _remember(self, name: str, type: t.CType, space: Space, offset: int, span: Span) -> Variable:
        """Return a variable in memory, described for the views and the launch."""
        variable = memory_variable(name, type, space, offset, self._lines(span))
        if name and space == Space.SHARED:
            self.context.function.variables.append((variable, None))
        return variable

    def _lines(self, span: Span) -> tuple[int, int]:
        """Return the source lines in which a variable declared at ``span`` is visible."""
        return span.line, max(span.line, self.context.scope_end)


DEEPEST_MEMBER = 4  # structs within structs that are named: their number may double from each to the next


def aligned(offset: int, align: int) -> int:
    """Return the next multiple of ``align``."""
    return -(-offset // align) * align


def memory_variable(name: str, type: t.CType, space: Space, offset: int, lines: tuple[int, int]) -> Variable:
    """Return the description of a variable in memory."""
    element = type.element if isinstance(type, t.Array) else type
    scalar = t.arithmetic(element)
    first = first_scalar(element)
    isa = scalar.isa if scalar else first.isa if first else t.ULONG.isa
    dims = type.dims if isinstance(type, t.Array) else ()
    return Variable(
        name, str(element), isa, space=space, offset=offset, dims=dims, element_bytes=element.size, scope=lines,
        members=members_of(element),
    )  # fmt: skip


def members_of(type: t.CType, depth: int = DEEPEST_MEMBER) -> tuple[StructMember, ...]:
    """Return the members of a struct and theirs down to a depth, for the names of addresses; none of a union, whose
    members share theirs."""
    type = t.plain(type)
    if not isinstance(type, t.Struct) or type.info.is_union or not depth:
        return ()
    found = []
    for field in type.info.fields if type.info.stored is None else type.info.stored_parts:
        dims, element = (field.type.dims, field.type.element) if isinstance(field.type, t.Array) else ((), field.type)
        if field.name and element.size:
            found.append(StructMember(field.name, field.offset, dims, element.size, members_of(element, depth - 1)))
    return tuple(found)
