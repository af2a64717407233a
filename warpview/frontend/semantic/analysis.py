"""Analyse the meaning of types, names, expressions and constants, before any code is written."""

from __future__ import annotations

from collections.abc import Callable

from warpview.frontend import syntax as s
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.class_deduction import ClassDeduction
from warpview.frontend.semantic.classes import Classes
from warpview.frontend.semantic.concepts import Concepts
from warpview.frontend.semantic.conditional_types import ConditionalTypes
from warpview.frontend.semantic.definitions import Definitions
from warpview.frontend.semantic.evaluation import Evaluator
from warpview.frontend.semantic.function_pointers import FunctionPointers
from warpview.frontend.semantic.member_pointers import MemberPointers
from warpview.frontend.semantic.mutation import Mutations
from warpview.frontend.semantic.names import Names
from warpview.frontend.semantic.namespaces import Namespaces
from warpview.frontend.semantic.overload_resolution import Overloads
from warpview.frontend.semantic.own_conversions import OwnConversions
from warpview.frontend.semantic.scopes import Scope
from warpview.frontend.semantic.type_resolution import TypeResolver
from warpview.frontend.semantic.typing import Typer
from warpview.frontend.semantic.user_conversions import UserConversions

BuiltinResult = Callable[[str, s.Call, Typer], t.CType]
GroupResult = Callable[[t.Group, str, s.Call, Typer], t.CType]


class Semantics:
    """Compose the parts of semantic analysis for one file, which share the current scope."""

    def __init__(
        self, unit: s.TranslationUnit, library: Scope, builtin_functions: frozenset[str],
        builtin_result: BuiltinResult, group_result: GroupResult, device_library: Callable[[], s.TranslationUnit],
    ) -> None:  # fmt: skip
        namespaces = Namespaces(unit)
        namespaces.file.parent = library
        self.names = Names(namespaces, builtin_functions, device_library)
        self.mutations = Mutations(unit)
        self.builtin_result = builtin_result
        self.group_result = group_result
        self.types = TypeResolver(self)
        self.definitions = Definitions(self)
        self.names.resolve = self.types.resolve
        self.own_conversions = OwnConversions(self)
        self.typer = Typer(self)
        self.class_deduction = ClassDeduction(self, unit.deduction_guides)
        self.evaluator = Evaluator(self)
        self.overloads = Overloads(self)
        self.conditional_types = ConditionalTypes(self)
        self.user_conversions = UserConversions(self)
        self.concepts = Concepts(self)
        self.function_pointers = FunctionPointers(self)
        self.member_pointers = MemberPointers(self)
        self.classes = Classes(self)
        self.names.function_object = self.function_pointers.function
