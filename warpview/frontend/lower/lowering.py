"""Lower the syntax tree of a kernel to instructions, in one walk.

Each part writes one kind of thing: ``Statements`` and ``Loops`` the control flow, ``InlineAssembly`` PTX;
``Expressions`` values, ``Lvalues`` the places of objects, ``Assignments`` what changes them; ``Calls`` and ``Inliner``
functions in place of their calls, ``ChildLaunches`` launches of kernels; ``Variables``, ``StaticVariables``,
``Objects``, ``Initialisers``, ``Construction``, ``Copies`` and ``Destructors`` objects and their values; ``Arithmetic``
and ``Conversions`` the rules of C; ``Memory`` addresses and accesses; ``BitFields`` members of some bits; ``Builtins``
the functions of CUDA; ``KernelLowering`` the whole. What types, names and constants mean is asked of
``semantic.analysis``.
"""

from __future__ import annotations

from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.device_library import device_library
from warpview.frontend.lower.arithmetic import Arithmetic
from warpview.frontend.lower.assembly import InlineAssembly
from warpview.frontend.lower.assignments import Assignments
from warpview.frontend.lower.bit_fields import BitFields
from warpview.frontend.lower.builtins.results import builtin_result, group_result
from warpview.frontend.lower.calls import Calls
from warpview.frontend.lower.child_launches import ChildLaunches
from warpview.frontend.lower.construction import Construction
from warpview.frontend.lower.context import LoweringContext
from warpview.frontend.lower.conversions import Conversions
from warpview.frontend.lower.copies import Copies
from warpview.frontend.lower.destructors import Destructors
from warpview.frontend.lower.dispatch import Dispatch
from warpview.frontend.lower.expressions import Expressions
from warpview.frontend.lower.function_pointers import FunctionPointerCalls
from warpview.frontend.lower.initialisers import Initialisers
from warpview.frontend.lower.inlining import Inliner
from warpview.frontend.lower.kernel import KernelLowering
from warpview.frontend.lower.loops import Loops
from warpview.frontend.lower.lvalues import Lvalues
from warpview.frontend.lower.member_pointers import MemberPointerUses
from warpview.frontend.lower.memory import Memory
from warpview.frontend.lower.objects import Objects
from warpview.frontend.lower.procedures import Procedures
from warpview.frontend.lower.provided import KNOWN_FUNCTIONS, Builtins, builtin_scope
from warpview.frontend.lower.statements import Statements
from warpview.frontend.lower.static_variables import StaticVariables
from warpview.frontend.lower.variables import Variables
from warpview.frontend.lower.virtual_calls import VirtualCalls
from warpview.frontend.semantic.analysis import Semantics


class Lowering:
    """Compose the parts of lowering and the context that they share, for one function."""

    def __init__(self, function: ir.Function, unit: s.TranslationUnit, fma: bool) -> None:
        self.semantics = Semantics(unit, builtin_scope(), KNOWN_FUNCTIONS, builtin_result, group_result, device_library)
        self.context = LoweringContext(function, self.semantics.names, fma)
        self.memory = Memory(self)
        self.bit_fields = BitFields(self)
        self.conversions = Conversions(self)
        self.arithmetic = Arithmetic(self)
        self.objects = Objects(self)
        self.lvalues = Lvalues(self)
        self.expressions = Expressions(self)
        self.assignments = Assignments(self)
        self.initialisers = Initialisers(self)
        self.construction = Construction(self)
        self.copies = Copies(self)
        self.destructors = Destructors(self)
        self.dispatch = Dispatch(self)
        self.function_pointers = FunctionPointerCalls(self)
        self.member_pointers = MemberPointerUses(self)
        self.virtual_calls = VirtualCalls(self)
        self.inliner = Inliner(self)
        self.procedures = Procedures(self)
        self.calls = Calls(self)
        self.child_launches = ChildLaunches(self)
        self.builtins = Builtins(self)
        self.variables = Variables(self)
        self.static_variables = StaticVariables(self)
        self.loops = Loops(self)
        self.statements = Statements(self)
        self.assembly = InlineAssembly(self)
        self.kernel = KernelLowering(self)

    def lookup(self, e: s.Name) -> object:
        """Return the object or value that a name stands for; None where it stands for neither."""
        return self.lvalues.lookup(e)

    def constant(self, expression: s.Expression) -> int | float | None:
        """Return the number that an expression comes to at compile time; None where it is only known at run time."""
        return self.semantics.evaluator.number(expression)
