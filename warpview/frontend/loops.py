"""Loops: as they are, or unrolled where asked for and possible."""

from __future__ import annotations

from dataclasses import dataclass

from warpview.diagnostics import Span
from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend import types as t
from warpview.frontend.array_uses import array_uses, loop_variables
from warpview.frontend.core import Jumps, NotConstant, new_leaves
from warpview.frontend.declarations import Declarations
from warpview.frontend.purity import is_cheap
from warpview.frontend.values import Address, Cell, Place, Value
from warpview.frontend.walk import may_be_constant, walk

MAX_UNROLL = 4096
MAX_UNROLL_UNASKED = 128


class Loops(Declarations):
    case_blocks: dict[s.Case, ir.Block]
    label_blocks: dict[object, ir.Block]
    labels_placed: set[object]
    gotos: dict[tuple[str, object, object], Span]

    # ------------------------------------------------------------------------------------------ branches
    def known_condition(self, condition: s.Expression | s.Declaration) -> bool | None:
        """The truth of a condition that is known at compile time."""
        if isinstance(condition, s.Declaration) or not self._foldable(condition):
            return None
        value = self.attempt(lambda: self.truth(self.rvalue(condition), condition.span))
        return None if value is None or value.constant is None else bool(value.constant)

    def _foldable(self, condition: s.Expression) -> bool:
        return not any(isinstance(n, (s.Assign, s.Postfix, s.Call)) for n in walk(condition))

    def branch_on(self, e: s.Expression, then: ir.Block, other: ir.Block) -> None:
        """Go to ``then`` where ``e`` holds, else to ``other``; && and || stop early as C says."""
        if isinstance(e, s.Unary) and e.operator == "!" and self.operator_function("!", [e.operand], e.span) is None:
            self.branch_on(e.operand, other, then)
            return
        if isinstance(e, s.Binary) and e.operator in ("&&", "||") and not is_cheap(e.right, self):
            rest = self.builder.new_block("rhs")
            self.branch_on(e.left, *((rest, other) if e.operator == "&&" else (then, rest)))
            self.builder.place(rest)
            self.branch_on(e.right, then, other)
            return
        with self.at(e.span):
            value = self.truth(self.rvalue(e), e.span)
        if value.constant is not None:
            self.builder.jump(then if value.constant else other)
        else:
            self.builder.branch(value.scalar_operand, then, other)

    # --------------------------------------------------------------------------------------------- loops
    def while_statement(self, node: s.While) -> None:
        test, body, done = (self.builder.new_block(h) for h in ("while", "body", "end"))
        if self.known_condition(node.condition) is False:
            return
        self.builder.place(test)
        with self.scoped():
            self.branch_on(node.condition, body, done)
            self.builder.place(body)
            self.loop_body(node.body, done, test)
        self.builder.jump(test)
        self.builder.place(done)

    def do_statement(self, node: s.DoWhile) -> None:
        body, test, done = (self.builder.new_block(h) for h in ("do", "test", "end"))
        self.builder.place(body)
        self.loop_body(node.body, done, test)
        self.builder.place(test)
        known = self.known_condition(node.condition)
        if known is None:
            self.branch_on(node.condition, body, done)
        elif known:
            self.builder.jump(body)
        self.builder.place(done)

    def loop_body(self, body: s.Statement, breaks: ir.Block, continues: ir.Block) -> None:
        self.jumps.append(Jumps(breaks, continues))
        self.statement(body)
        self.jumps.pop()

    def for_statement(self, node: s.For) -> None:
        with self.scoped():
            if self.unrolled(node):
                return
            if node.initialiser is not None:
                self.statement(node.initialiser)
            test, body, step, done = (self.builder.new_block(h) for h in ("for", "body", "step", "end"))
            step.rolled = bool(node.pragma)
            self.builder.place(test)
            if node.condition is not None:
                self.branch_on(node.condition, body, done)
            self.builder.place(body)
            self.loop_body(node.body, done, step)
            self.builder.place(step)
            if node.step is not None:
                with self.at(node.step.span):
                    self.effect(node.step)
            with self.at(node.span):
                self.builder.jump(test)
            self.builder.place(done)

    # ----------------------------------------------------------------------------------------- unrolling
    def unrolled(self, node: s.For) -> bool:
        """Write the loop out if it is to be unrolled and its trips are known; False where it stays a loop.

        #pragma unroll asks for it, and so does a body that indexes a local array by the loop's variable, for only
        then can the array live in registers. ``#pragma unroll N`` of a loop with at most N trips unrolls it too.
        """
        factor = self.constant_integer(node.unroll, "the number of copies") if node.unroll is not None else None
        if factor is not None and factor <= 1 and node.pragma == "unroll":
            return False
        names = loop_variables(node, self.mutations)
        if not names or not (node.pragma or self._resolves_arrays(node)):
            return False
        if any(isinstance(n, (s.Label, s.Case)) and n in self.case_blocks for n in walk(node.body)):
            return False
        trips = self._trips(node)
        if trips is None:
            return False
        limit = MAX_UNROLL if node.pragma else MAX_UNROLL_UNASKED
        if len(trips.values) > limit or len(trips.values) * self.copies > MAX_UNROLL:
            return False
        if factor is not None and factor < len(trips.values):
            return self._partly_unrolled(node, len(trips.values), factor)
        self._write_trips(node, trips)
        return True

    def _trips(self, node: s.For) -> Trips | None:
        """The loop's variables in each trip, if all are constants; None where that cannot be told."""
        condition, step, start = node.condition, node.step, node.initialiser
        assert condition is not None
        assert step is not None
        values = [v.initialiser for v in start.variables] if isinstance(start, s.Declaration) else []
        if not all(may_be_constant(e) for e in (condition, *values) if e is not None):
            return None

        def simulate() -> Trips:
            places = self._folding_variables(start)
            found = Trips([], {})
            while True:
                now = {n: self.load(p, node.span) for n, p in places.items()}
                holds = self.truth(self.rvalue(condition), condition.span).constant
                if holds is None or len(found.values) > MAX_UNROLL:
                    raise NotConstant
                if not holds:
                    return Trips(found.values, now)
                found.values.append(now)
                self.effect(step)

        with self.scoped():
            return self.attempt(simulate)

    def _folding_variables(self, start: s.Statement | None) -> dict[str, Place]:
        """The loop's variables as cells that hold constants."""
        if isinstance(start, s.Declaration):
            return {v.name: self._folding_variable(v) for v in start.variables}
        assert isinstance(start, s.ExpressionStatement)
        assert isinstance(start.expression, s.Assign)
        assert isinstance(start.expression.target, s.Name)
        name, place = start.expression.target.name, self.place(start.expression.target)
        if not place.is_local or t.arithmetic(place.type) is None:
            raise NotConstant
        value = self.convert(self.rvalue(start.expression.value), t.plain(place.type), start.span)
        return {name: self._bound_name(name, value, folding=True)}

    def _folding_variable(self, variable: s.Variable) -> Place:
        if variable.initialiser is None or variable.storage:
            raise NotConstant
        value = self.rvalue(variable.initialiser)
        if not isinstance(variable.type, s.AutoType):
            type = t.plain(self.resolve(variable.type))
            if t.arithmetic(type) is None:
                raise NotConstant
            value = self.convert(value, type, variable.span)
        return self._bound_name(variable.name, value, folding=True)

    def _bound_name(self, name: str, value: Value, folding: bool = False) -> Place:
        """Let a name stand for a constant in the current scope."""
        if value.constant is None:
            raise NotConstant
        cell = Cell(name, value.type, new_leaves(value.type), folding)
        cell.leaves[0].bound = value
        place = self.scope.names[name] = Place(Address(cell=cell), value.type)
        return place

    def _write_trips(self, node: s.For, trips: Trips) -> None:
        """One copy of the body a trip. A variable from outside the loop has its value in each trip and behind it."""
        is_declared = isinstance(node.initialiser, s.Declaration)
        outside = {} if is_declared else {n: self.place(s.Name(node.span, n)) for n in trips.after}
        done = self.builder.new_block("end")
        before, self.copies = self.copies, self.copies * max(1, len(trips.values))
        for values in trips.values:
            following = self.builder.new_block("trip")
            self._assign(outside, values, node.span)
            with self.scoped():
                for name, value in values.items():
                    self._bound_name(name, value)
                self.loop_body(node.body, done, following)
            self.builder.place(following)
        self.copies = before
        self._assign(outside, trips.after, node.span)
        self.builder.place(done)

    def _assign(self, places: dict[str, Place], values: dict[str, Value], span: Span) -> None:
        for name, place in places.items():
            self.store(place, values[name], span)

    def _partly_unrolled(self, node: s.For, trips: int, factor: int) -> bool:
        """``factor`` copies of body and step for each test, where the number of trips is a multiple of it."""
        if trips % factor or node.condition is None or node.initialiser is None:
            return False
        self.statement(node.initialiser)
        test, done = self.builder.new_block("for"), self.builder.new_block("end")
        body = self.builder.new_block("body")
        self.builder.place(test)
        self.branch_on(node.condition, body, done)
        self.builder.place(body)
        for _ in range(factor):
            step = self.builder.new_block("step")
            step.rolled = True
            self.loop_body(node.body, done, step)
            self.builder.place(step)
            if node.step is not None:
                self.effect(node.step)
        self.builder.jump(test)
        self.builder.place(done)
        return True

    # ------------------------------------------------------------------------------ arrays in registers
    def _resolves_arrays(self, node: s.For) -> bool:
        """Whether unrolling the loop lets an array live in registers."""
        frame = self.frame
        if frame.uses is None:
            assert frame.body is not None
            frame.uses = array_uses(frame.body, self.mutations, self._is_known)
        return any(self._may_live_in_registers(n, node) for n in frame.uses.arrays_resolved_by(node))

    def _is_known(self, name: str) -> bool:
        """Whether a name from outside the function being written stands for a constant."""
        found = self.lookup(s.Name(self.builder.span, name))
        if isinstance(found, Place) and found.address.cell is not None and t.arithmetic(found.type) is not None:
            bound = found.address.cell.leaves.get(found.address.offset)
            return bound is not None and bound.bound is not None and bound.bound.constant is not None
        return isinstance(found, Value) and found.constant is not None

    def _may_live_in_registers(self, name: str, node: s.For) -> bool:
        """Whether a name stands for a local array that is small enough, or will, as the body declares it."""
        found = self.lookup(s.Name(node.span, name))
        if isinstance(found, Place):
            type = t.plain(found.type)
            if isinstance(type, t.Pointer) and found.address.cell is not None:
                found = self.dereferenced(self.load(found, node.span), node.span)
            base = found.address.base
            return isinstance(base, ir.SlotAddress) and base.slot.types is not None
        return found is None and any(
            isinstance(n, s.Variable)
            and n.name == name
            and isinstance(n.type, s.ArrayType)
            and "__shared__" not in n.storage
            for n in walk(node.body)
        )


@dataclass(frozen=True)
class Trips:
    """The variables of a loop by name: their ``values`` in each trip and ``after`` the last."""

    values: list[dict[str, Value]]
    after: dict[str, Value]
