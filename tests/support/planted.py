"""Read planted bugs: a kernel with a bug where ``BUG`` is defined, and its clean twin where it is not.

A file begins with lines ``//@`` of TOML:

    kinds = ["race"]                  # the bug is found as one of these
    grid = 2                          # left out: 1
    device = "gtx480"                 # left out: h200
    block = 64
    shared_bytes = 256                # left out: 0
    step_budget = 20000               # left out: 200000
    args = { out = "T:128", n = 5 }   # a buffer is "type:elements", ":iota" and ":blank" follow; T is a variant's
    variants = [{ T = "int" }]        # definitions, one launch each

Lines that a finding may point to, on either side, end in ``// here``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import warpview as wv

FOLDER = Path(__file__).parent.parent / "checks" / "planted"
DTYPES = {
    "int": np.int32, "unsigned": np.uint32, "float": np.float32, "double": np.float64, "short": np.int16,
    "char": np.int8, "unsigned char": np.uint8, "long long": np.int64,
}  # fmt: skip


@dataclass(frozen=True)
class Planted:
    """Hold one variant of a file."""

    path: Path
    facts: Mapping[str, object]
    defines: Mapping[str, object]

    def __str__(self) -> str:
        return "-".join([self.path.stem, *(f"{k}={v}" for k, v in self.defines.items())]).replace(" ", "_")

    @property
    def kinds(self) -> frozenset[str]:
        return frozenset(self.facts["kinds"])  # type: ignore[arg-type]

    @property
    def lines(self) -> frozenset[int]:
        """The lines that a finding may point to."""
        text = self.path.read_text(encoding="utf-8").splitlines()
        return frozenset(n for n, line in enumerate(text, start=1) if line.endswith("// here"))

    def arguments(self) -> dict[str, object]:
        return {name: self._argument(spec) for name, spec in dict(self.facts["args"]).items()}  # type: ignore[call-overload]

    def _argument(self, spec: object) -> object:
        if not isinstance(spec, str) or ":" not in spec:
            return self.defines.get(spec, spec) if isinstance(spec, str) else spec
        type_, size, *how = spec.split(":")
        dtype = np.dtype(DTYPES[str(self.defines.get(type_, type_))])
        count = int(self.defines.get(size, size))  # type: ignore[call-overload]
        if how == ["blank"]:
            return wv.Uninitialised((count,), dtype)
        values: NDArray[np.generic] = np.arange(count) if how == ["iota"] else np.zeros(count)
        return values.astype(dtype)

    def run(self, *, bug: bool, device: str | None = None, engine: str = "profile") -> wv.Run:
        """Compile and launch the kernel with the bug or without."""
        defines = {**self.defines, **({"BUG": 1} if bug else {})}
        program = wv.compile(self.path, defines=defines)
        return wv.simulate(
            program, self.facts.get("grid", 1), self.facts["block"], self.arguments(),
            device=device or str(self.facts.get("device", "h200")), engine=engine,
            shared_bytes=self.facts.get("shared_bytes", 0), step_budget=self.facts.get("step_budget", 200_000),
        )  # fmt: skip


def planted() -> list[Planted]:
    """Every variant of every file."""
    found = []
    for path in sorted(FOLDER.glob("*.cu")):
        header = [line[3:] for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("//@")]
        facts = tomllib.loads("\n".join(header))
        found += [Planted(path, facts, defines) for defines in facts["variants"]]
    return found
