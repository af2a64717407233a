"""Reports of Nsight Compute are read and set beside a simulated run."""

from pathlib import Path

import pytest

from warpview.diagnostics import WarpviewError
from warpview.profile.counters import BY_KEY
from warpview.profile.nsight import (
    NsightComparison,
    base_name,
    compare,
    find_launch,
    read_report,
    read_report_file,
)

# Cut down from what ncu 2025.3.1 --csv --page raw printed on an H200.
RAW = """==PROF== Connected to process 460 (/tmp/probe)
no error
"ID","Process ID","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","gpu__time_duration.sum",\
"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum","l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",\
"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum","l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",\
"launch__occupancy_limit_warps"
"","","","","","","","","","ns","","","","sector","block"
"0","459","gred","1","7","(32, 1, 1)","(1, 1, 1)","0","9.0","1,728","0","0","1","25","64"
"1","459","gred","1","7","(32, 1, 1)","(2, 1, 1)","0","9.0","1,984","0","0","1","23","64"
"2","459","void sld<double>(const int *, T1 *)","1","7","(32, 1, 1)","(1, 1, 1)","0","9.0","2,144","0","1","0","0","64"
"""

DETAILS = """"ID","Process ID","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name",\
"Metric Name","Metric Unit","Metric Value"
"0","1","reduce(int *)","1","7","(128, 1, 1)","(64, 1, 1)","0","9.0","Command line profiler metrics",\
"gpu__time_duration.sum","msecond","1.5"
"0","1","reduce(int *)","1","7","(128, 1, 1)","(64, 1, 1)","0","9.0","Command line profiler metrics",\
"smsp__inst_executed.sum","inst","12,345"
"0","1","reduce(int *)","1","7","(128, 1, 1)","(64, 1, 1)","0","9.0","Command line profiler metrics",\
"device__attribute_display_name","","NVIDIA H200"
"""


def test_the_raw_page() -> None:
    launches = read_report(RAW)
    assert [launch.kernel.split("(")[0] for launch in launches] == ["gred", "gred", "void sld<double>"]
    assert launches[0].grid == (1, 1, 1)
    assert launches[0].block == (32, 1, 1)
    metric = launches[0].metrics["gpu__time_duration.sum"]
    assert (metric.value, metric.unit) == (1728, "ns")


def test_the_details_page() -> None:
    (launch,) = read_report(DETAILS)
    assert launch.grid == (64, 1, 1)
    assert launch.metrics["smsp__inst_executed.sum"].value == 12345
    assert "device__attribute_display_name" not in launch.metrics, "only numbers"


def test_a_launch_is_found_by_name_and_shape() -> None:
    launches = read_report(RAW)
    assert find_launch(launches, "gred", (2, 1, 1), (32, 1, 1)) is launches[1]
    assert find_launch(launches, "gred", (9, 1, 1), (32, 1, 1)) is launches[0]
    assert find_launch(launches, "sld<float>") is launches[2]
    with pytest.raises(WarpviewError, match=r"no launch of scan; it has gred, sld"):
        find_launch(launches, "scan")


@pytest.mark.parametrize(
    ("name", "base"),
    [
        ("gred", "gred"),
        ("reduce<128>", "reduce"),
        ("void reduce<(int)128>(const int *, int *)", "reduce"),
        ("void mine::scan(float *)", "scan"),
        ("", ""),
    ],
)
def test_names_without_their_clothes(name: str, base: str) -> None:
    assert base_name(name) == base


def test_comparison() -> None:
    launch = read_report(RAW)[0]
    counters = {
        "time_us": 1.728, "global_red_requests": 1, "global_red_sectors": 24, "limit_blocks_warps": 64,
        "shared_ld_wavefronts": 0, "shared_ld_bank_conflicts": None, "barriers": 3,
    }  # fmt: skip
    rows = {row.counter.key: row for row in compare(launch, counters)}
    assert "barriers" not in rows, "no such metric"
    assert rows["time_us"].measured == pytest.approx(1.728)
    assert rows["time_us"].equal
    assert not rows["time_us"].by_rule
    assert rows["global_red_requests"].equal
    assert rows["global_red_sectors"].by_rule
    assert rows["global_red_sectors"].difference_pct == -4
    assert not rows["global_red_sectors"].equal
    assert rows["shared_ld_wavefronts"].difference_pct == 0
    assert rows["shared_ld_bank_conflicts"].difference_pct is None
    assert not rows["shared_ld_bank_conflicts"].equal


def test_units_are_converted() -> None:
    (launch,) = read_report(DETAILS)
    (row,) = compare(launch, {"time_us": 1500.0})
    assert row.measured == 1500
    assert row.equal


def test_what_is_no_report(tmp_path: Path) -> None:
    with pytest.raises(WarpviewError, match="not a CSV export of Nsight Compute"):
        read_report("kernel,time\n")
    with pytest.raises(WarpviewError, match="cannot read"):
        read_report_file(tmp_path / "none.csv")
    assert read_report('"ID","Kernel Name"\n') == ()


def test_a_report_file_has_256_mib_at_most(tmp_path: Path) -> None:
    file = tmp_path / "report.csv"
    file.write_text(RAW, encoding="utf-8")
    assert read_report_file(file) == read_report(RAW)
    with file.open("r+b") as grown:
        grown.truncate((256 << 20) + 1)
    with pytest.raises(WarpviewError, match=r"report\.csv"):
        read_report_file(file)


def test_only_metrics_are_metrics() -> None:
    """Columns without "__" (the process, the device) are no metrics, whether they hold a number or not."""
    for launch in read_report(RAW):
        assert set(launch.metrics) == {name for name in launch.metrics if "__" in name}
        assert len(launch.metrics) == 6


@pytest.mark.parametrize(("measured", "equal"), [(10.0, True), (10.005, True), (9.995, True), (10.006, False)])
def test_equal_means_to_hundredths(measured: float, equal: bool) -> None:
    row = NsightComparison(BY_KEY["inst_executed"], 10, measured, by_rule=False)
    assert row.equal is equal
    assert row.difference == ("=" if equal else "-0.1 %")


def test_what_a_report_rounds_up_is_not_equal() -> None:
    """Nsight Compute prints 0.0051 as 0.01."""
    assert not NsightComparison(BY_KEY["inst_executed"], 0, 0.0051, by_rule=False).equal


def test_nothing_measured_has_no_difference_in_percent() -> None:
    assert NsightComparison(BY_KEY["inst_executed"], 3, 0.0, by_rule=False).difference == ""
    assert NsightComparison(BY_KEY["inst_executed"], 0, 0.0, by_rule=False).difference == "="
    assert NsightComparison(BY_KEY["inst_executed"], None, 5.0, by_rule=False).difference == ""


def test_the_details_page_of_one_metric() -> None:
    header, first, *_ = DETAILS.splitlines()
    (launch,) = read_report(f"{header}\n{first}\n")
    assert launch.metrics["gpu__time_duration.sum"].value == 1.5
