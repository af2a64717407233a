"""A page of a report of Nsight Compute becomes a table by kernel and launch, which is read as it was written."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from counted_tables import counter_keys, read, sums_of, write

REPORT = """\
"ID","Kernel Name","smsp__inst_executed.sum","l1tex__t_bytes.sum","gpu__time_duration.sum","smsp__warps.avg"
"","","inst","byte","ns",""
"0","add(float *, int)","1,024","4,096.00","17","2"
"1","add(float *, int)","7","","18","2"
"""


def test_a_page_becomes_a_table(tmp_path: Path) -> None:
    (tmp_path / "raw.csv").write_text(REPORT)
    found = list(sums_of(tmp_path / "raw.csv", lambda name: not name.startswith("gpu")))
    assert found == [
        ("add", {"smsp__inst_executed.sum": 1024, "l1tex__t_bytes.sum": 4096}),
        ("add", {"smsp__inst_executed.sum": 7}),
    ]
    write(tmp_path / "table.json.gz", "NVIDIA H200", {"add": [sums for _, sums in found]})
    assert read(str(tmp_path / "table.json.gz")) == {"add": [sums for _, sums in found]}


def test_metrics_are_known_by_the_keys_of_counters() -> None:
    assert counter_keys()["smsp__inst_executed.sum"] == "inst_executed"
