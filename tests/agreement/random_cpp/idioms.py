"""Combine pieces of device code as courses and libraries have them, in random order and nesting.

``idioms.txt`` holds the pieces, parted by empty lines; ``idioms.cuh`` declares the functions and types that they use.
Within a piece ``$name`` is one number of ``NUMBERS``.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from string import Template

FOLDER = Path(__file__).parent
PIECES = (FOLDER / "idioms.txt").read_text().strip().split("\n\n")
DECLARATIONS = (FOLDER / "idioms.cuh").read_text()
# What all lanes must reach together, and labels, which may stand once in a function.
UNIFORM = ("sync", "goto")
DEEPEST = 2


def numbers(random: Random, label: int) -> dict[str, int]:
    """Return a number for each name: an index, a quarter, a digit, a count, a constant, a power of two, a label."""
    return {
        "k": random.randrange(8), "q": random.randrange(4), "d": random.randrange(1, 7), "n": random.randrange(1, 9),
        "c": random.randrange(1, 100), "p": 1 << random.randrange(1, 5), "l": label,
    }  # fmt: skip


class _Body:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.label = 0

    def pieces(self, count: int, depth: int = 0, pieces: list[str] | None = None) -> str:
        """Return ``count`` pieces of code, some within a branch or a loop."""
        return "\n".join(self.piece(depth, pieces or PIECES) for _ in range(count))

    def piece(self, depth: int, pieces: list[str]) -> str:
        self.label += 1
        form = self.random.random()
        if depth < DEEPEST and form < 0.2:
            harmless = [p for p in PIECES if not any(word in p for word in UNIFORM)]
            return f"{self.head(form < 0.12)}\n{self.pieces(2, depth + 1, harmless)}\n}}"
        return Template(self.random.choice(pieces)).substitute(numbers(self.random, self.label))

    def head(self, is_branch: bool) -> str:
        if is_branch:
            return f"if ((h >> {self.random.randrange(8)} ^ i) & {1 << self.random.randrange(3)}) {{"
        name = f"turn_{self.label}"
        return f"for (int {name} = 0; {name} < {self.random.randrange(1, 4)}; {name}++) {{\nMIX(h, {name});"


def write_idioms(random: Random) -> str:
    """Return the source of a kernel of some pieces."""
    start = ", ".join(str(random.randrange(-50, 100)) for _ in range(8))
    body = _Body(random).pieces(random.randrange(4, 9))
    return f"""{DECLARATIONS}
__global__ void kernel(int *out, int zero, int n) {{
int i = threadIdx.x; unsigned h = 1 + zero;
__shared__ int sh[32];
int a[8] = {{{start}}};
a[i & 7] += i;
{body}
for (int v : a) MIX(h, v);
out[threadIdx.x] = (int)h;
}}
"""
