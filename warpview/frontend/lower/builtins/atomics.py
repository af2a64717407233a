"""Lower atomic functions on global and shared memory."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from warpview.frontend import features
from warpview.frontend import syntax as s
from warpview.frontend.lower.builtins.support import Handler, check_count, name_of, pointee, require
from warpview.frontend.lower.memory import access_bounds
from warpview.frontend.passes.infer_spaces import check_access
from warpview.frontend.preprocess.preprocessor import is_own_header
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.values import Lvalue, Value
from warpview.frontend.unsupported import WIDE_ATOMICS
from warpview.isa.ops import AtomOp, MemoryScope, Op
from warpview.isa.types import Space, Type

if TYPE_CHECKING:
    from warpview.frontend.lower.lowering import Lowering

# CUDA declares these for long long, too.
_SIGNED = frozenset(("atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor"))
_INTEGERS = frozenset((Type.S32, Type.U32, Type.S64, Type.U64))
_WORDS = _INTEGERS | {Type.F32, Type.F64}
WIDE_ATOMIC_BYTES = 16  # of the largest values that CUDA exchanges in one step
LOAD, STORE = "__wv_load_relaxed", "__wv_store_relaxed"  # of cuda::atomic
# base name -> (operation, types it exists for)
ROWS: dict[str, tuple[AtomOp, frozenset[Type]]] = {
    "atomicAdd": (AtomOp.ADD, _WORDS),
    "atomicSub": (AtomOp.ADD, _INTEGERS),
    "atomicExch": (AtomOp.EXCH, _WORDS),
    "atomicMin": (AtomOp.MIN, _INTEGERS),
    "atomicMax": (AtomOp.MAX, _INTEGERS),
    "atomicInc": (AtomOp.INC, frozenset((Type.U32,))),
    "atomicDec": (AtomOp.DEC, frozenset((Type.U32,))),
    "atomicCAS": (AtomOp.CAS, _INTEGERS | {Type.U16}),
    "atomicAnd": (AtomOp.AND, _INTEGERS),
    "__wv_add_halves": (AtomOp.ADD_F16, frozenset((Type.U16, Type.U32))),
    "atomicOr": (AtomOp.OR, _INTEGERS),
    "atomicXor": (AtomOp.XOR, _INTEGERS),
}


def _atomic(low: Lowering, call: s.Call, name: str) -> Value:
    """Lower op(pointer, value) or CAS(pointer, compare, value); RED where nobody uses the old value."""
    base, scope = _scoped(name)
    op, types = ROWS[base]
    unused = low.context.discarded is call
    values = _arguments(low, call, 3 if op == AtomOp.CAS else 2)
    address, type = pointee(values[0], call)
    scalar = t.arithmetic(type)
    if scalar is None or scalar.is_bool or scalar.isa not in types or not _is_declared(base, scalar, call):
        if scalar is None and op in (AtomOp.CAS, AtomOp.EXCH) and type.size == WIDE_ATOMIC_BYTES:
            WIDE_ATOMICS.stop(call.span)
        fail(f"there is no {name_of(call)} for '{t.plain(type)}'", call.span)
    if type.const:
        fail("this is const and cannot be changed", call.span)
    check_access(Op.ATOM, Space.LOCAL if address.cell is not None else address.space, call.span)
    operands = [low.conversions.convert(v, scalar, call.span) for v in values[1:]]
    if base == "atomicSub":
        operands = [low.arithmetic.negated(operands[0], scalar)]
    require(low, features.atomic(op, scalar.isa, address.space == Space.SHARED))
    where = low.memory.base_of(address)
    bounds = access_bounds(address, scalar.size)
    more = {"space": address.space, "imm": address.offset, "mod": op, "scope": scope, "bounds": bounds}
    if unused and op not in (AtomOp.EXCH, AtomOp.CAS):
        low.context.builder.effect(Op.RED, scalar.isa, where, *[o.scalar_operand for o in operands], **more)
        return Value(t.VOID)
    return Value(
        t.plain(type), low.context.emit(Op.ATOM, scalar.isa, where, *[o.scalar_operand for o in operands], **more)
    )


def _is_declared(base: str, scalar: t.Scalar, call: s.Call) -> bool:
    """Return whether CUDA declares a function for a type (CUDA 13, sm_32_atomic_functions.h and others): of integers of
    64 bits for ``unsigned long long`` and some for ``long long``. All serve headers that come with warpview."""
    if scalar.size < t.LONGLONG.size or is_own_header(call.span.source):
        return True
    if scalar.is_float:
        return base == "atomicAdd"
    return base in _SIGNED if scalar == t.LONGLONG else scalar == t.ULONGLONG and base != "atomicSub"


def _scoped(name: str) -> tuple[str, MemoryScope]:
    """Return a function's name without its scope, and the scope."""
    base = name.removesuffix("_block").removesuffix("_system")
    return base, {"_block": MemoryScope.BLOCK, "_system": MemoryScope.SYSTEM}.get(
        name.removeprefix(base), MemoryScope.DEVICE
    )


def _relaxed(low: Lowering, call: s.Call, name: str) -> Value:
    """Lower a load or a store that is atomic but orders nothing."""
    base, scope = _scoped(name)
    pointer, *stored = _arguments(low, call, 1 if base == LOAD else 2)
    address, type = pointee(pointer, call)
    place = Lvalue(replace(address, relaxed=scope), type)
    if not stored:
        return low.memory.load(place, call.span)
    low.memory.store(place, low.conversions.convert(stored[0], type, call.span), call.span)
    return Value(t.VOID)


def _arguments(low: Lowering, call: s.Call, count: int) -> list[Value]:
    """Return the arguments' values; the pointer is one to an element, not one past the end of an array."""
    check_count(call, count)
    first = call.arguments[0]
    if isinstance(first, s.Unary) and first.operator == "&":
        pointer = low.lvalues.address_of(first, past_end=False)
    else:
        pointer = low.expressions.rvalue(first)
    return [pointer, *(low.expressions.rvalue(a) for a in call.arguments[1:])]


def _of_each_scope(handler: Handler, *names: str) -> dict[str, Handler]:
    return {name + scope: handler for name in names for scope in ("", "_block", "_system")}


RELAXED_STORES = _of_each_scope(_relaxed, STORE)
TABLE: dict[str, Handler] = _of_each_scope(_atomic, *ROWS) | _of_each_scope(_relaxed, LOAD) | RELAXED_STORES
