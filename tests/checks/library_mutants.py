"""Change the library's kernels a little: which changes alter a result on a GPU, and which does warpview find?

    python tests/checks/library_mutants.py warpview [--output FILE]      on any machine
    python tests/checks/library_mutants.py gpu [--output FILE]           with nvcc and an NVIDIA GPU

Each writes a JSON file, by mutant. On the GPU every mutant runs three times at each preset; one with a wrong result
also runs under each tool of compute-sanitizer at the small preset, where that is installed. ``table FILE FILE`` prints
both together.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "truth")]

from warpview import library  # noqa: E402
from warpview.diagnostics import SourceText, WarpviewError  # noqa: E402

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
SECONDS = 20
RUNS = 3
# class -> (pattern, replacement); each place where the pattern matches is one mutant
CHANGES: dict[str, list[tuple[str, str]]] = {
    "barrier dropped": [(r"__syncthreads\(\);", ";"), (r"__syncwarp\([^;]*\);", ";")],
    "fence dropped": [(r"__threadfence(_block)?\(\);", ";")],
    "atomic dropped": [(r"atomicAdd\(&?([\w\[\]. +*%/]+), ([^;]+)\);", r"\1 += \2;")],
    "bounds check dropped": [
        (r"if \(([^()]*[<>]=? *(n|width|height|rows|columns|count)\b[^()]*)\)", r"if (true || (\1))"),
        (r"\b(\w+) < (n|width|height|rows|columns|count)\b", r"\1 <= \2"),
    ],
    "index swapped": [
        (r"\[threadIdx\.x\]\[threadIdx\.y\]", "[threadIdx.y][threadIdx.x]"),
        (r"\[threadIdx\.y\]\[threadIdx\.x\]", "[threadIdx.x][threadIdx.y]"),
        (r"\[(\w+) \+ 1\]", r"[\1 + 2]"),
        (r"\[(\w+) - 1\]", r"[\1 - 2]"),
        (r"\[(tid|t|i|threadIdx\.x)\]", r"[\1 + 1]"),
    ],
}


@dataclass(frozen=True)
class Mutant:
    """Hold a changed kernel file of the library."""

    entry: library.Entry
    change: str
    line: int
    number: int
    text: str

    @property
    def key(self) -> str:
        return f"{self.entry.key}:{self.line}:{self.change}:{self.number}"


def mutants() -> Iterator[Mutant]:
    """Yield every mutant of the kernels without known mistakes, one a place and file."""
    seen = set()
    for entry in library.kernels():
        if entry.family == "mistakes" or entry.findings:
            continue
        text, number = entry.source.text, 0
        for change, rules in CHANGES.items():
            for pattern, replacement in rules:
                for match in re.finditer(pattern, text):
                    changed = text[: match.start()] + match.expand(replacement) + text[match.end() :]
                    if (entry.source.name, entry.kernel, changed) not in seen:
                        seen.add((entry.source.name, entry.kernel, changed))
                        number += 1
                        yield Mutant(entry, change, text.count("\n", 0, match.start()) + 1, number, changed)


def by_warpview(mutant: Mutant) -> dict[str, object]:
    """Return the kinds of findings of a mutant, and whether its result is wrong."""
    from warpview.run import Changes, simulate_preset
    from warpview.sim.checks.findings import WRONG_RESULTS

    source = SourceText(mutant.entry.source.name, mutant.text)
    kinds: set[str] = set()
    try:
        for preset in ("step",):
            series = simulate_preset(mutant.entry, preset, "h200", Changes(source=source))
            kinds |= {finding.kind for finding in series.findings}
    except WarpviewError as error:
        return {"refused": str(error).splitlines()[0]}
    return {"found": sorted(kinds - WRONG_RESULTS), "wrong": bool(kinds & WRONG_RESULTS)}


def by_gpu(mutant: Mutant) -> dict[str, object]:
    """Return whether a mutant's result is wrong on the GPU, and which tools of compute-sanitizer report something."""
    from record_library import Case, build, difference, prepare

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "mutant.cu"
        path.write_text(mutant.text, encoding="utf-8")
        for other in mutant.entry.path.parent.iterdir():
            if other.suffix in (".cuh", ".h"):
                shutil.copy(other, folder)
        entry = replace(mutant.entry, path=path)
        cases = [Case(entry, p, library.launch_arguments(entry, p)) for p in entry.presets]
        prepare(cases, folder)
        if complaint := build(folder, entry.defines):
            return {"refused": complaint.splitlines()[0]}
        wrong = []
        for case in cases * RUNS:
            ended = _run("./driver", case.preset, folder=folder)
            wrong.append("crash" if ended is None or ended.returncode else difference(case, folder) or "")
        reports = []
        for tool in TOOLS if any(wrong) and shutil.which("compute-sanitizer") else ():
            ended = _run(
                "compute-sanitizer", "--tool", tool, "--error-exitcode", "9", "./driver", "step", folder=folder
            )
            if ended is None or ended.returncode == 9:
                reports.append(tool)
            elif ended.returncode:
                reports.append(f"{tool} failed" if "ERROR SUMMARY: 0" in ended.stdout else tool)
        return {"wrong": any(wrong), "crash": "crash" in wrong, "reports": reports}


def _run(*command: str, folder: Path) -> subprocess.CompletedProcess[str] | None:
    """Run a command; None where it takes too long."""
    try:
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None


def table(ours: dict[str, dict[str, object]], theirs: dict[str, dict[str, object]]) -> str:
    """Return a Markdown table: by class of change, how many mutants change a result on the GPU, and who finds them."""
    lines = ["| change | mutants | change a result | warpview | compute-sanitizer |", "|---|---|---|---|---|"]
    total: Counter[str] = Counter()
    for change in CHANGES:
        keys = [
            k for k in theirs if k.split(":")[2] == change and "refused" not in theirs[k] | ours.get(k, {"refused": 1})
        ]
        wrong = [k for k in keys if theirs[k]["wrong"]]
        found = [k for k in wrong if ours[k]["found"] or ours[k]["wrong"]]
        reported = [k for k in wrong if theirs[k]["reports"]]
        lines.append(f"| {change} | {len(keys)} | {len(wrong)} | {len(found)} | {len(reported)} |")
        total.update(mutants=len(keys), wrong=len(wrong), found=len(found), reported=len(reported))
    lines.append(f"| all | {total['mutants']} | {total['wrong']} | {total['found']} | {total['reported']} |")
    return "\n".join(lines)


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("what", choices=("warpview", "gpu", "table"))
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    if options.what == "table":
        ours, theirs = (json.loads(path.read_text()) for path in options.files)
        print(table(ours, theirs.get("mutants", theirs)))
        return
    chosen = list(mutants())
    workers = 1 if options.what == "warpview" else 12
    with ThreadPoolExecutor(workers) as pool:
        results = pool.map(by_warpview if options.what == "warpview" else by_gpu, chosen)
        found: dict[str, dict[str, object]] = {}
        for mutant, result in zip(chosen, results, strict=True):
            found[mutant.key] = result
            if options.output is not None and (len(found) % 20 == 0 or len(found) == len(chosen)):
                options.output.write_text(json.dumps(found, indent=1))
    if options.output is None:
        print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
