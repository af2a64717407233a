"""Write random programs with local arrays, which loops of constant bounds and others read and write in many ways.

A compiler keeps an array in registers where it can tell every index, and may be wrong about that.
"""

from __future__ import annotations

from random import Random

LENGTH = 6
DECLARATIONS = """
struct Box { int v[6]; int at; int *home;
    __device__ int &get(int k) { return v[k]; }
    __device__ void push(int x) { v[at] ^= x; at = at == 5 ? 0 : at + 1; } };
__device__ void add(int (&a)[6], int by) { for (int k = 0; k < 6; ++k) a[k] += by * k; }
__device__ int fold(const int *p, int count) { int s = 1; while (count-- > 0) s = s * 31 + *p++; return s; }
template <class F> __device__ void each(int count, F f) { for (int k = 0; k < count; ++k) f(k); }
"""


class ArrayWriter:
    """Write statements over three arrays, a struct with one, two pointers into them and some counters."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.number = 0
        self.lines: list[str] = []
        self.counters: list[tuple[str, int]] = []  # that are in scope, with what each stays below

    def name(self) -> str:
        self.number += 1
        return f"x{self.number}"

    def index(self) -> str:
        """Return an index from 0 to 5, mostly one that a compiler can tell."""
        form = self.random.random()
        if form < 0.05:
            return f"((h + {self.random.randrange(9)}) % 6)"
        if form < 0.3 or not self.counters:
            return str(self.random.randrange(LENGTH))
        name, below = self.random.choice(self.counters)
        forms = [name] if below <= LENGTH else []
        forms += [
            f"(({name} + {self.random.randrange(6)}) % 6)",
            f"({name} & 3)",
            f"(5 - {name} % 6)",
            "buf",
            "(1 - buf)",
        ]
        return self.random.choice(forms)

    def element(self) -> str:
        array = self.random.choice(("a", "a", "b", "box.v", "m[0]", "m[buf]", "m[1 - buf]"))
        forms = [f"{array}[{self.index()}]"] * 6
        forms += [
            f"box.get({self.index()})",
            f"*({array} + {self.index()})",
            "p[0]",
            "*q",
            f"(&{array}[0])[{self.index()}]",
        ]
        return self.random.choice(forms)

    def value(self) -> str:
        counters = [name for name, _ in self.counters]
        forms = [self.element(), self.element(), str(self.random.randrange(100)), "i", "box.at", "buf", *counters]
        return self.random.choice(forms)

    def statement(self, depth: int) -> None:
        forms = [self.store] * 8 + [self.moves] * 3 + [self.calls] * 2 + [self.lambdas]
        if depth < 3:
            forms += [self.loop] * 6 + [self.branch] * 2
        form = self.random.choice(forms)
        if form in (self.loop, self.branch):
            form(depth)  # type: ignore[call-arg]
        else:
            form()  # type: ignore[call-arg]

    def statements(self, depth: int) -> None:
        for _ in range(self.random.randrange(1, 4)):
            self.statement(depth)

    def store(self) -> None:
        operator = self.random.choice(("=", "+=", "^=", "-="))
        self.lines.append(f"{self.element()} {operator} {self.value()} {self.random.choice('+-^')} {self.value()};")

    def moves(self) -> None:
        """Write a change of what decides on places: a pointer, the chosen buffer."""
        array = self.random.choice(("a", "b", "box.v", "m[0]", "m[buf]"))
        self.lines.append(
            self.random.choice(
                (
                    f"p = {array};", f"p = &{array}[{self.random.randrange(6)}];", f"q = {array} + {self.index()};",
                    "{ int *t = p; p = q; q = t; }", "buf ^= 1;", "buf = 1 - buf;", f"box.push({self.value()});",
                    f"if (p == {array}) h++;", "h ^= p == q;", f"box.home = {array}; *box.home += 3;",
                )
            )
        )  # fmt: skip

    def calls(self) -> None:
        array = self.random.choice(("a", "b", "box.v", "m[0]", "m[1 - buf]"))
        form = self.random.choice(
            (f"add({array}, {self.value()});", f"h ^= fold({array}, {self.random.randrange(1, 7)});")
        )
        self.lines.append(form)

    def lambdas(self) -> None:
        name = self.name()
        self.counters.append((name, LENGTH))
        body = f"{self.element()} += {self.value()};"
        self.counters.pop()
        self.lines.append(f"each({self.random.randrange(1, 7)}, [&](int {name}) {{ {body} }});")

    def branch(self, depth: int) -> None:
        self.lines.append(f"if ((h ^ {self.value()}) & {1 << self.random.randrange(3)}) {{")
        self.statements(depth + 1)
        self.lines.append("}")

    def loop(self, depth: int) -> None:
        name, count = self.name(), self.random.randrange(1, 7)
        runs = self.random.random() < 0.25
        bound = f"(n - {32 - self.random.randrange(1, 4)})" if runs else str(count)
        below = 4 if runs else count
        heads = [
            (f"for (int {name} = 0; {name} < {bound}; ++{name}) {{", "}"),
            (f"{{ int {name} = 0; while ({name} < {bound}) {{", f"++{name}; }} }}"),
            (f"{{ int {name} = 0; do {{", f"}} while (++{name} < {bound}); }}"),
            (f"for (int {name} = {bound}; {name}-- > 0;) {{", "}"),
            (f"for (unsigned {name} = {bound} - 1; {name} != ~0u; {name}--) {{", "}"),
            (f"for (int {name} = 0, end = {bound}; {name} != end; {name}++) {{ if ({name} == {count - 1} && (h & 1)) "
             + self.random.choice(("break;", "continue;", "{ h += 5; break; }")), "}"),
        ]  # fmt: skip
        head, end = self.random.choice(heads)
        self.lines.append(head)
        self.counters.append((name, below))
        self.statements(depth + 1)
        self.counters.pop()
        self.lines.append(end)

    def program(self) -> str:
        for _ in range(self.random.randrange(4, 9)):
            self.statement(0)
        body = "\n".join(self.lines)
        return f"""{DECLARATIONS}
__global__ void kernel(int *out, int zero, int n) {{
int i = threadIdx.x, buf = 0; unsigned h = 1 + zero + i;
int a[6], b[6], m[2][6]; Box box; box.at = 0;
for (int k = 0; k < 6; ++k) {{ a[k] = k + i; b[k] = k * 3 + zero; m[0][k] = i ^ k; m[1][k] = k; box.v[k] = i * k; }}
int *p = a, *q = b;
{body}
h ^= fold(a, 6) + 3 * fold(b, 6) + 5 * fold(m[0], 6) + 7 * fold(m[1], 6) + 11 * fold(box.v, 6) + *p * 13 + *q * 17;
out[threadIdx.x] = (int)h;
}}
"""
