"""Cooperative groups: the block, tiles of a warp, and the lanes that happen to run together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.frontend import syntax as s
from warpview.frontend import types as t
from warpview.frontend.builtins.support import Handler
from warpview.frontend.tokens import fail
from warpview.frontend.values import Value

if TYPE_CHECKING:
    from warpview.frontend.lowering import Lowering


def group_method(low: Lowering, group: t.Group, node: s.Call, member: s.Member) -> Value:
    """group.function(...)."""
    fail(f"'{group}' has no function '{member.name}'", member.span)


GROUP_FUNCTIONS: dict[str, Handler] = {}
