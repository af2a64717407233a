"""Find the types of the results of the functions that CUDA provides."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from warpview.frontend import syntax as s
from warpview.frontend.lower.builtins import (
    access,
    approximate,
    atomics,
    clusters,
    copies,
    halves,
    integers,
    lengths,
    maths,
    memory_barriers,
    packed,
    warps,
)
from warpview.frontend.lower.builtins.group_ranks import GRID
from warpview.frontend.lower.builtins.overloads import ABSOLUTE, PAIRS, SCALED_TYPES, Parameters, parameters
from warpview.frontend.lower.builtins.support import forwarded_type, pointed_type
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.typing import Typer

Rule = Callable[[str, s.Call, Typer], t.CType]


def builtin_result(name: str, call: s.Call, typer: Typer) -> t.CType:
    """Return the type that a call of a function of CUDA has."""
    if name.startswith("make_"):
        return t.Struct(t.VECTORS[name[5:]])
    rule = _RULES[name]
    return rule(name, call, typer) if callable(rule) else rule


def group_result(group: t.Group, name: str, call: s.Call, typer: Typer) -> t.CType:
    """Return the type that a call of a function of a cooperative group has."""
    if name.startswith("shfl"):
        return _argument(name, call, typer)
    if name in ("group_index", "block_index", "thread_index"):
        return t.Struct(t.VECTORS["uint3"])
    if name in ("group_dim", "dim_threads", "dim_blocks"):
        return t.Struct(t.VECTORS["dim3"])
    return {"sync": t.VOID, "all": t.INT, "any": t.INT, "is_valid": t.BOOL}.get(name, _count_type(group))


def _count_type(group: t.CType) -> t.Scalar:
    """Return the type of ranks and sizes in a group."""
    return t.ULONGLONG if isinstance(group, t.Group) and group.kind == GRID else t.UINT


def _rank(name: str, call: s.Call, typer: Typer) -> t.CType:
    return _count_type(t.plain(typer.type_of(call.arguments[0]))) if call.arguments else t.UINT


def _scalar(
    call: s.Call, typer: Typer, position: int = 0, overloads: Sequence[Parameters] = ()
) -> t.Scalar:  # fmt: skip
    """Return the arithmetic type of an argument: of an object that of the parameter in the best of ``overloads``."""
    if position >= len(call.arguments):
        fail("an argument is missing", call.span)
    type = typer.type_of(call.arguments[position])
    scalar = t.arithmetic(type)
    if overloads and (types := parameters(typer.semantics, call, overloads)) is not None:
        return types[position]
    if scalar is None:
        fail(f"a number is needed here, not '{type}'", call.span)
    return scalar


def _argument(name: str, call: s.Call, typer: Typer) -> t.CType:
    return t.decayed(typer.type_of(call.arguments[0])) if call.arguments else t.VOID


def _shuffled(name: str, call: s.Call, typer: Typer) -> t.CType:
    return t.promoted(_scalar(call, typer, int(name.endswith("_sync"))))


def _pointee(name: str, call: s.Call, typer: Typer) -> t.CType:
    return t.plain(pointed_type(typer.type_of(call.arguments[0]) if call.arguments else t.VOID, call))


def _reference(name: str, call: s.Call, typer: Typer) -> t.CType:
    if not call.arguments:
        return t.VOID
    forwarded = forwarded_type(call, typer.semantics.types.resolve) if name == "forward" else t.VOID
    return t.Reference(typer.operand(call.arguments[0]).type, rvalue=not isinstance(forwarded, t.Reference))


def _float(name: str, call: s.Call, typer: Typer) -> t.CType:
    """Return float for 'sinf' and for float arguments of 'sin'; integers count as double."""
    if name.endswith("f") and name not in maths.ONE:
        return t.FLOAT
    count = len(call.arguments)
    scalars = [_scalar(call, typer, i, maths.overloads(name, count)) for i in range(count)]
    return t.FLOAT if scalars and all(x == t.FLOAT for x in scalars) else t.DOUBLE


def _minimum(name: str, call: s.Call, typer: Typer) -> t.CType:
    explicit = call.callee.arguments if isinstance(call.callee, s.Name) else None
    if explicit and isinstance(explicit[0], s.TypeSyntax):
        return t.plain(typer.semantics.types.resolve(explicit[0]))
    return maths.least_type(_scalar(call, typer, 0, PAIRS), _scalar(call, typer, 1, PAIRS), call)


def _absolute(name: str, call: s.Call, typer: Typer) -> t.CType:
    return t.promoted(_scalar(call, typer, 0, ABSOLUTE))


def _scaled(name: str, call: s.Call, typer: Typer) -> t.CType:
    type = t.FLOAT if name.endswith("f") else _scalar(call, typer, 0, SCALED_TYPES)
    return type if type.is_float else t.DOUBLE


def _reduced(name: str, call: s.Call, typer: Typer) -> t.CType:
    signed = _scalar(call, typer, 1).is_signed and name.split("_")[3] in ("add", "min", "max")
    return t.INT if signed else t.UINT


def _second(name: str, call: s.Call, typer: Typer) -> t.CType:
    return typer.type_of(call.arguments[1]) if len(call.arguments) > 1 else t.VOID


def _tile(name: str, call: s.Call, typer: Typer) -> t.CType:
    explicit = call.callee.arguments if isinstance(call.callee, s.Name) else None
    group = typer.type_of(call.arguments[0]) if call.arguments else None
    parent = group.threads if isinstance(group, t.Group) else 0
    if explicit:
        return t.Group("tile", typer.semantics.types.template_number(explicit[0]), parent)
    if len(call.arguments) < 2:
        fail("tiled_partition needs the number of threads in a tile, as in tiled_partition<32>(block)", call.span)
    return t.Group("tile", typer.semantics.evaluator.folded_integer(call.arguments[1], "the size of a tile"), parent)


def _votes(sync: str) -> dict[str, t.CType | Rule]:
    return {f"__{kind}{sync}": t.UINT if kind == "ballot" else t.INT for kind in warps.VOTES}


_RULES: dict[str, t.CType | Rule] = {
    **memory_barriers.RESULTS,
    **dict.fromkeys(maths.TABLE, _float),
    **dict.fromkeys(approximate.TABLE, t.FLOAT),
    **{name: type for name, (_, type) in maths.ROUNDED.items()},
    **dict.fromkeys(("min", "max"), _minimum),
    "umin": t.UINT, "umax": t.UINT, "llmin": t.LONGLONG, "llmax": t.LONGLONG,
    "ullmin": t.ULONGLONG, "ullmax": t.ULONGLONG,
    "abs": _absolute, "labs": t.LONG, "llabs": t.LONGLONG,
    **dict.fromkeys(maths.CLASSES, t.BOOL),
    **dict.fromkeys(maths.SINCOS, t.VOID),
    **{name: t.FLOAT if name.endswith("f") else t.DOUBLE for name in lengths.TABLE if name != "hypot"},
    **dict.fromkeys(("sinpi", "cospi"), t.DOUBLE),
    **dict.fromkeys(maths.SCALED, _scaled),
    **{name: result for name, (_, _, result) in integers.ROWS.items()},
    **dict.fromkeys((*integers.FUNNELS, "__byte_perm"), t.UINT),
    **dict.fromkeys(packed.TABLE, t.UINT),
    "__dp4a": integers.dot_type,
    **{name: to for name, (_, to) in t.BIT_CASTS.items()},
    **{name: to for name, (_, to, _) in integers.CONVERSIONS.items()},
    **{name: to for base, (_, to) in integers.ROUND_TO_LONG.items() for name in (base, base + "f")},
    "__hadd": t.INT, "__rhadd": t.INT, "__uhadd": t.UINT, "__urhadd": t.UINT,
    **{name: to for name, (_, to, _) in halves.CONVERSIONS.items()},
    **dict.fromkeys((*halves.FUNCTIONS, *halves.JOINED), t.USHORT),
    "__double2hiint": t.INT, "__double2loint": t.INT, "__hiloint2double": t.DOUBLE,
    **dict.fromkeys(atomics.TABLE, _pointee),
    **dict.fromkeys(atomics.RELAXED_STORES, t.VOID),
    **dict.fromkeys((name for name in warps.TABLE if name.startswith("__shfl")), _shuffled),
    **_votes(""), **_votes("_sync"),
    **dict.fromkeys(("__match_any_sync", "__match_all_sync", "__activemask"), t.UINT),
    **dict.fromkeys((f"__reduce_{kind}_sync" for kind in warps.REDUCTIONS), _reduced),
    **dict.fromkeys((f"__syncthreads_{kind}" for kind in warps.COUNTED), t.INT),
    **dict.fromkeys(("__syncthreads", "__syncwarp", "__prof_trigger", "__nanosleep", *warps.NAMED_BARRIERS), t.VOID),
    **dict.fromkeys(("__threadfence", "__threadfence_block", "__threadfence_system"), t.VOID),
    "clock": t.LONG, "clock64": t.LONGLONG, "%clock": t.LONG, "%clock64": t.LONGLONG,
    "%globaltimer": t.LONGLONG,
    **dict.fromkeys(warps.LANE_REGISTERS, t.UINT),
    **dict.fromkeys(access.LOADS, _pointee),
    **dict.fromkeys(access.STORES, t.VOID),
    **dict.fromkeys(copies.WHOLE, _argument),
    **dict.fromkeys(copies.ASYNCHRONOUS, t.VOID),
    **dict.fromkeys((*clusters.ARRIVALS, "__cluster_barrier_wait"), t.VOID),
    "__clusterRelativeBlockRank": t.UINT, "__cluster_query_shared_rank": t.UINT, "__cluster_map_shared_rank": _argument,
    "printf": t.INT,
    **dict.fromkeys(("assert", "__trap", "swap", "__builtin_assume", "__assume", "__builtin_unreachable"), t.VOID),
    **dict.fromkeys(access.SPACE_QUERIES, t.UINT),
    **dict.fromkeys(access.ADDRESSES_IN, t.ULONG),
    **dict.fromkeys(("move", "forward"), _reference),
    "__builtin_is_constant_evaluated": t.BOOL, "__builtin_expect": _argument,
    "__builtin_assume_aligned": t.Pointer(t.VOID),
    "this_thread_block": t.Group("block"), "this_grid": t.Group("grid"),
    "this_thread": t.Group("tile", 1), "coalesced_threads": t.Group("coalesced"),
    **dict.fromkeys(("binary_partition", "labeled_partition"), t.Group("coalesced")),
    "tiled_partition": _tile,
    **dict.fromkeys(("reduce", "inclusive_scan", "exclusive_scan"), _second),
    "sync": t.VOID, "thread_rank": _rank,
}  # fmt: skip

FUNCTIONS_WITH_RESULT = frozenset(_RULES)
