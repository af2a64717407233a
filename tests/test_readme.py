"""The README tells the truth: its counter table is the declared one, its commands and its Python work.

``python tests/test_readme.py`` writes the counter table anew.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from warpview.profile.counters import COUNTERS

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
BEGIN, END = "<!-- counters -->\n", "<!-- end of counters -->"


def counter_table() -> str:
    """The declared counters as a Markdown table."""
    lines = ["| counter | unit | what it counts | Nsight Compute | Visual Profiler |", "|---|---|---|---|---|"]
    for c in COUNTERS:
        nsight = f"`{c.nsight}`" if c.nsight else ""
        legacy = f"`{c.visual_profiler}`" if c.visual_profiler else ""
        lines.append(f"| `{c.key}` | {c.unit} | {c.description} | {nsight} | {legacy} |")
    return "\n".join(lines) + "\n"


def _with_table(text: str) -> str:
    before, rest = text.split(BEGIN)
    return before + BEGIN + counter_table() + END + rest.split(END)[1]


def test_counters_are_the_declared_ones() -> None:
    text = README.read_text(encoding="utf-8")
    assert text == _with_table(text), "run: python tests/test_readme.py"


def test_pictures_and_folders_exist() -> None:
    text = README.read_text(encoding="utf-8")
    for path in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", text):
        assert (ROOT / path).is_file(), path
    for path in re.findall(r"^\| `([a-z_/.]+)`", text, re.MULTILINE):
        assert (ROOT / path).exists() or path in {c.key for c in COUNTERS}, path


def test_notebook_example_gives_what_it_says() -> None:
    block = re.search(r"```python\n(import numpy.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert block
    names: dict[str, object] = {}
    exec(compile(block[1], "README.md", "exec"), names)
    run = names["run"]
    promised = re.search(r'run\.counters\["global_ld_sectors"\]\s+# (\d+)', block[1])
    assert promised
    assert run.counters["global_ld_sectors"] == int(promised[1])  # type: ignore[attr-defined]


@pytest.mark.parametrize("marker", ["start", "test"])
def test_commands_are_one_line_each(marker: str) -> None:
    text = README.read_text(encoding="utf-8")
    block = re.search(rf"<!-- the {marker} command -->\n```sh\n(.*?)```", text, re.DOTALL)
    assert block
    assert len(block[1].strip().splitlines()) == 1


if __name__ == "__main__":
    README.write_text(_with_table(README.read_text(encoding="utf-8")), encoding="utf-8")
