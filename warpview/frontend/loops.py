"""Loops: as they are, or unrolled where asked for and possible."""

from __future__ import annotations

from warpview.diagnostics import Span
from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend import types as t
from warpview.frontend.core import Jumps, NotConstant
from warpview.frontend.declarations import Declarations
from warpview.frontend.purity import is_cheap
from warpview.frontend.values import Address, Cell, Place, Value
from warpview.frontend.walk import assigned_in, may_be_constant, names_in, walk

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
        if node.pragma == "nounroll" or not isinstance(node.initialiser, s.Declaration) or node.condition is None:
            return False
        if not node.pragma and not self._indexes_local_array(node):
            return False
        names = {v.name for v in node.initialiser.variables}
        if names & (assigned_in(node.body).whole | assigned_in(node.body).parts):
            return False
        if any(isinstance(n, (s.Label, s.Case)) and n in self.case_blocks for n in walk(node.body)):
            return False
        trips = self._trips(node)
        if trips is None:
            return False
        limit = MAX_UNROLL if node.pragma else MAX_UNROLL_UNASKED
        if len(trips) > limit:
            return False
        if factor is not None and factor < len(trips):
            return self._partly_unrolled(node, trips, factor)
        self._write_trips(node, trips)
        return True

    def _trips(self, node: s.For) -> list[dict[str, Value]] | None:
        """The loop's variables in each trip, if all are constants; None where that cannot be told."""
        assert isinstance(node.initialiser, s.Declaration)
        assert node.condition is not None
        if not all(
            may_be_constant(e) for e in (node.condition, *(v.initialiser for v in node.initialiser.variables)) if e
        ):
            return None
        condition, step = node.condition, node.step
        trips: list[dict[str, Value]] = []

        def simulate() -> list[dict[str, Value]]:
            places = self._folding_variables(node.initialiser)
            while True:
                holds = self.truth(self.rvalue(condition), condition.span).constant
                if holds is None or len(trips) > MAX_UNROLL:
                    raise NotConstant
                if not holds:
                    return trips
                trips.append({n: self.load(p, node.span) for n, p in places.items()})
                if step is not None:
                    self.effect(step)

        with self.scoped():
            return self.attempt(simulate)

    def _folding_variables(self, declaration: s.Statement | None) -> dict[str, Place]:
        """The loop's variables as cells that hold constants."""
        assert isinstance(declaration, s.Declaration)
        places: dict[str, Place] = {}
        for variable in declaration.variables:
            if variable.initialiser is None or variable.storage:
                raise NotConstant
            value = self.rvalue(variable.initialiser)
            if not isinstance(variable.type, s.AutoType):
                type = t.plain(self.resolve(variable.type))
                if t.arithmetic(type) is None:
                    raise NotConstant
                value = self.convert(value, type, variable.span)
            if value.constant is None:
                raise NotConstant
            places[variable.name] = self._constant_variable(variable, value, folding=True)
            self.scope.names[variable.name] = places[variable.name]
        return places

    def _constant_variable(self, variable: s.Variable, value: Value, folding: bool) -> Place:
        from warpview.frontend.core import new_leaves

        cell = Cell(variable, variable.name, value.type, new_leaves(value.type), folding)
        cell.leaves[0].bound = value
        return Place(Address(cell=cell), value.type)

    def _write_trips(self, node: s.For, trips: list[dict[str, Value]]) -> None:
        assert isinstance(node.initialiser, s.Declaration)
        done = self.builder.new_block("end")
        for values in trips:
            following = self.builder.new_block("trip")
            with self.scoped():
                for variable in node.initialiser.variables:
                    place = self._constant_variable(variable, values[variable.name], folding=False)
                    self.scope.names[variable.name] = place
                self.loop_body(node.body, done, following)
            self.builder.place(following)
        self.builder.place(done)

    def _partly_unrolled(self, node: s.For, trips: list[dict[str, Value]], factor: int) -> bool:
        """``factor`` copies of body and step for each test, where the number of trips is a multiple of it."""
        if len(trips) % factor or node.condition is None or node.initialiser is None:
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

    def _indexes_local_array(self, node: s.For) -> bool:
        """Whether the body indexes an array in registers by something that the loop's variables decide."""
        assert isinstance(node.initialiser, s.Declaration)
        names = {v.name for v in node.initialiser.variables}
        for below in walk(node.body):
            if isinstance(below, s.Index) and names & names_in(below.index):
                base: s.Expression = below
                while isinstance(base, (s.Index, s.Member)):
                    base = base.base
                found = self.scope.find(base.name) if isinstance(base, s.Name) else None
                if base_is_local(found) or self._declared_within(node, base):
                    return True
        return False

    def _declared_within(self, node: s.For, base: s.Expression) -> bool:
        """Arrays that the body itself declares."""
        return isinstance(base, s.Name) and any(
            isinstance(n, s.Variable)
            and n.name == base.name
            and isinstance(n.type, s.ArrayType)
            and "__shared__" not in n.storage
            and n not in self.facts.in_memory
            for n in walk(node.body)
        )


def base_is_local(found: object) -> bool:
    """Whether a name stands for an array (or struct) in registers."""
    if not isinstance(found, Place) or found.address.cell is None:
        return False
    return isinstance(t.plain(found.type), (t.Array, t.Struct))
