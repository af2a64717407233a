"""Lower statements, with one method for each kind of node."""

from __future__ import annotations

from warpview.diagnostics import Span
from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.lower.context import Jumps, JumpTarget
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.preprocess.tokens import fail, refuse
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.checks import check_assertion, fail_not_convertible, this_object
from warpview.frontend.semantic.scopes import LazyType, TypeSymbol
from warpview.frontend.semantic.values import Lvalue, Value
from warpview.frontend.syntax.walk import walk
from warpview.isa.ops import Cmp, Op


class Statements(LoweringPart):
    def statement(self, node: s.Statement) -> None:
        with self.context.at(node.span):
            match node:
                case s.Compound():
                    self.compound(node)
                case s.Declaration():
                    self.low.variables.declaration(node)
                case s.ExpressionStatement(expression=expression):
                    with self.low.destructors.expression():
                        self.low.expressions.effect(expression)
                case s.If():
                    self.if_statement(node)
                case s.For():
                    self.low.loops.for_statement(node)
                case s.While():
                    self.low.loops.while_statement(node)
                case s.DoWhile():
                    self.low.loops.do_statement(node)
                case s.Switch():
                    self.switch_statement(node)
                case s.Case():
                    self.case_label(node)
                case s.Break():
                    self.break_statement(node)
                case s.Continue():
                    self.continue_statement(node)
                case s.Return():
                    self.return_statement(node)
                case s.TypeDeclaration():
                    self.type_declaration(node)
                case s.StaticAssert():
                    self.static_assert(node)
                case s.DefaultPart(position=position):
                    this = this_object(self.context.scope, node.span)
                    self.low.initialisers.default_members(this, node.span, position)
                case s.SetClass():
                    self.low.virtual_calls.set_class(this_object(self.context.scope, node.span), node.span)
                case s.Use():
                    self.low.semantics.names.use(node)
                case s.Goto() | s.Label():
                    self.jump_statement(node)
                case s.Assembly():
                    self.low.assembly.statement(node)
                case s.Empty():
                    pass
                case _:
                    refuse("this statement is not supported", node.span)

    def compound(self, node: s.Compound) -> None:
        with self.context.scoped_to(node), self.low.destructors.block(node, node.end):
            for statement in node.body:
                if not self._ends_recursion(statement):
                    self.statement(statement)

    def _ends_recursion(self, statement: s.Statement) -> bool:
        """Return whether a statement is left out because it cannot be reached, so that a recursion comes to its end."""
        frames = self.context.frames
        if not self.context.builder.closed or all(f.key != frames[-1].key for f in frames[:-1]):
            return False
        return not any(isinstance(n, (s.Label, s.Case)) for n in walk(statement))

    def type_declaration(self, node: s.TypeDeclaration) -> None:
        if node.template is not None or isinstance(node.type, s.StructType):
            self.context.scope.names[node.name] = LazyType(node, self.context.scope)
        else:
            type = self.low.semantics.types.resolve(node.type)
            if node.name:
                self.context.scope.names[node.name] = TypeSymbol(type)

    def static_assert(self, node: s.StaticAssert) -> None:
        check_assertion(node, self.low.semantics.evaluator.integer(node.condition, "the condition of static_assert"))

    # ---------------------------------------------------------------------------------------- selection
    def if_statement(self, node: s.If) -> None:
        """Lower an if statement; a condition known at compile time leaves only the branch that it chooses."""
        with self.context.scoped_to(node), self.low.destructors.block(node, node.span):
            if node.initialiser is not None:
                self.statement(node.initialiser)
            known = self.low.loops.known_condition(node.condition)
            if known is None and node.is_constexpr:
                assert isinstance(node.condition, s.Expression)
                known = self.low.semantics.evaluator.branch_taken(node.condition)
            if known is not None:
                chosen = node.then if known else node.other
                if chosen is not None:
                    self.statement(chosen)
                self._labels_in(node.other if known else node.then)
                return
            then, done = self.context.builder.new_block("then"), self.context.builder.new_block("end")
            other = self.context.builder.new_block("else") if node.other is not None else done
            self.low.loops.branch_on(self.condition_expression(node.condition), then, other)
            self.context.builder.place(then)
            self.statement(node.then)
            if node.other is not None:
                if not self.context.builder.closed:
                    self.context.builder.jump(done)
                self.context.builder.place(other)
                self.statement(node.other)
            self.context.builder.place(done)

    def _labels_in(self, node: s.Statement | None) -> None:
        """Code that is left out may hold labels that something jumps to; then it cannot be left out."""
        if node is None:
            return
        for below in walk(node):
            if isinstance(below, s.Label) or (isinstance(below, s.Case) and below in self.context.case_blocks):
                refuse("a label in code that is never reached is not supported", below.span)

    # -------------------------------------------------------------------------------------------- switch
    def switch_statement(self, node: s.Switch) -> None:
        """Lower a switch to comparisons one after the other, then the body, whose labels they jump to."""
        with self.low.destructors.expression():
            value, scalar = self.low.conversions.integer_value(
                self.low.expressions.rvalue(node.condition), node.condition.span, "'switch'"
            )
        with self.low.semantics.names.scoped():
            for use in _uses(node.body):
                self.low.semantics.names.use(use)
            self._check_labels(node)
            type = t.promoted(scalar)
            self._cases(node, self.low.conversions.convert_scalar(value, scalar, type), type)

    def _check_labels(self, node: s.Switch) -> None:
        """Check that the values of the cases are constants of an enum class, where such a value is switched on."""
        enum = self.low.semantics.typer.type_of(node.condition) if isinstance(node.condition, s.Expression) else None
        for case in _labels(node.body) if isinstance(enum, t.Enum) and enum.scoped else ():
            type = None if case.value is None else self.low.semantics.typer.type_of(case.value)
            if type is not None and not t.same(type, enum):
                fail_not_convertible(t.with_article(type), enum, case.span)

    def _cases(self, node: s.Switch, value: Value, type: t.Scalar) -> None:
        """Lower the comparisons of a switch with its labels, and its body."""
        cases = _labels(node.body)
        done = self.context.builder.new_block("end")
        blocks = {case: self.context.builder.new_block("case") for case in cases}
        defaults = [case for case in cases if case.value is None]
        if len(defaults) > 1:
            fail("a switch has one 'default' at most", defaults[1].span)
        default = blocks[defaults[0]] if defaults else done
        if value.constant is not None:
            chosen = next((c for c in cases if c.value and self._case_value(c, type) == value.constant), None)
            self.context.builder.jump(blocks[chosen] if chosen else default)
        else:
            self._dispatch(value.scalar_operand, type, cases, blocks, default)
        self._switch_body(node, blocks, done)

    def _case_value(self, case: s.Case, type: t.Scalar) -> int:
        assert case.value is not None
        return t.wrap(self.low.semantics.evaluator.integer(case.value, "the value of a case"), type)

    def _dispatch(
        self,
        value: ir.Value,
        type: t.Scalar,
        cases: list[s.Case],
        blocks: dict[s.Case, ir.BasicBlock],
        default: ir.BasicBlock,
    ) -> None:
        seen: set[int] = set()
        tested = [c for c in cases if c.value is not None]
        for case in tested:
            number = self._case_value(case, type)
            if number in seen:
                fail(f"duplicate case {number}", case.span)
            seen.add(number)
            following = self.context.builder.new_block("test")
            with self.context.at(case.span):
                equal = self.context.emit(Op.SETP, type.isa, value, ir.const(type.isa, number), mod=Cmp.EQ)
                self.context.builder.branch(equal, blocks[case], default if case is tested[-1] else following)
            if case is not tested[-1]:
                self.context.builder.place(following)
        if not tested:
            self.context.builder.jump(default)

    def _switch_body(self, node: s.Switch, blocks: dict[s.Case, ir.BasicBlock], done: ir.BasicBlock) -> None:
        outer = self.context.case_blocks
        self.context.case_blocks = {**outer, **blocks}
        around = self.context.jumps[-1].continues if self.context.jumps else None
        self.context.jumps.append(Jumps(self.jump_target(done), around))
        self.statement(node.body)
        self.context.jumps.pop()
        self.context.case_blocks = outer
        self.context.builder.place(done)

    def case_label(self, node: s.Case) -> None:
        if node not in self.context.case_blocks:
            fail(f"'{'case' if node.value else 'default'}' outside a switch", node.span)
        self.context.builder.place(self.context.case_blocks[node])
        self.statement(node.body)

    # --------------------------------------------------------------------------------------------- jumps
    def break_statement(self, node: s.Break) -> None:
        target = self.context.jumps[-1].breaks if self.context.jumps else None
        if target is None:
            fail("'break' outside a loop or switch", node.span)
        self._jump(target)

    def continue_statement(self, node: s.Continue) -> None:
        target = self.context.jumps[-1].continues if self.context.jumps else None
        if target is None:
            fail("'continue' outside a loop", node.span)
        self._jump(target)

    def jump_target(self, block: ir.BasicBlock) -> JumpTarget:
        return JumpTarget(block, len(self.low.destructors.variables))

    def _jump(self, target: JumpTarget) -> None:
        self.low.destructors.leave(target.variables)
        self.context.builder.jump(target.block)

    def return_statement(self, node: s.Return) -> None:
        frame = self.context.frame
        given_back = self.low.destructors.given_back(node.value)
        with self.low.destructors.expression():
            self._result(node)
        if node is frame.direct:
            if given_back is not None:
                self.low.destructors.give_back(given_back)
            return
        self.low.destructors.leave(frame.variables, given_back)
        if len(self.context.frames) == 1:
            self.context.builder.exit()
        elif frame.done is not None:
            self.context.builder.jump(frame.done)

    def _result(self, node: s.Return) -> None:
        """Evaluate what a function gives back."""
        frame = self.context.frame
        if len(self.context.frames) == 1:
            if node.value is not None and not self._is_void(node.value):
                fail("a kernel returns nothing", node.span)
        elif node.value is None:
            if frame.result is not None and not isinstance(frame.result, t.Void):
                self.context.warn(frame.without_value(node.span))
        elif isinstance(frame.result, t.Void):
            if not self._is_void(node.value):
                fail(f"'{frame.name}' returns nothing", node.span)
        else:
            self._return_value(node.value, node is frame.direct)

    def _is_void(self, value: s.Expression) -> bool:
        if not isinstance(self.low.semantics.typer.type_of(value), t.Void):
            return False
        self.low.expressions.effect(value)
        return True

    def _return_value(self, value: s.Expression, direct: bool) -> None:
        frame = self.context.frame
        if frame.refers and frame.result is None:
            frame.result = t.Reference(self.low.semantics.typer.operand(value).type)
        if isinstance(frame.result, t.Reference):
            place = self.low.lvalues.place(value)
            if direct:
                frame.value = Lvalue(place.address, frame.result.to)
            else:
                self._note_reference(place, frame.result, value.span)
            return
        if isinstance(value, s.InitList):
            if frame.result is None:
                fail("the type of this value cannot be deduced", value.span)
            place = self.low.objects.temporary(frame.result, value)
            self.low.initialisers.initialise(place, value, value.span)
            result = self.low.memory.load(place, value.span)
        else:
            result = self.low.copies.returned(value, frame.result)
            if isinstance(t.plain(result.type), t.Void) and frame.result is None:
                return
            if frame.deduced and frame.result is not None and not t.same(result.type, frame.result):
                found = (
                    f"{t.with_article(t.plain(result.type))}, and the return before it {t.with_article(frame.result)}"
                )
                fail(f"this returns {found}", value.span)
            if frame.result is None:
                frame.result, frame.deduced = t.plain(result.type), True
            elif result.object is None:
                result = self.low.conversions.convert(result, frame.result, value.span)
        result = self.low.destructors.adopt(result)
        if direct:
            frame.value = self._outliving(result, value)
            return
        if result.object is not None:
            fail("a lambda can only be returned by the only return of a function", value.span)
        if frame.place is None:
            assert frame.result is not None
            assert isinstance(frame.function, s.Node)
            frame.place = self.low.objects.temporary(frame.result, frame.function)
        self.low.memory.store(
            frame.place, self.low.conversions.convert(result, frame.place.type, value.span), value.span
        )

    def _note_reference(self, place: Lvalue, result: t.Reference, span: Span) -> None:
        """Keep the address of an object that one of several returns refers to."""
        frame, type = self.context.frame, t.Pointer(result.to)
        if frame.place is None:
            assert isinstance(frame.function, s.Node)
            frame.place = self.low.objects.temporary(type, frame.function)
        self.low.memory.store(frame.place, Value(type, address=self.low.objects.in_memory(place.address)), span)

    def _outliving(self, result: Value, e: s.Expression) -> Value:
        """Return a result that stays as it is where variables of the function are destroyed."""
        if result.address is None or not isinstance(t.plain(result.type), t.Struct):
            return result
        if len(self.low.destructors.variables) == self.context.frame.variables:
            return result
        kept = self.low.objects.temporary(result.type, e)
        self.low.memory.store(kept, result, e.span)
        return self.low.memory.load(kept, e.span)

    def jump_statement(self, node: s.Goto | s.Label) -> None:
        name = node.label if isinstance(node, s.Goto) else node.name
        key = (name, self.context.frame.key, self.context.path)
        block = self.context.label_blocks.setdefault(key, self.context.builder.new_block(name))
        if isinstance(node, s.Goto):
            self.context.gotos.setdefault(key, node.span)
            with self.context.at(node.span):
                self.low.destructors.leave_for(name, self.context.labels_placed.get(key))
                self.context.builder.jump(block)
            return
        if key in self.context.labels_placed:
            fail(f"duplicate label '{name}'", node.span)
        self.context.labels_placed[key] = len(self.low.destructors.variables)
        self.context.builder.place(block)
        self.statement(node.body)

    def check_labels(self) -> None:
        """Check that every goto has found its label."""
        for key, span in self.context.gotos.items():
            if key not in self.context.labels_placed:
                fail(f"label '{key[0]}' is used but not defined", span)

    # ---------------------------------------------------------------------------------------- conditions
    def condition_expression(self, condition: s.Expression | s.Declaration) -> s.Expression:
        """Return the expression to test; a declared variable is declared first."""
        if isinstance(condition, s.Expression):
            return condition
        self.low.variables.declaration(condition)
        return s.Name(condition.span, condition.variables[-1].name)


def _uses(node: s.Statement) -> list[s.Use]:
    """Return the using-declarations that stand directly in the body of a switch, whose labels may have their names."""
    return (
        [statement for statement in node.body if isinstance(statement, s.Use)] if isinstance(node, s.Compound) else []
    )


def _labels(node: s.Statement) -> list[s.Case]:
    """Return the labels that belong to a switch, in order; those of switches within are not ours."""
    found: list[s.Case] = []

    def visit(statement: s.Statement | None) -> None:
        match statement:
            case s.Case(body=body):
                found.append(statement)
                visit(body)
            case s.Compound(body=body):
                for inner in body:
                    visit(inner)
            case s.If(then=then, other=other):
                visit(then)
                visit(other)
            case s.For(body=body) | s.While(body=body) | s.DoWhile(body=body) | s.Label(body=body):
                visit(body)

    visit(node)
    return found
