"""Write random programs whose variables keep the values that they are declared with, under several names.

A compiler need not give such a variable a register of its own: what it holds must not change with what is made of it.
"""

from __future__ import annotations

from random import Random

from .statements import Scope, StatementWriter


class KeptWriter(StatementWriter):
    """Write scalars most of which are never assigned, truth values often, and their negations."""

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.forms += [(4, self.truth), (3, self.other_name), (2, self.negation), (2, self.captured), (2, self.member)]

    def some_type(self) -> str:
        return "bool" if self.random.random() < 0.3 else super().some_type()

    def kept(self, scope: Scope, type: str, value: str) -> str:
        """Write a variable that nothing assigns; return its name."""
        name, const = self.name("k"), self.random.choice(("", "const "))
        form = self.random.choice(("{}{} {} = {};", "{}{} {}({});", "{}{} {}{{({})}};"))
        self.emit(form.format(const, type, name, f"({type})({value})"))
        scope.declare(name, type, writable=False)
        return name

    def declaration(self, scope: Scope) -> None:
        if self.random.random() < 0.3:
            super().declaration(scope)
        else:
            type = self.some_type()
            self.kept(scope, type, self.expressions.converted(type, scope.readable))

    def truth(self, scope: Scope) -> None:
        a, b = (self.expressions.leaf(scope.readable).text for _ in range(2))
        comparison = f"{a} {self.random.choice(('==', '!=', '<', '<=', '>', '>='))} {b}"
        name = self.kept(scope, "bool", comparison)
        if self.random.random() < 0.5:
            self.emit(f"m.put(!{name}); m.put({name} ? 3 : 5);")

    def other_name(self, scope: Scope) -> None:
        term = self.random.choice(scope.readable)
        if self.random.random() < 0.5:
            name = self.name("r")
            self.emit(f"const {term.type} &{name} = {term.text};")
            scope.declare(name, term.type, writable=False)
        else:
            self.kept(scope, term.type, term.text)

    def negation(self, scope: Scope) -> None:
        term = self.random.choice(scope.readable)
        text = self.random.choice(("!{0} ? !{0} + {0} : {0}", "(!{0}) * 10 + ({0} != 0)", "!!{0} - !{0}"))
        name = self.name("v")
        self.emit(f"auto {name} = {text.format('(' + term.text + ')')}; m.add(kind({name})); m.put({name});")

    def captured(self, scope: Scope) -> None:
        term, name = self.random.choice(scope.readable), self.name("l")
        capture = self.random.choice((f"c = ({term.type})({term.text})", f"&c = {term.text}"))
        body = self.random.choice(("!c", "c", "c ? 7 : !c", "(c > 1) == !c"))
        self.emit(f"auto {name} = [{capture}] {{ return {body}; }}; m.put({name}());")

    def member(self, scope: Scope) -> None:
        term, name = self.random.choice(scope.readable), self.name("s")
        self.emit(f"struct {{ {term.type} a; bool b; }} {name} = {{{term.text}, {term.text} > 2}};")
        scope.declare(f"{name}.b", "bool", writable=False)
        self.emit(f"m.put(!{name}.b); m.put({name}.a);")
