"""Lower launches of kernels by kernels: a record of the device is filled in, by the functions of device_launches.h."""

from __future__ import annotations

from warpview.frontend import features, ir
from warpview.frontend import syntax as s
from warpview.frontend.kernel_names import qualified_name, template_values
from warpview.frontend.lower.builtins.support import require
from warpview.frontend.lower.inlining import Argument
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.operands import TypedOperand
from warpview.frontend.semantic.overload_resolution import Chosen
from warpview.frontend.semantic.scopes import FunctionSet
from warpview.frontend.semantic.values import Address, Lvalue, Value
from warpview.frontend.spelling import split_signature
from warpview.isa.child_kernel import CHILD_ARGUMENT_BYTES, ChildKernel
from warpview.isa.types import Space, Type

BUFFER, LAUNCH = "cudaGetParameterBufferV2", "cudaLaunchDeviceV2"


class ChildLaunches(LoweringPart):
    def launch(self, node: s.LaunchByKernel) -> Value:
        """Write a launch: its record, the arguments, converted to the types of the kernel's parameters, and its end."""
        require(self.low, features.CHILD_LAUNCHES)
        if not 2 <= len(node.configuration) <= 4:
            fail("a launch takes a grid, a block, and perhaps bytes of shared memory and a stream", node.span)
        arguments = self.low.calls.arguments(node.arguments)
        chosen = self._kernel(node, arguments)
        with self.context.scoped(chosen.scope):
            left_out = [p.default for p in chosen.declaration.parameters[len(arguments) :] if p.default is not None]
            arguments += self.low.calls.arguments(left_out)
            types = [t.plain(self.low.semantics.types.resolve(p.type)) for p in chosen.declaration.parameters]
        places = _places(types)
        child = ChildKernel(self._name(chosen), tuple((at, type.size) for at, type in places))
        if not child.fits:
            fail(f"a kernel may pass {CHILD_ARGUMENT_BYTES} bytes of arguments to one that it launches", node.span)
        buffer, stream = self._record(child, node)
        assert buffer.address is not None
        for argument, (offset, type) in zip(arguments, places, strict=True):
            value = self._converted(argument, type, node)
            self.low.memory.store(Lvalue(buffer.address.plus(offset), type), value, node.span)
        return self._call(LAUNCH, [buffer, stream], node)

    def _record(self, child: ChildKernel, node: s.LaunchByKernel) -> tuple[Value, Argument]:
        """Write what takes the record of a launch; return where its arguments lie, and the stream."""
        address = Value(t.Pointer(t.VOID), address=Address(Space.GENERIC, ir.const(Type.U64, self._number(child))))
        left_out = [s.Literal(node.span, 0, t.UINT), s.NullPointer(node.span)][len(node.configuration) - 2 :]
        grid, block, shared, stream = self.low.calls.arguments([*node.configuration, *left_out])
        return self._call(BUFFER, [address, grid, block, shared], node), stream

    def _kernel(self, node: s.LaunchByKernel, arguments: list[Argument]) -> Chosen:
        """Return the kernel that a launch means."""
        found = self.low.semantics.names.lookup(node.kernel)
        kernels = [f for f in found.declarations if f.is_kernel] if isinstance(found, FunctionSet) else []
        if not kernels:
            fail(f"'{node.kernel.name}' is not a kernel (a __global__ function)", node.kernel.span)
        operands = [a if isinstance(a, s.InitList) else TypedOperand.of(a) for a in arguments]
        return self.low.semantics.overloads.choose(kernels, node.kernel, node.span, operands, None)

    def _name(self, chosen: Chosen) -> str:
        """Return the name of a kernel with its namespaces, template arguments and, if it is overloaded, signature."""
        declaration = chosen.declaration
        path, signature = split_signature(qualified_name(self.low.semantics.names.namespaces.unit, declaration))
        values = template_values(chosen.scope) if declaration.template is not None else ""
        return path + values + signature

    def _number(self, child: ChildKernel) -> int:
        """Return what stands for the address of a kernel."""
        children = self.context.function.children
        known = next((number for number, other in children.items() if other == child), None)
        number = known or len(children) + 1
        children[number] = child
        return number

    def _call(self, name: str, arguments: list[Argument], node: s.LaunchByKernel) -> Value:
        """Call a function of device_launches.h."""
        callee = s.Name(node.span, name)
        found = self.low.semantics.names.lookup(callee)
        assert isinstance(found, FunctionSet)
        call = s.Call(node.span, callee, [])
        result = self.low.calls.call_candidates(found.declarations, callee, call, arguments, None)
        return self.low.expressions.loaded(result, node.span)

    def _converted(self, argument: Argument, type: t.CType, node: s.LaunchByKernel) -> Value:
        """Return the value of a parameter."""
        if isinstance(argument, s.InitList):
            return self.low.construction.construct(
                s.Construct(argument.span, s.PlainType(node.span, type), [argument], braces=True)
            )
        return self.low.conversions.convert(self.low.copies.copied(argument, type, node.span), type, node.span)


def _places(types: list[t.CType]) -> list[tuple[int, t.CType]]:
    """Return where the parameters of a kernel lie among its arguments, each with its type."""
    places, end = [], 0
    for type in types:
        start = -(-end // type.align) * type.align
        places.append((start, type))
        end = start + type.size
    return places
