"""Write random statements and functions over variables of every arithmetic type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import NamedTuple

from .arithmetic_types import BITS, INTEGERS, SIGNED, TYPES, can_overflow, is_float
from .expressions import ExpressionWriter, Term

PRELUDE = (Path(__file__).parent / "prelude.cuh").read_text()
DEEPEST = 3


class Function(NamedTuple):
    """Hold a function of the program; of each parameter its type and whether it is a reference."""

    name: str
    parameters: list[tuple[str, bool]]
    result: str


@dataclass
class Scope:
    """Hold what a statement may use: values to read, objects to write, whether ``break`` and ``continue`` may stand."""

    readable: list[Term] = field(default_factory=list)
    writable: list[Term] = field(default_factory=list)
    depth: int = 0
    in_loop: bool = False
    in_kernel: bool = False

    def inner(self, in_loop: bool | None = None) -> Scope:
        loop = self.in_loop if in_loop is None else in_loop
        return Scope(list(self.readable), list(self.writable), self.depth + 1, loop, self.in_kernel)

    def declare(self, text: str, type: str, writable: bool = True) -> None:
        self.readable.append(Term(text, type))
        if writable:
            self.writable.append(Term(text, type))


class StatementWriter:
    """Write a whole program of scalars."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.expressions = ExpressionWriter(random)
        self.names = 0
        self.lines: list[str] = []
        self.functions: list[Function] = []
        self.forms: list[tuple[int, Callable[[Scope], None]]] = [
            (3, self.declaration), (1, self.auto_declaration), (1, self.array), (2, self.assignment),
            (2, self.compound_assignment), (1, self.shift_assignment), (2, self.step), (1, self.branch),
            (1, self.counted_loop), (1, self.conditional_loop), (1, self.leave_loop), (1, self.switch),
            (1, self.assignment_as_value), (1, self.chosen_target), (1, self.call), (1, self.reference),
            (1, self.result),
        ]  # fmt: skip

    def name(self, prefix: str) -> str:
        self.names += 1
        return f"{prefix}{self.names}"

    def emit(self, line: str) -> None:
        self.lines.append(line)

    def some_type(self) -> str:
        return self.random.choice(TYPES)

    def target(self, scope: Scope, types: set[str] | None = None) -> Term | None:
        fitting = [v for v in scope.writable if types is None or v.type in types]
        return self.random.choice(fitting) if fitting else None

    # ---------------------------------------------------------------------------------------- whole program

    def program(self) -> str:
        self.declarations()
        for _ in range(self.random.randrange(1, 4)):
            self.function()
        self.kernel()
        return PRELUDE + "\n".join(self.lines) + "\n"

    def declarations(self) -> None:
        """Write what stands before the functions."""

    def function(self) -> None:
        parameters = [(self.some_type(), self.random.random() < 0.4) for _ in range(self.random.randrange(1, 4))]
        function = Function(self.name("f"), parameters, self.random.choice((self.some_type(), "void")))
        scope = Scope()
        for type, _ in parameters:
            scope.declare(self.name("q"), type)
        signature = [
            f"{type} {'&' * by_reference}{variable.text}"
            for (type, by_reference), variable in zip(parameters, scope.readable, strict=True)
        ]
        self.emit(f"__device__ {function.result} {function.name}({', '.join(['Mix &m', *signature])}) {{")
        self.statements(scope, self.random.randrange(4, 9))
        for variable in list(scope.readable):
            self.emit(f"m.put({variable.text});")
        if function.result != "void":
            self.emit(f"return {self.expressions.converted(function.result, scope.readable)};")
        self.emit("}")
        self.functions.append(function)

    def kernel(self) -> None:
        self.emit("__global__ void kernel(int *out, int zero, int n) {\nint i = threadIdx.x; Mix m; m.h = 1;")
        scope = Scope(in_kernel=True)
        scope.declare("i", "int")
        scope.declare("n", "int", writable=False)
        scope.declare("zero", "int", writable=False)
        self.statements(scope, self.random.randrange(10, 18))
        for variable in list(scope.readable):
            self.emit(f"m.put({variable.text});")
        self.emit("out[threadIdx.x] = (int)m.h;\n}")

    def statements(self, scope: Scope, count: int) -> None:
        weights, forms = zip(*self.forms, strict=True)
        for _ in range(count):
            self.random.choices(forms, weights)[0](scope)

    def block(self, scope: Scope) -> None:
        self.statements(scope, self.random.randrange(1, 5))

    # -------------------------------------------------------------------------------------------- variables

    def declaration(self, scope: Scope) -> None:
        type, name = self.some_type(), self.name("v")
        value = self.expressions.converted(type, scope.readable)
        form = self.random.choice(("{} {} = {};", "{} {} = {};", "{} {}(({}));", "{0} {1}{{({0})({2})}};"))
        self.emit(form.format(type, name, value))
        scope.declare(name, type)

    def auto_declaration(self, scope: Scope) -> None:
        term, name = self.expressions.expression(scope.readable), self.name("v")
        self.emit(f"auto {name} = {term.text}; m.add(kind({name}));")
        scope.declare(name, term.type)

    def array(self, scope: Scope) -> None:
        type, length, name = self.random.choice(INTEGERS), self.random.randrange(2, 6), self.name("a")
        count = self.random.randrange(length + 1)
        values = [f"({type})({self.expressions.converted(type, scope.readable, 2)})" for _ in range(count)]
        self.emit(f"{type} {name}[{length}] = {{{', '.join(values)}}};")
        index = f"(unsigned)({self.expressions.converted('unsigned', scope.readable, 2)}) % {length}u"
        for place in (str(self.random.randrange(length)), index):
            scope.declare(f"{name}[{place}]", type)
        pointer = self.name("p")
        self.emit(f"{type} *{pointer} = {self.random.choice((name, '&' + name + '[1]'))};")
        scope.declare(self.random.choice((f"(*{pointer})", f"{pointer}[0]")), type)

    def reference(self, scope: Scope) -> None:
        if (target := self.target(scope)) is not None:
            name = self.name("r")
            self.emit(f"{target.type} &{name} = {target.text};")
            scope.declare(name, target.type)

    # ------------------------------------------------------------------------------------------- assignments

    def assignment(self, scope: Scope) -> None:
        if (target := self.target(scope)) is not None:
            self.emit(f"{target.text} = {self.expressions.converted(target.type, scope.readable)};")

    def compound_assignment(self, scope: Scope) -> None:
        target = self.target(scope)
        if target is None:
            return
        name, type = target
        operand = self.expressions.expression(scope.readable, 1)
        if type == "bool":
            self.emit(f"{name} {self.random.choice('&|^')}= ({operand.text}) != 0;")
        elif is_float(type) or (type in SIGNED and (BITS[type] >= 32 or is_float(operand.type))):
            self.cut(target)
            self.emit(f"{name} {self.random.choice('+-*')}= {self.expressions.small(operand)};")
        elif not is_float(operand.type):
            operators = "+-*" if BITS[type] < 32 else "+-*&|^"
            self.emit(f"{name} {self.random.choice(operators)}= {self.expressions.small(operand)};")

    def cut(self, target: Term) -> None:
        """Bring a variable into a range in which arithmetic with it is defined."""
        if is_float(target.type):
            self.emit(f"{target.text} = clip({target.text});")
        elif target.type in SIGNED:
            self.emit(f"{target.text} %= {1009 if BITS[target.type] > 8 else 100};")

    def shift_assignment(self, scope: Scope) -> None:
        target = self.target(scope, set(INTEGERS) - {"bool"})
        if target is None:
            return
        if target.type in SIGNED:
            condition = self.expressions.leaf(scope.readable).text
            self.emit(f"{target.text} >>= {condition} != 0 ? 3 : 1;")
        else:
            self.emit(f"{target.text} {self.random.choice(('<<', '>>'))}= {self.random.randrange(BITS[target.type])};")

    def step(self, scope: Scope) -> None:
        target = self.target(scope)
        if target is None or target.type == "bool":
            return
        if is_float(target.type) or can_overflow(target.type):
            self.cut(target)
        text = self.random.choice(("{}++", "++{}", "{}--", "--{}")).format(f"({target.text})")
        if self.random.random() < 0.4:
            self.emit(text + ";")
            return
        name = self.name("v")
        self.emit(f"auto {name} = {text}; m.put({name}); m.add(kind({name})); m.add(kind({target.text}));")
        scope.declare(name, target.type)

    def assignment_as_value(self, scope: Scope) -> None:
        if (target := self.target(scope)) is not None:
            value = self.expressions.converted(target.type, scope.readable)
            condition = self.expressions.expression(scope.readable, 1).text
            operator = self.random.choice(("&&", "||"))
            self.emit(f"if (({target.text} = {value}) != 0 {operator} {condition}) m.put({target.text});")

    def chosen_target(self, scope: Scope) -> None:
        a = self.target(scope)
        b = a and self.target(scope, {a.type})
        if a is None or b is None or a == b:
            return
        condition = self.expressions.expression(scope.readable, 1).text
        text = f"(({condition} ? {a.text} : {b.text}) = {self.expressions.converted(a.type, scope.readable)})"
        self.emit(f"m.put({text});" if self.random.random() < 0.5 else f"{text};")

    # ----------------------------------------------------------------------------------------------- control

    def branch(self, scope: Scope) -> None:
        if scope.depth >= DEEPEST:
            return
        self.emit(f"if ({self.expressions.expression(scope.readable).text}) {{")
        self.block(scope.inner())
        if self.random.random() < 0.6:
            self.emit("} else {")
            self.block(scope.inner())
        self.emit("}")

    def counted_loop(self, scope: Scope) -> None:
        if scope.depth >= DEEPEST:
            return
        type, name = self.random.choice(("int", "unsigned", "short", "unsigned char")), self.name("i")
        step = self.random.choice((f"++{name}", f"{name}++", f"{name} += 2"))
        self.emit(f"for ({type} {name} = 0; {name} < {self.random.randrange(1, 6)}; {step}) {{")
        inside = scope.inner(in_loop=True)
        inside.declare(name, type, writable=False)
        self.block(inside)
        self.emit("}")

    def conditional_loop(self, scope: Scope) -> None:
        if scope.depth >= DEEPEST:
            return
        name = self.name("w")
        self.emit(f"int {name} = {self.random.randrange(1, 6)};")
        inside = scope.inner(in_loop=True)
        inside.declare(name, "int", writable=False)
        at_the_end = self.random.random() < 0.5
        condition = self.random.choice((f"{name}-- > 0", f"--{name} > 0", f"{name}--"))
        self.emit("do {" if at_the_end else f"while ({condition}) {{")
        self.block(inside)
        self.emit(f"}} while (--{name} > 0);" if at_the_end else "}")

    def leave_loop(self, scope: Scope) -> None:
        if scope.in_loop:
            condition = self.expressions.expression(scope.readable, 1).text
            self.emit(f"if ({condition}) {self.random.choice(('break', 'continue'))};")

    def switch(self, scope: Scope) -> None:
        if scope.depth >= DEEPEST:
            return
        self.emit(f"switch (({self.expressions.integer(scope.readable, 0).text}) & 3) {{")
        labels = ["case 0", "case 1", "case 2", "case 3", "default"]
        for label in self.random.sample(labels, self.random.randrange(2, 6)):
            self.emit(f"{label}: {{")
            self.block(scope.inner(in_loop=False))
            self.emit("} break;" if self.random.random() < 0.6 else "}")
        self.emit("}")

    def call(self, scope: Scope) -> None:
        if not self.functions:
            return
        function = self.random.choice(self.functions)
        arguments: list[str] = []
        referred: set[str] = set()
        for type, by_reference in function.parameters:
            if not by_reference:
                arguments.append(self.expressions.converted(type, scope.readable, 2))
                continue
            target = self.target(scope, {type})
            if target is None or target.text in referred:
                return
            referred.add(target.text)
            arguments.append(target.text)
        text = f"{function.name}({', '.join(['m', *arguments])})"
        if function.result == "void":
            self.emit(f"{text};")
            return
        name = self.name("v")
        self.emit(f"auto {name} = {text}; m.add(kind({name}));")
        scope.declare(name, function.result)

    def result(self, scope: Scope) -> None:
        term = self.expressions.expression(scope.readable)
        if self.random.random() < 0.7:
            self.emit(f"m.put({term.text}); m.add(kind({term.text}));")
        else:
            self.emit(f"m.add(pick({term.text}));")
