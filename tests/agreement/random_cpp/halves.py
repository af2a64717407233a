"""Write random programs of products and sums of halves, bfloat16 and pairs of them, which a compiler may join."""

from __future__ import annotations

from random import Random

HEADER = """#include <cuda_fp16.h>
#include <cuda_bf16.h>
__device__ unsigned bits(half h) { return __hisnan(h) ? 0x7fff : __half_as_ushort(h); }
__device__ unsigned bits(__nv_bfloat16 h) { return __hisnan(h) ? 0x7fff : __bfloat16_as_ushort(h); }
__device__ unsigned bits(half2 h) { return bits(h.x) | bits(h.y) << 16; }
__device__ unsigned bits(__nv_bfloat162 h) { return bits(h.x) | bits(h.y) << 16; }
__device__ unsigned bits(float f) { return f == f ? __float_as_uint(f) : 0; }
"""
TYPES = {"half": "half2", "__nv_bfloat16": "__nv_bfloat162"}
OPERATORS = ("*", "*", "*", "+", "+", "-")
FUNCTIONS = [(f"__h{name}", more) for name in ("mul", "add", "sub") for more in ("", "_rn", "_sat")] + [("__hmax", "")]


class HalfWriter:
    """Write statements over numbers of one format and pairs of them."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.lines: list[str] = []
        self.count = 0
        self.type = random.choice(list(TYPES))
        self.known: dict[str, list[str]] = {self.type: [], TYPES[self.type]: []}

    def program(self) -> str:
        number, pair = self.known
        self.lines.append("__global__ void kernel(int *out, int zero, int n) {\nint i = threadIdx.x; unsigned h = 1;")
        for _ in range(5):
            factor, shift = self.random.uniform(0.05, 0.5), self.random.uniform(-6, 2)
            self.declare(number, f"({number})((i + zero) * {factor:.3f}f + {shift:.3f}f)")
        for _ in range(3):
            self.declare(pair, f"{pair}({self.value(number)}, {self.value(number)})")
        self.statements(self.random.randrange(6, 16), 0)
        for type_, names in self.known.items():
            wanted = self.random.sample(names, min(len(names), self.random.randrange(2, 5)))
            self.lines += [f"h = h * 31 + bits({name}); // {type_}" for name in wanted]
        self.lines.append("out[i] = (int)h;\n}")
        return HEADER + "\n".join(self.lines) + "\n"

    def declare(self, type_: str, value: str) -> None:
        self.count += 1
        self.lines.append(f"{type_} v{self.count} = {value};")
        self.known[type_].append(f"v{self.count}")

    def value(self, type_: str, depth: int = 0) -> str:
        """Return an expression of at most two operations."""
        name = self.random.choice(self.known[type_])
        if depth == 0:
            return name
        number, pair = self.known
        form = self.random.random()
        a, b = (self.value(type_, self.random.randrange(depth)) for _ in range(2))
        if form < 0.65:
            return f"({a} {self.random.choice(OPERATORS)} {b})"
        if form < 0.78:
            stem, rounding = self.random.choice(FUNCTIONS)
            return f"{stem}{'2' if type_ == pair else ''}{rounding}({a}, {b})"
        if form < 0.86:
            return f"(-{a})"
        if form < 0.9:
            return f"__hfma{'2' if type_ == pair else ''}({a}, {b}, {name})"
        if type_ == pair:
            return f"{pair}({self.value(number)}, {self.value(number)})"
        return self.random.choice((f"{self.value(pair)}.x", f"{self.value(pair)}.y", f"({number})(float){a}"))

    def statements(self, count: int, depth: int) -> None:
        for _ in range(count):
            type_, form = self.random.choice([*self.known, self.type]), self.random.random()
            if form < 0.6:
                self.declare(type_, self.value(type_, 2))
            elif form < 0.75:
                target = self.random.choice(self.known[type_])
                self.lines.append(f"{target} {self.random.choice(('=', '+=', '-=', '*='))} {self.value(type_, 1)};")
            elif form < 0.85:
                self.lines.append(f"h = h * 31 + bits({self.value(type_, 1)});")
            elif depth < 2:
                self.nested(depth)

    def nested(self, depth: int) -> None:
        known = {type_: list(names) for type_, names in self.known.items()}
        head = self.random.choice((f"if (n > i + {self.random.randrange(32)})", "for (int j = 0; j < n / 11; ++j)"))
        self.lines.append(f"{head} {{")
        self.statements(self.random.randrange(1, 5), depth + 1)
        self.lines.append("}")
        self.known = known
