"""Hold what small kernels compile to, pass by pass; each listing was read and judged right when it was recorded.

``python tests/unit/frontend/passes/test_listings.py`` records them again: read the difference.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from warpview.diagnostics import SourceText
from warpview.frontend import compile_source
from warpview.isa.disassembly import listing

FOLDER = Path(__file__).with_name("listings")
MODES = {"as written": False, "as compiled": True}


def parts(path: Path) -> dict[str, str]:
    """The kernel under "source", and the listing of each mode under its name."""
    source, *others = path.read_text(encoding="utf-8").split("\n/* ")
    found = {"source": source}
    for other in others:
        modes, _, lines = other.partition(":\n")
        found |= dict.fromkeys(modes.split(", "), lines.removesuffix("\n").removesuffix("\n*/"))
    return found


def listed(source: str, name: str, predicate: bool) -> str:
    program = compile_source(SourceText(name, source), predicate=predicate)
    facts = [f"{program.registers_per_thread} registers, {program.local_bytes} bytes of local memory"]
    facts += [f"instruction {n} waits for other threads" for n, i in enumerate(program.instructions) if i.spins]
    return "\n".join([listing(program), *facts])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.cu")), ids=lambda path: path.stem)
def test_a_kernel_compiles_to_its_listing(path: Path, mode: str) -> None:
    known = parts(path)
    assert listed(known["source"], path.name, MODES[mode]) == known[mode]


def record() -> None:
    for path in sorted(FOLDER.glob("*.cu")):
        source = parts(path)["source"].rstrip("\n")
        modes: dict[str, list[str]] = {}  # listing -> the modes that have it
        for mode, how in MODES.items():
            modes.setdefault(listed(source, path.name, how), []).append(mode)
        lists = "".join(f"\n/* {', '.join(names)}:\n{lines}\n*/\n" for lines, names in modes.items())
        path.write_text(f"{source}\n{lists}", encoding="utf-8")


if __name__ == "__main__":
    record()
