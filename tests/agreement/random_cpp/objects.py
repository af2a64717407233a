"""Write random statements over structs, enumerations, unions, matrices, lambdas, templates and shared memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from .arithmetic_types import INTEGERS, common, promoted
from .expressions import Term
from .statements import Scope, StatementWriter

TEMPLATES = """
template <typename A, typename B> __device__ auto both(A a, B b) { return a + b; }
template <typename T, int N> __device__ int span(T (&)[N]) { return N * (int)sizeof(T); }
template <typename T> __device__ T larger(T a, T b) { return a < b ? b : a; }
template <int N> struct Power { static constexpr int value = 2 * Power<N - 1>::value; };
template <> struct Power<0> { static constexpr int value = 1; };
"""


@dataclass
class Struct:
    """Hold a struct of the program: its members as (name, type, length or 0), its parts, functions and objects."""

    name: str
    members: list[tuple[str, str, int]]
    inner: Struct | None
    base: Struct | None
    read: Term | None = None
    has_operators: bool = False
    objects: list[str] = field(default_factory=list)


class ObjectWriter(StatementWriter):
    """Write a whole program of scalars and objects."""

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.structs: list[Struct] = []
        self.enumeration: str | None = None
        scalars = sum(weight for weight, _ in self.forms)
        self.forms = [(2 * weight, form) for weight, form in self.forms]
        objects = (
            self.new_object, self.new_object, self.copy_of_object, self.assigned_object, self.pointer_to_object,
            self.enumerator, self.matrix, self.call_of_lambda, self.call_of_template, self.constant_of_template,
            self.shared_array, self.exchange, self.size_of_object, self.constant_reference, self.pointer_to_pointer,
            self.union,
        )  # fmt: skip
        self.forms += [(scalars * 2 // len(objects), form) for form in objects]

    # ----------------------------------------------------------------------------------------- declarations

    def declarations(self) -> None:
        for _ in range(self.random.randrange(1, 4)):
            self.struct()
        if self.random.random() < 0.7:
            self.enumeration = self.name("E")
            underlying = self.random.choice(("", " : unsigned char", " : short", " : unsigned", " : long long"))
            e = self.enumeration
            self.emit(f"enum {e}{underlying} {{ {e}_a, {e}_b = {self.random.randrange(9)}, {e}_c }};")
        self.emit(TEMPLATES)

    def struct(self) -> None:
        members = [
            (f"m{k}", self.random.choice((*INTEGERS, "float")), self.random.choice((0, 0, 0, 2, 3)))
            for k in range(self.random.randrange(1, 5))
        ]
        inner, base = (self.random.choice([None, None, *self.structs]) for _ in range(2))
        struct = Struct(self.name("S"), members, inner, base)
        self.emit(f"struct {struct.name}{f' : {base.name}' if base else ''} {{")
        for name, type, length in members:
            value = " = {}" if length else f" = ({type}){self.random.randrange(3)}"
            text = f"[{length}]" if length else ""
            self.emit(f"{type} {name}{text}{self.random.choice(('', value))};")
        if inner is not None:
            self.emit(f"{inner.name} in;")
        self.functions_of(struct)
        self.structs.append(struct)

    def functions_of(self, struct: Struct) -> None:
        """Write member functions and operators of a struct, and end it."""
        scalars = [(name, type) for name, type, length in struct.members if not length and type != "bool"]
        if not scalars:
            self.emit("};")
            return
        name, type = self.random.choice(scalars)
        struct.read = Term("get()", type)
        self.emit(f"__device__ {type} get() const {{ return {name}; }}")
        self.emit(f"__device__ {type} &ref() {{ return {name}; }}\n}};")
        if type == "float" or self.random.random() < 0.4:
            return
        struct.has_operators = True
        s = struct.name
        result = f"{s} c = a; c.{name} = ({type})(a.{name} ^ b.{name}); return c;"
        self.emit(f"__device__ {s} operator^(const {s} &a, const {s} &b) {{ {result} }}")
        self.emit(f"__device__ bool operator==(const {s} &a, {s} b) {{ return a.{name} == b.{name}; }}")

    def places(self, path: str, struct: Struct) -> list[Term]:
        """Return the scalars within an object; ``path`` ends in '.' or '->'."""
        found = [
            Term(f"{path}{name}[{self.random.randrange(length)}]" if length else f"{path}{name}", type)
            for name, type, length in struct.members
        ]
        return found + (self.places(f"{path}in.", struct.inner) if struct.inner is not None else [])

    # ---------------------------------------------------------------------------------------------- objects

    def objects_in(self, scope: Scope) -> list[tuple[str, Struct]]:
        """Return the objects that a statement may use, with their structs."""
        seen = {v.text for v in scope.readable}
        return [(o, s) for s in self.structs for o in s.objects if f"(int)sizeof({o})" in seen]

    def declare_object(self, scope: Scope, name: str, struct: Struct, writable: bool = True) -> None:
        struct.objects.append(name)
        scope.readable.append(Term(f"(int)sizeof({name})", "int"))
        for place in self.places(f"{name}.", struct):
            scope.declare(*place, writable=writable)
        if struct.read is not None:
            scope.declare(f"{name}.get()", struct.read.type, writable=False)
            if writable:
                scope.writable.append(Term(f"{name}.ref()", struct.read.type))

    def new_object(self, scope: Scope) -> None:
        struct, name = self.random.choice(self.structs), self.name("s")
        self.emit(self.random.choice(("{0} {1}{{}};", "{0} {1} = {0}();", "{0} {1} = {{}};")).format(struct.name, name))
        self.declare_object(scope, name, struct)

    def copy_of_object(self, scope: Scope) -> None:
        objects = self.objects_in(scope)
        if objects:
            (original, struct), name = self.random.choice(objects), self.name("s")
            type = self.random.choice((struct.name, "auto", f"const {struct.name}", f"const {struct.name} &"))
            self.emit(f"{type} {name} = {original};")
            self.declare_object(scope, name, struct, writable=False)

    def assigned_object(self, scope: Scope) -> None:
        objects = [(o, s) for o, s in self.objects_in(scope) if any(v.text.startswith(f"{o}.") for v in scope.writable)]
        if not objects:
            return
        name, struct = self.random.choice(objects)
        other = self.random.choice([o for o, s in self.objects_in(scope) if s is struct])
        if struct.has_operators and self.random.random() < 0.5:
            self.emit(f"{name} = {name} ^ {other}; m.put({name} == {other});")
        else:
            self.emit(f"{name} = {other};")

    def pointer_to_object(self, scope: Scope) -> None:
        objects = [(o, s) for o, s in self.objects_in(scope) if any(v.text.startswith(f"{o}.") for v in scope.writable)]
        if objects:
            (name, struct), pointer = self.random.choice(objects), self.name("p")
            self.emit(f"{struct.name} *{pointer} = &{name};")
            for place in self.places(f"{pointer}->", struct) + self.places(f"(*{pointer}).", struct):
                scope.declare(*place)

    def enumerator(self, scope: Scope) -> None:
        if (e := self.enumeration) is not None:
            name = self.name("e")
            value = self.random.choice((f"{e}_a", f"{e}_b", f"{e}_c", f"({e})1"))
            self.emit(f"{e} {name} = {value}; m.put((int){name}); m.add(pick({name} + 1)); m.add(sizeof({name}));")
            scope.declare(f"(int){name}", "int", writable=False)

    def size_of_object(self, scope: Scope) -> None:
        if objects := self.objects_in(scope):
            name, struct = self.random.choice(objects)
            self.emit(f"m.add(sizeof({name})); m.add(alignof({struct.name}));")

    def union(self, scope: Scope) -> None:
        name = self.name("u")
        self.emit(f"union {{ unsigned w; float f; unsigned char b[4]; short h[2]; }} {name};")
        self.emit(f"{name}.w = (unsigned)({self.expressions.converted('unsigned', scope.readable, 2)});")
        self.emit(f"m.put({name}.b[{self.random.randrange(4)}]); m.put({name}.h[{self.random.randrange(2)}]);")

    # -------------------------------------------------------------------------------- arrays and references

    def matrix(self, scope: Scope) -> None:
        type, name = self.random.choice(INTEGERS), self.name("b")
        rows, columns = (self.random.randrange(2, 4) for _ in range(2))
        first = self.expressions.converted(type, scope.readable, 2)
        self.emit(f"{type} {name}[{rows}][{columns}] = {{{{({type})({first})}}, {{({type})1, ({type})2}}}};")
        for _ in range(2):
            column = f"(unsigned)({self.expressions.converted('unsigned', scope.readable, 2)}) % {columns}u"
            scope.declare(f"{name}[{self.random.randrange(rows)}][{column}]", type)
        self.emit(f"m.add(span({name})); m.add(span({name}[1]));")
        if self.random.random() < 0.5:
            row = self.name("p")
            self.emit(f"{type} (*{row})[{columns}] = {name} + 1; m.put((*{row})[1]); m.put({row}[-1][0]);")
            self.emit(f"m.add((unsigned)(&{row}[0][0] - &{name}[0][0]));")

    def constant_reference(self, scope: Scope) -> None:
        term, name = self.expressions.expression(scope.readable, 1), self.name("c")
        self.emit(f"const auto &{name} = ({term.text}); m.put({name});")
        scope.declare(name, term.type, writable=False)

    def pointer_to_pointer(self, scope: Scope) -> None:
        if (target := self.target(scope)) is not None:
            name, type = self.name("p"), target.type
            self.emit(f"{type} *{name} = &({target.text}); {type} **{name}p = &{name}; m.put({name} == *{name}p);")
            scope.declare(f"(*{name})", type)
            scope.declare(f"(**{name}p)", type)

    # ---------------------------------------------------------------------------------- calls and exchanges

    def call_of_lambda(self, scope: Scope) -> None:
        type, name = self.random.choice(INTEGERS), self.name("l")
        variables = [v for v in scope.readable if v.text.isidentifier()]
        result = self.random.choice(("", f" -> {type}"))
        body = f"return ({type})({self.expressions.converted(type, [*variables, Term('x', type)], 2)});"
        self.emit(f"auto {name} = [{self.random.choice('=&')}]({type} x){result} {{ {body} }};")
        self.emit(f"m.put({name}(({type})({self.expressions.converted(type, scope.readable, 2)})));")

    def call_of_template(self, scope: Scope) -> None:
        if self.random.random() < 0.5:
            type = self.random.choice((*INTEGERS, "float"))
            a, b = (self.expressions.converted(type, scope.readable, 2) for _ in range(2))
            self.emit(f"m.put(larger<{type}>({a}, {b}));")
            return
        x, y = (self.expressions.expression(scope.readable, 2) for _ in range(2))
        self.emit(f"{{ auto q = both({self.expressions.small(x)}, {self.expressions.small(y)}); m.put(q); }}")
        self.emit(f"m.add(sizeof(both({x.text}, {y.text})) == sizeof({common(x.type, y.type)}));")

    def constant_of_template(self, scope: Scope) -> None:
        del scope
        self.emit(f"m.put(Power<{self.random.randrange(6)}>::value + 0);")

    def shared_array(self, scope: Scope) -> None:
        if not scope.in_kernel or scope.depth:
            return
        type, name = self.random.choice(("int", "unsigned", "float", "unsigned char", "short")), self.name("sh")
        value = self.expressions.converted(type, scope.readable)
        self.emit(f"__shared__ {type} {name}[32]; {name}[threadIdx.x] = ({type})({value}); __syncthreads();")
        for place in (f"(threadIdx.x + {self.random.randrange(32)}) & 31", "31 - threadIdx.x"):
            scope.declare(f"{name}[{place}]", type, writable=False)

    def exchange(self, scope: Scope) -> None:
        """Write a shuffle and a vote of all lanes."""
        if not scope.in_kernel or scope.depth:
            return
        term = self.expressions.expression(scope.readable, 1)
        type, by = promoted(term.type), self.random.randrange(1, 17)
        form = self.random.choice(("__shfl_xor_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_sync"))
        self.emit(f"m.put({form}(0xffffffffu, ({type})({term.text}), {by}));")
        self.emit(f"m.put(__ballot_sync(0xffffffffu, {self.expressions.expression(scope.readable, 1).text}));")
        word = self.expressions.converted("unsigned", scope.readable, 2)
        self.emit(f"m.put(__popc((unsigned)({word}))); m.put(__clz((int)(unsigned)({word})));")
