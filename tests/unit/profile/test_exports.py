"""Files of counters hold numbers, names, text that no spreadsheet takes for a formula, lines and instructions."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview.profile import export
from warpview.profile.counters import BY_KEY
from warpview.profile.lines import attributed_counters, by_line, lines_csv

SOURCE = "__global__ void k(int *a) {\n  int i = threadIdx.x;\n  a[i] =\n1;\n  if (i > 3)\n    a[i] = 2;\n}\n"


@pytest.fixture(scope="module")
def run() -> wv.Run:
    return wv.simulate(wv.compile(SOURCE), 2, 32, [np.zeros(32, np.int32)], device="8800gtx")


@pytest.mark.parametrize(
    ("cell", "text"),
    [("=1", "'=1"), ("+a", "'+a"), ("-a", "'-a"), ("@a", "'@a"), ("\ta", "'\ta"), ("a=1", "a=1"), ("", ""), (-4, -4)],
)
def test_a_cell_is_never_a_formula(cell: str | int, text: str | int) -> None:
    assert export.as_text(cell) == text


@pytest.mark.parametrize(("value", "text"), [(None, ""), (0, "0"), (12345678, "12345678"), (2 / 3, "0.666667")])
def test_numbers_are_written_for_programs_to_read(value: float | None, text: str) -> None:
    assert export.as_number(value) == text


def test_the_ending_chooses_the_format(run: wv.Run, tmp_path: Path) -> None:
    for name in ("a.json", "a.csv", "a.txt"):
        export.write(tmp_path / name, [run.row])
    text = (tmp_path / "a.json").read_text()
    assert json.loads(text)[0]["blocks_launched"] == 2
    assert text.startswith('[\n  {\n    "kernel": "k",')
    for name in ("a.csv", "a.txt"):
        (row,) = csv.DictReader((tmp_path / name).read_text().splitlines())
        assert (row["kernel"], row["blocks_launched"], row["cycles"]) == ("k", "2", "")


def test_each_line_is_followed_by_its_instructions(run: wv.Run) -> None:
    counters = [BY_KEY["inst_executed"], BY_KEY["divergent_branches"]]
    places = attributed_counters(run.program, run.counts, counters)
    pcs = [place.pc for place in places if place.pc is not None]
    assert sorted(pcs) == list(range(len(run.program.instructions)))
    for k, place in enumerate(places):
        if place.pc is None:
            own = []
            for following in places[k + 1 :]:
                if following.pc is None:
                    break
                own.append(following)
            assert {p.line for p in own} == {place.line}
            assert [sum(p.values[c] or 0 for p in own) for c in (0, 1)] == list(place.values)
    assert sum(place.values[0] or 0 for place in places if place.pc is None) == run.counters["inst_executed"]
    lines = by_line(counters[0], run.program, run.counts)
    assert lines == {place.line: place.values[0] for place in places if place.pc is None}
    assert list(lines) == sorted(lines)


def test_counters_of_the_launch_have_no_line(run: wv.Run) -> None:
    header = lines_csv(run.program, run.counts, BY_KEY.values()).splitlines()[0].split(",")
    assert header[:3] == ["line", "instruction", "text"]
    assert "inst_executed" in header
    assert "blocks_launched" not in header


def test_the_instruction_column_is_empty_on_the_row_of_a_line(run: wv.Run) -> None:
    rows = list(csv.DictReader(lines_csv(run.program, run.counts, [BY_KEY["inst_executed"]]).splitlines()))
    numbers = [row["instruction"] for row in rows]
    assert "" in numbers
    assert sorted(int(number) for number in numbers if number) == list(range(len(run.program.instructions)))
    first = numbers.index("")
    assert int(rows[first]["line"]) > 0
    assert numbers[first + 1] != "", "a line comes before its instructions"
