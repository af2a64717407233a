"""Write random CUDA C kernels for tests that compare one way of running with another.

Every kernel ends, stays in bounds, meets its barriers and collectives together, and leaves every variable of every
thread in memory. ``ordered`` allows what depends on the order of threads (old values of atomics): the same
program gives the same on every engine, but other code for the same source may not. ``defined`` leaves out
integer division by zero.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

INTEGERS = (
    "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long long",
    "unsigned long long",
)  # fmt: skip
FLOATS = ("float", "double")
TYPES = (*INTEGERS, *FLOATS, "bool")
WORDS = ("int", "unsigned int")
INPUTS, COUNTERS, BINS = 256, 8, 16
PER_THREAD = 2  # variables of each type, each stored by each thread

SIGNATURE = """__global__ void random_kernel(const int *in_i, const float *in_f, long long *out_l, double *out_d,
                              unsigned int *counters, int n, float x)
{
    __shared__ int tile[128];
    __shared__ unsigned int bins[16];
    unsigned int tid = threadIdx.x;
    unsigned int gid = blockIdx.x * blockDim.x + tid;
"""


@dataclass(frozen=True)
class RandomKernel:
    """Source text and a launch of it."""

    text: str
    grid: int
    block: int

    def arguments(self) -> dict[str, NDArray[np.generic] | int | float]:
        """Fresh arguments by parameter name; the outputs hold something from the start."""
        generator = np.random.default_rng(7)
        threads = self.grid * self.block
        return {
            "in_i": generator.integers(-50, 1000, INPUTS).astype(np.int32),
            "in_f": generator.integers(-64, 64, INPUTS).astype(np.float32) / np.float32(4),
            "out_l": np.full(threads * PER_THREAD * (len(INTEGERS) + 1), -1, dtype=np.int64),
            "out_d": np.full(threads * PER_THREAD * len(FLOATS), -1, dtype=np.float64),
            "counters": np.zeros(COUNTERS, dtype=np.uint32),
            "n": INPUTS,
            "x": 1.25,
        }


def kernels(ordered: bool = True, collectives: bool = True, defined: bool = False) -> st.SearchStrategy[RandomKernel]:
    """A hypothesis strategy; small kernels are simpler ones."""
    return st.randoms(use_true_random=False).map(lambda r: write_kernel(r, ordered, collectives, defined))


def write_kernel(random: Random, ordered: bool = True, collectives: bool = True, defined: bool = False) -> RandomKernel:
    """One kernel from a source of choices."""
    writer = _Writer(random, ordered, collectives, defined)
    block = random.choice([32, 64, 96])
    return RandomKernel(writer.kernel(), random.choice([1, 2, 3]), block)


class _Writer:
    def __init__(self, random: Random, ordered: bool, collectives: bool, defined: bool) -> None:
        self.random = random
        self.ordered = ordered
        self.collectives = collectives
        self.defined = defined
        self.variables = {t: [f"{t.replace(' ', '_')}_{k}" for k in range(PER_THREAD)] for t in TYPES}
        self.known: dict[str, list[str]] = {t: [] for t in TYPES}
        self.counters: list[str] = []  # loop counters in scope, read only
        self.lines: list[str] = []
        self.indent = 1
        self.fresh = 0
        self.breakable: list[str] = []  # kinds of the enclosing loops and switches
        self.may_return = False

    def kernel(self) -> str:
        for type in TYPES:
            for name in self.variables[type]:
                self.line(f"{type} {name} = {self.expression(type, 2)};")
                self.known[type].append(name)
        self.line("tile[tid] = int_0;")
        self.line("if (tid < 16)")
        self.line("    bins[tid] = tid;")
        self.line("__syncthreads();")
        for _ in range(self.random.randint(1, 5)):
            self.random.choice([self.exchange, self.collective, self.bin_counts, self.block, self.block])()
        self.line("__syncthreads();")
        self.may_return = True
        self.block()
        self.results()
        return SIGNATURE + "\n".join(self.lines) + "\n}\n"

    def line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    def results(self) -> None:
        for outs, types in (("out_l", (*INTEGERS, "bool")), ("out_d", FLOATS)):
            names = [name for type in types for name in self.variables[type]]
            for k, name in enumerate(names):
                self.line(f"{outs}[gid * {len(names)} + {k}] = {name};")

    # ------------------------------------------------------------------------------------ expressions

    def pick(self, *choices: str | Callable[[], str]) -> str:
        choice = self.random.choice(choices)
        return choice if isinstance(choice, str) else choice()

    def leaf(self, type: str) -> str:
        choices: list[str | Callable[[], str]] = [*self.known[type], *self.known[type], lambda: self.literal(type)]
        if type in INTEGERS:
            choices += self.counters
        if type in WORDS:
            choices += ["tid", "gid", "n", "blockIdx.x", "blockDim.x", lambda: f"in_i[{self.index()}]"]
        if type == "float":
            choices += ["x", lambda: f"in_f[{self.index()}]"]
        return self.pick(*choices)

    def literal(self, type: str) -> str:
        if type == "bool":
            return self.pick("true", "false")
        if type in FLOATS:
            suffix = "f" if type == "float" else ""
            return self.pick("0.0", "1.0", "0.5", "3.25", "-2.0", "1e10", "0.1") + suffix
        suffix = {"unsigned int": "u", "long long": "ll", "unsigned long long": "ull"}.get(type, "")
        return self.pick("0", "1", "2", "3", "7", "8", "31", "100", "-1", "0x7f", "65535") + suffix

    def index(self) -> str:
        """Of an input: always within bounds."""
        inner = self.pick("tid", "gid", f"(unsigned int)({self.value(1)})")
        return f"({inner} + {self.random.randrange(5)}u) % {INPUTS}u"

    def value(self, depth: int) -> str:
        return self.expression(self.random.choice(TYPES), depth)

    def expression(self, type: str, depth: int) -> str:
        """Of about this type; C converts where it is another."""
        if depth <= 0 or self.random.random() < 0.2:
            return self.leaf(type)
        if type == "bool":
            return self.condition(depth)
        choices: list[Callable[[], str]] = [
            lambda: f"({self.condition(depth - 1)} ? {self.expression(type, depth - 1)} : {self.value(depth - 1)})",
            lambda: f"({type})({self.value(depth - 1)})",
            lambda: f"-({self.expression(type, depth - 1)})",
            lambda: self.binary(type, ("+", "-", "*"), depth),
            lambda: self.binary(type, ("+", "-", "*"), depth),
        ]
        if type in FLOATS:
            choices += [lambda: self.binary(type, ("/",), depth), lambda: self.mathematics(type, depth)]
        else:
            choices += [
                lambda: self.binary(type, ("&", "|", "^"), depth),
                lambda: self.binary(type, ("/", "%"), depth),
                lambda: f"({self.integer(depth)} {self.pick('<<', '>>')} ({self.integer(depth)} & 31))",
                lambda: f"~({self.integer(depth)})",
                lambda: f"min((int)({self.expression('int', depth - 1)}), (int)({self.value(depth - 1)}))",
                lambda: self.intrinsic(depth),
            ]
        return self.random.choice(choices)()

    def integer(self, depth: int) -> str:
        return f"({self.random.choice(INTEGERS)})({self.expression(self.random.choice(INTEGERS), depth - 1)})"

    def binary(self, type: str, operators: tuple[str, ...], depth: int) -> str:
        operator = self.random.choice(operators)
        left, right = self.expression(type, depth - 1), self.expression(type, depth - 1)
        if self.defined and operator in ("/", "%") and type not in FLOATS:
            right = f"((int)({right}) | 1)"
        if operator in ("%", "&", "|", "^"):
            left, right = f"(long long)({left})" if self.random.random() < 0.1 else f"(int)({left})", f"(int)({right})"
        return f"({left} {operator} {right})"

    def condition(self, depth: int) -> str:
        if depth <= 0:
            return self.leaf("bool")
        choices: list[Callable[[], str]] = [
            lambda: self.comparison(depth),
            lambda: self.comparison(depth),
            lambda: f"({self.condition(depth - 1)} && {self.condition(depth - 1)})",
            lambda: f"({self.condition(depth - 1)} || {self.condition(depth - 1)})",
            lambda: f"!({self.value(depth - 1)})",
            lambda: f"(tid % {self.random.choice([2, 3, 5, 32])}u == {self.random.randrange(3)}u)",
        ]
        return self.random.choice(choices)()

    def comparison(self, depth: int) -> str:
        operator = self.pick("<", "<=", ">", ">=", "==", "!=")
        return f"({self.value(depth - 1)} {operator} {self.value(depth - 1)})"

    def mathematics(self, type: str, depth: int) -> str:
        one = self.expression(type, depth - 1)
        if type == "float":
            return self.pick(f"sqrtf(fabsf({one}))", f"fminf({one}, x)", f"floorf({one})", f"fmaf({one}, x, 0.5f)")
        return self.pick(f"sqrt(fabs({one}))", f"fmax({one}, 2.5)", f"ceil({one})")

    def intrinsic(self, depth: int) -> str:
        word = f"(unsigned int)({self.expression('unsigned int', depth - 1)})"
        return self.pick(
            f"__popc({word})", f"__clz((int){word})", f"__ffs((int){word})", f"__brev({word})",
            f"__umulhi({word}, 0x9e3779b9u)",
        )  # fmt: skip

    # ------------------------------------------------------------------------------------- statements

    def block(self, depth: int = 3) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.statement(depth)

    def braces(self, head: str, body: Callable[[], None]) -> None:
        self.line(f"{head} {{")
        self.indent += 1
        body()
        self.indent -= 1
        self.line("}")

    def statement(self, depth: int) -> None:
        choices: list[Callable[[], None]] = [self.assignment, self.assignment, self.assignment, self.atomic]
        if depth:
            choices += [
                lambda: self.branch(depth - 1),
                lambda: self.branch(depth - 1),
                lambda: self.loop(depth - 1),
                lambda: self.loop(depth - 1),
                lambda: self.switch(depth - 1),
                self.leave,
            ]
        self.random.choice(choices)()

    def assignment(self) -> None:
        type = self.random.choice(TYPES)
        name = self.random.choice(self.variables[type])
        if type != "bool" and self.random.random() < 0.4:
            if self.random.random() < 0.3:
                self.line(self.pick(f"{name}++;", f"--{name};"))
            else:
                operators = ("+=", "-=", "*=") if type in FLOATS else ("+=", "-=", "*=", "^=", "|=", "&=")
                value = self.expression(type, 2)
                self.line(f"{name} {self.pick(*operators)} {value if type in FLOATS else f'(int)({value})'};")
        else:
            self.line(f"{name} = {self.expression(type, 3)};")

    def branch(self, depth: int) -> None:
        self.braces(f"if ({self.condition(2)})", lambda: self.block(depth))
        if self.random.random() < 0.5:
            self.braces("else", lambda: self.block(depth))

    def loop(self, depth: int) -> None:
        """A few turns, as many as the lane's values say."""
        self.fresh += 1
        i = f"i{self.fresh}"
        turns = f"((int)({self.expression('int', 1)}) & {self.random.choice([1, 3])})"
        kind = self.random.choice(["for", "for", "while", "do"])

        def body() -> None:
            if kind != "for":
                self.line(f"{i}++;")
            self.block(depth)

        self.breakable.append("loop")
        self.counters.append(i)
        if kind == "for":
            self.braces(f"for (int {i} = 0; {i} < {turns}; {i}++)", body)
        else:
            self.line(f"int {i} = 0;")
            if kind == "while":
                self.braces(f"while ({i} < {turns})", body)
            else:
                self.braces("do", body)
                self.line(f"while ({i} < {turns});")
        self.counters.pop()
        self.breakable.pop()

    def switch(self, depth: int) -> None:
        self.breakable.append("switch")

        def cases() -> None:
            labels = self.random.sample(range(4), self.random.randint(1, 3))
            for label in labels:
                self.line(f"case {label}:" if label != 3 else "default:")
                self.indent += 1
                self.braces("", lambda: self.block(depth))
                if self.random.random() < 0.7:
                    self.line("break;")
                self.indent -= 1

        self.braces(f"switch ((int)({self.expression('int', 1)}) & 3)", cases)
        self.breakable.pop()

    def leave(self) -> None:
        ways = ["break;"] if self.breakable else []
        if "loop" in self.breakable:
            ways.append("continue;")
        if self.may_return:
            ways.append("return;")
        if ways:
            self.line(f"if ({self.condition(2)})")
            self.line(f"    {self.random.choice(ways)}")

    def atomic(self) -> None:
        where = f"counters[(unsigned int)({self.value(1)}) % {COUNTERS}u]"
        operation = self.pick("Add", "Max", "Or") if self.ordered else "Add"  # of one kind the order does not matter
        call = f"atomic{operation}(&{where}, (unsigned int)({self.value(1)}))"
        if self.ordered and self.random.random() < 0.5:
            call = f"{self.random.choice(self.variables['unsigned int'])} = {call}"
        self.line(f"{call};")

    def exchange(self) -> None:
        """Through shared memory, with barriers around."""
        name = self.random.choice(self.variables["int"])
        self.line("__syncthreads();")
        self.line(f"tile[tid] = {self.expression('int', 2)};")
        self.line("__syncthreads();")
        self.line(f"{name} = tile[({self.pick('tid', '(unsigned int)(' + self.value(1) + ')')} + 1u) % blockDim.x];")

    def bin_counts(self) -> None:
        self.line("__syncthreads();")
        self.line(f"atomicAdd(&bins[(unsigned int)({self.value(1)}) % {BINS}u], {self.random.randrange(1, 4)}u);")
        self.line("__syncthreads();")
        self.line(f"{self.random.choice(self.variables['unsigned int'])} = bins[tid % {BINS}u];")

    def collective(self) -> None:
        if not self.collectives:
            return
        mask = "0xffffffffu"
        word = self.expression("int", 1)
        self.line(
            self.pick(
                f"int_0 = __shfl_xor_sync({mask}, (int)({word}), {self.random.choice([1, 4, 16])});",
                f"int_1 = __shfl_down_sync({mask}, (int)({word}), {self.random.randrange(1, 9)});",
                f"float_0 = __shfl_sync({mask}, float_1, {self.random.randrange(32)}, 16);",
                f"unsigned_int_0 = __ballot_sync({mask}, {self.condition(1)});",
                f"bool_0 = __any_sync({mask}, {self.condition(1)});",
                f"bool_1 = __all_sync({mask}, {self.condition(1)});",
                "__syncwarp();",
            )
        )
