"""The pages in ``assets/docs`` and the README tell the truth: tables are those of the code, links lead somewhere.

``python tests/test_docs.py`` writes the tables anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from warpview.devices import devices
from warpview.frontend import unsupported
from warpview.host.unsupported import FEATURES
from warpview.profile.counters import COUNTERS
from warpview.sim.launch import FindingKind

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
DOCS = ROOT / "assets" / "docs"
PAGES = sorted(DOCS.glob("*.md"))


def counter_table() -> str:
    """The declared counters as a Markdown table."""
    lines = ["| counter | unit | what it counts | Nsight Compute | Visual Profiler |", "|---|---|---|---|---|"]
    for c in COUNTERS:
        nsight = f"`{c.nsight}`" if c.nsight else ""
        legacy = f"`{c.visual_profiler}`" if c.visual_profiler else ""
        lines.append(f"| `{c.key}` | {c.unit} | {c.description} | {nsight} | {legacy} |")
    return "\n".join(lines) + "\n"


def device_table() -> str:
    """The devices as a Markdown table."""
    lines = [
        "| key | device | chip | compute capability | multiprocessors | clock (MHz) | bandwidth (GB/s) |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| `{d.key}` | {d.name} | {d.chip} | {d.version} | {d.multiprocessors} | {d.clock_mhz:g} | {d.dram_gbps:.0f} |"
        for d in devices()
        if (ROOT / "assets" / "devices" / f"{d.key}.toml").is_file()
    ]
    return "\n".join(lines) + "\n"


def key_table() -> str:
    """The actions of the window as a Markdown table, menu by menu."""
    from warpview.ui.commands.actions import TABLE, shown_key

    lines = ["| menu | action | key | what it does |", "|---|---|---|---|"]
    lines += [f"| {row.menu} | {row.text} | {_code(shown_key(row, True))} | {row.tip} |" for row in TABLE]
    return "\n".join(lines) + "\n"


def view_sections() -> str:
    """What there is to see in each view, and its marks, as Markdown."""
    from warpview.ui.view_list import VIEWS

    sections = []
    for view in VIEWS:
        sections.append(f"### {view.title}\n\n{view.about.rstrip('.')}.\n")
        if view.meanings:
            rows = [f"| {MARKS[entry.mark]}{_in_colour(entry.colour)} | {entry.words} |" for entry in view.meanings]
            sections.append("\n".join(["| mark | meaning |", "|---|---|", *rows]) + "\n")
    return "\n" + "\n".join(sections) + "\n"


MARKS = {
    "fill": "filled", "hollow": "outlined", "hatch": "hatched", "light-hatch": "lightly hatched", "dot": "dot",
    "dashed": "dashed edge", "sign": "sign",
}  # fmt: skip
COLOURS = {
    "accent": "blue", "active": "blue", "atomic": "violet", "barrier": "mauve", "conflict": "orange",
    "conflict_text": "orange", "divergence": "pink", "error": "red", "glow": "yellow", "idle": "grey", "wasted": "grey",
}  # fmt: skip


def _in_colour(token: str) -> str:
    return f", {COLOURS[token]}" if token in COLOURS else ""


def _code(keys: str) -> str:
    return f"`{keys}`".replace("|", "\\|") if keys else ""


def unsupported_table() -> str:
    """The features of CUDA that programs cannot use, as a Markdown table."""
    lines = ["| in host code | headers | names |", "|---|---|---|"]
    lines += [f"| {f.name} | {_codes(f.headers)} | {_codes(f.names)} |" for f in FEATURES]
    reasons: dict[str, list[str]] = {}
    for name, found in (unsupported.WORDS | unsupported.TYPES | unsupported.FUNCTIONS).items():
        reasons.setdefault(found.reason, []).append(name)
    lines += ["", "| in kernels | names |", "|---|---|"]
    lines += [f"| {reason} | {_codes(names)} |" for reason, names in reasons.items()]
    return "\n".join(lines) + "\n"


def _codes(names: Iterable[str]) -> str:
    return ", ".join(map(_code, names))


TABLES: dict[str, Callable[[], str]] = {
    "counters": counter_table,
    "devices": device_table,
    "glossary": view_sections,
    "keys": key_table,
    "programs": unsupported_table,
}


def with_table(name: str) -> str:
    """The page with its table made anew."""
    text = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    before, rest = text.split(begin)
    return before + begin + TABLES[name]() + end + rest.split(end)[1]


@pytest.mark.parametrize("name", TABLES)
def test_a_generated_table_is_that_of_the_code(name: str) -> None:
    assert (DOCS / f"{name}.md").read_text(encoding="utf-8") == with_table(name), "run: python tests/test_docs.py"


def test_every_kind_of_finding_is_explained() -> None:
    text = (DOCS / "findings.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| ([a-z -]+) \| [A-Z]", text, re.MULTILINE)) == {kind.words for kind in FindingKind}


@pytest.mark.parametrize("page", [README, *PAGES], ids=lambda page: page.name)
def test_links_and_pictures_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
        assert link.startswith("https://") or (page.parent / link).exists(), link


@pytest.mark.parametrize("page", [README, DOCS / "architecture.md"], ids=lambda page: page.name)
def test_folders_and_files_of_the_tables_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for path in re.findall(r"`((?:warpview|tests|assets|kernels)/[a-z_/.]*)`", text):
        assert (ROOT / path).exists(), path


def test_the_readme_leads_to_every_page() -> None:
    text = README.read_text(encoding="utf-8")
    assert [page.name for page in PAGES if f"(assets/docs/{page.name})" not in text] == []


def test_the_readme_fits_three_screens() -> None:
    assert README.read_text(encoding="utf-8").count("\n") < 180


def test_the_notebook_example_gives_what_it_says() -> None:
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


def test_the_commands_of_the_readme_are_commands() -> None:
    from warpview.cli.main import COMMANDS

    text = README.read_text(encoding="utf-8")
    block = re.search(r"```\n(warpview .*?)```", text, re.DOTALL)
    assert block
    assert set(re.findall(r"(?:^warpview|\|) ([a-z]+)\b", block[1], re.MULTILINE)) >= COMMANDS


if __name__ == "__main__":
    for _name in TABLES:
        (DOCS / f"{_name}.md").write_text(with_table(_name), encoding="utf-8")
