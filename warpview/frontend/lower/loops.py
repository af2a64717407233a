"""Lower loops: as they are, or unrolled where that is asked for and possible."""

from __future__ import annotations

from dataclasses import dataclass

from warpview.diagnostics import Span
from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.lower.context import Jumps
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import methods_of
from warpview.frontend.semantic.constant_operations import NotConstant
from warpview.frontend.semantic.layout import new_parts
from warpview.frontend.semantic.mutation import Mutations
from warpview.frontend.semantic.purity import is_cheap
from warpview.frontend.semantic.values import Address, BoundObject, Lvalue, Value
from warpview.frontend.syntax.walk import may_be_constant, walk

MAX_UNROLL = 4096


class Loops(LoweringPart):
    # ------------------------------------------------------------------------------------------ branches
    def known_condition(self, condition: s.Expression | s.Declaration) -> bool | None:
        """Return the truth of a condition that is known at compile time."""
        if isinstance(condition, s.Declaration) or not self._foldable(condition):
            return None
        evaluator = self.low.semantics.evaluator
        return evaluator.attempt(lambda: evaluator.truth(condition))

    def _foldable(self, condition: s.Expression) -> bool:
        return not any(isinstance(n, (s.Assign, s.Postfix, s.Call)) for n in walk(condition))

    def branch_on(self, e: s.Expression, then: ir.BasicBlock, other: ir.BasicBlock) -> None:
        """Go to ``then`` where ``e`` holds, else to ``other``; && and || stop early as C says."""
        if (
            isinstance(e, s.Unary)
            and e.operator == "!"
            and self.low.calls.operator_function("!", [e.operand], e.span) is None
        ):
            self.branch_on(e.operand, other, then)
            return
        splits = isinstance(e, s.Binary) and e.operator in ("&&", "||") and not is_cheap(e.right, self.low)
        if isinstance(e, s.Binary) and splits and not self.low.destructors.may_be_made_in(e):
            rest = self.context.builder.new_block("rhs")
            self.branch_on(e.left, *((rest, other) if e.operator == "&&" else (then, rest)))
            self.context.builder.place(rest)
            self.branch_on(e.right, then, other)
            return
        with self.context.at(e.span), self.low.destructors.expression():
            value = self.low.conversions.truth(self.low.expressions.rvalue(e), e.span)
        if value.constant is not None:
            self.context.builder.jump(then if value.constant else other)
        else:
            self.context.builder.branch(value.scalar_operand, then, other)

    # --------------------------------------------------------------------------------------------- loops
    def while_statement(self, node: s.While) -> None:
        test, body, done = (self.context.builder.new_block(h) for h in ("while", "body", "end"))
        if self.known_condition(node.condition) is False:
            return
        self.context.builder.place(test)
        with self.context.scoped_to(node):
            self.branch_on(node.condition, body, done)
            self.context.builder.place(body)
            self.loop_body(node.body, done, test)
        self.context.builder.jump(test)
        self.context.builder.place(done)

    def do_statement(self, node: s.DoWhile) -> None:
        body, test, done = (self.context.builder.new_block(h) for h in ("do", "test", "end"))
        self.context.builder.place(body)
        self.loop_body(node.body, done, test)
        self.context.builder.place(test)
        known = self.known_condition(node.condition)
        if known is None:
            self.branch_on(node.condition, body, done)
        elif known:
            self.context.builder.jump(body)
        self.context.builder.place(done)

    def loop_body(self, body: s.Statement, breaks: ir.BasicBlock, continues: ir.BasicBlock) -> None:
        target = self.low.statements.jump_target
        self.context.jumps.append(Jumps(target(breaks), target(continues)))
        self.low.statements.statement(body)
        self.context.jumps.pop()

    def for_statement(self, node: s.For) -> None:
        over = node.over_object
        if over is not None and isinstance(t.plain(self.low.semantics.typer.type_of(over.object)), t.Struct):
            has_own = methods_of(self.low.semantics.typer.type_of(over.object), "begin")
            node = over.loop if has_own else over.loop_by_functions
        with self.context.scoped_to(node), self.low.destructors.block(node, node.span):
            self.context.scope.is_parameters = True
            if self.unrolled(node):
                return
            if node.initialiser is not None:
                self.low.statements.statement(node.initialiser)
            test, body, step, done = (self.context.builder.new_block(h) for h in ("for", "body", "step", "end"))
            copies = self._copies_asked(node)
            step.rolled = node.pragma == "nounroll" or copies is not None
            step.single = node.pragma == "nounroll" or copies == 1
            self.context.builder.place(test)
            if node.condition is not None:
                self.branch_on(node.condition, body, done)
            self.context.builder.place(body)
            self.loop_body(node.body, done, step)
            self.context.builder.place(step)
            if node.step is not None:
                with self.context.at(node.step.span), self.low.destructors.expression():
                    self.low.expressions.effect(node.step)
            with self.context.at(node.span):
                self.context.builder.jump(test)
            self.context.builder.place(done)

    # ----------------------------------------------------------------------------------------- unrolling
    def unrolled(self, node: s.For) -> bool:
        """Write the loop out if ``#pragma unroll`` asks for it and its trips are known; False where it stays a loop.

        ``#pragma unroll N`` of a loop with at most N trips asks for it, too.
        """
        factor = self._copies_asked(node)
        if factor is not None and factor <= 1 and node.pragma == "unroll":
            return False
        if not node.pragma or not _loop_variables(node, self.low.semantics.mutations):
            return False
        if any(isinstance(n, (s.Label, s.Case)) and n in self.context.case_blocks for n in walk(node.body)):
            return False
        trips = self._trips(node, MAX_UNROLL // self.context.copies)
        if trips is None:
            return False
        if factor is not None and factor < len(trips.values):
            return self._partly_unrolled(node, len(trips.values), factor)
        self._write_trips(node, trips)
        return True

    def _copies_asked(self, node: s.For) -> int | None:
        """Return how many copies the source asks for, 0 for all; None where it names no number."""
        return (
            None if node.unroll is None else self.low.semantics.evaluator.integer(node.unroll, "the number of copies")
        )

    def _trips(self, node: s.For, limit: int) -> Trips | None:
        """Return the loop's variables in each trip, if all are constants; None where they are not, or too many."""
        condition, step, start = node.condition, node.step, node.initialiser
        assert condition is not None
        assert step is not None
        values = [v.initialiser for v in start.variables] if isinstance(start, s.Declaration) else []
        if not all(may_be_constant(e) for e in (condition, *values) if e is not None):
            return None

        evaluator = self.low.semantics.evaluator

        def simulate() -> Trips:
            places = self._folding_variables(start)
            trips: list[dict[str, Value]] = []
            while True:
                now = {n: evaluator.objects.loaded(place) for n, place in places.items()}
                if not evaluator.truth(condition):
                    return Trips(trips, now)
                if len(trips) == limit:
                    raise NotConstant
                trips.append(now)
                evaluator.lvalue(step)

        with self.context.scoped():
            return evaluator.attempt(simulate)

    def _folding_variables(self, start: s.Statement | None) -> dict[str, Lvalue]:
        """Declare the loop's variables as objects that hold constants."""
        evaluator = self.low.semantics.evaluator
        if isinstance(start, s.Declaration):
            types = {v: self.low.semantics.typer.variable_type(v) for v in start.variables}
            if not all(t.arithmetic(type) is not None for type in types.values()):
                raise NotConstant
            for variable, type in types.items():
                self.context.scope.names[variable.name] = evaluator.objects.declared(variable, type)
            names = [v.name for v in start.variables]
        else:
            assert isinstance(start, s.ExpressionStatement)
            assert isinstance(start.expression, s.Assign)
            assert isinstance(start.expression.target, s.Name)
            name, place = start.expression.target.name, self.low.lvalues.place(start.expression.target)
            if not place.is_local or t.arithmetic(place.type) is None:
                raise NotConstant
            value = evaluator.rvalue(start.expression.value)
            held = self.context.scope.names[name] = evaluator.objects.new_object(name, t.plain(place.type))
            evaluator.objects.store(held, value, start.span)
            names = [name]
        found = {n: self.context.scope.names[n] for n in names}
        return {n: place for n, place in found.items() if isinstance(place, Lvalue)}

    def _bind_constant(self, name: str, value: Value) -> None:
        """Let a name stand for a constant in the current scope."""
        cell = BoundObject(name, value.type, new_parts(value.type))
        cell.leaves[0].bound = value
        self.context.scope.names[name] = Lvalue(Address(cell=cell), value.type)

    def _write_trips(self, node: s.For, trips: Trips) -> None:
        """Write one copy of the body a trip. A variable from outside the loop has its value in each trip and behind
        it."""
        is_declared = isinstance(node.initialiser, s.Declaration)
        outside = {} if is_declared else {n: self.low.lvalues.place(s.Name(node.span, n)) for n in trips.after}
        done = self.context.builder.new_block("end")
        before, self.context.copies = self.context.copies, self.context.copies * max(1, len(trips.values))
        for values in trips.values:
            following = self.context.builder.new_block("trip")
            self._assign(outside, values, node.span)
            with self.context.scoped():
                for name, value in values.items():
                    self._bind_constant(name, value)
                self.loop_body(node.body, done, following)
            self.context.builder.place(following)
        self.context.copies = before
        self._assign(outside, trips.after, node.span)
        self.context.builder.place(done)

    def _assign(self, places: dict[str, Lvalue], values: dict[str, Value], span: Span) -> None:
        for name, place in places.items():
            self.low.memory.store(place, values[name], span)

    def _partly_unrolled(self, node: s.For, trips: int, factor: int) -> bool:
        """Lower ``factor`` copies of body and step for each test, where the number of trips is a multiple of it."""
        if trips % factor or node.condition is None or node.initialiser is None:
            return False
        self.low.statements.statement(node.initialiser)
        test, done = self.context.builder.new_block("for"), self.context.builder.new_block("end")
        body = self.context.builder.new_block("body")
        self.context.builder.place(test)
        self.branch_on(node.condition, body, done)
        self.context.builder.place(body)
        for _ in range(factor):
            step = self.context.builder.new_block("step")
            step.rolled = True
            self.loop_body(node.body, done, step)
            self.context.builder.place(step)
            if node.step is not None:
                with self.low.destructors.expression():
                    self.low.expressions.effect(node.step)
        self.context.builder.jump(test)
        self.context.builder.place(done)
        return True


@dataclass(frozen=True)
class Trips:
    """Describe the variables of a loop by name: their ``values`` in each trip and ``after`` the last."""

    values: list[dict[str, Value]]
    after: dict[str, Value]


def _loop_variables(loop: s.For, mutations: Mutations) -> set[str]:
    """Return the variables of a loop that may be unrolled: set at its start and changed by its step alone; else
    none."""
    if loop.condition is None or loop.step is None or loop.pragma == "nounroll":
        return set()
    match loop.initialiser:
        case s.Declaration(variables=variables) if all(v.initialiser is not None for v in variables):
            names = {v.name for v in variables}
        case s.ExpressionStatement(expression=s.Assign(operator="", target=s.Name(name=name))):
            names = {name}
        case _:
            return set()
    changed = mutations.changed_in(loop.body)
    return set() if names & (changed.whole | changed.parts) else names
