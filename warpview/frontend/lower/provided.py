"""Look up the functions and variables that CUDA provides."""

from __future__ import annotations

from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.lower.builtins import FUNCTIONS
from warpview.frontend.lower.builtins.group_algorithms import GROUP_ALGORITHMS
from warpview.frontend.lower.builtins.groups import GROUP_FUNCTIONS, group_method
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.layout import new_parts
from warpview.frontend.semantic.scopes import Scope
from warpview.frontend.semantic.values import Address, BoundObject, Lvalue, Value, number
from warpview.isa.program import OF_CLUSTER, Special

_BUILTIN_VARIABLES = {
    "threadIdx": ("uint3", (Special.TID_X, Special.TID_Y, Special.TID_Z)),
    "blockIdx": ("uint3", (Special.CTAID_X, Special.CTAID_Y, Special.CTAID_Z)),
    "blockDim": ("dim3", (Special.NTID_X, Special.NTID_Y, Special.NTID_Z)),
    "gridDim": ("dim3", (Special.NCTAID_X, Special.NCTAID_Y, Special.NCTAID_Z)),
    "__wv_cluster_dim": ("dim3", (Special.CLUSTER_X, Special.CLUSTER_Y, Special.CLUSTER_Z)),
}


_OF_GROUPS = GROUP_FUNCTIONS | GROUP_ALGORITHMS
KNOWN_FUNCTIONS = frozenset({*FUNCTIONS, *_OF_GROUPS, *(f"make_{v}" for v in t.VECTORS if v != "dim3")})


class Builtins(LoweringPart):
    def builtin(self, name: str, node: s.Call) -> Value | Lvalue | None:
        """Return a function that CUDA provides."""
        if name.startswith("make_") and name[5:] in t.VECTORS:
            type = s.PlainType(node.span, t.Struct(t.VECTORS[name[5:]]))
            if len(node.arguments) != len(t.VECTORS[name[5:]].fields):
                fail(f"'{name}' takes {len(t.VECTORS[name[5:]].fields)} arguments", node.span)
            return self.low.construction.construct(s.Construct(node.span, type, node.arguments, braces=False))
        handler = FUNCTIONS.get(name) or _OF_GROUPS.get(name)
        return handler(self.low, node, name) if handler else None

    def group_method(self, group: t.Group, value: Value, node: s.Call, member: s.Member) -> Value | Lvalue:
        return group_method(self.low, group, value, node, member)


def builtin_scope() -> Scope:
    """Return the scope of the variables that CUDA provides, around that of a file."""
    scope = Scope()
    for name, (type, specials) in _BUILTIN_VARIABLES.items():
        scope.names[name] = _builtin_variable(type, specials)
    scope.names["warpSize"] = number(t.INT, 32)
    return scope


def _builtin_variable(type: str, specials: tuple[Special, ...]) -> Lvalue:
    struct = t.Struct(t.VECTORS[type], const=True)
    cell = BoundObject("", struct, new_parts(struct))
    for leaf, special in zip(cell.leaves.values(), specials, strict=True):
        leaf.bound = Value(t.UINT, ir.SpecialValue(special, is_volatile=special in OF_CLUSTER))
    return Lvalue(Address(cell=cell), struct)
