"""A table of the window shows a run as the Visual Profiler and Nsight Compute do."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from warpview.diagnostics import WarpviewError
from warpview.library import entry
from warpview.run import Run, simulate_preset
from warpview.trace.frame import Mark
from warpview.ui.drawing.theme import Look
from warpview.ui.main_window import MainWindow
from warpview.ui.panels.bars import VerdictArea
from warpview.ui.panels.profiler_model import nsight_table, visual_profiler_table
from warpview.ui.panels.profiler_page import ProfilerPage
from warpview.ui.panels.verdict_model import CostPlace, groups, verdict_table
from warpview.ui.session.landing import Landing

REPORT = (
    '"ID","Kernel Name","Block Size","Grid Size","l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",'
    '"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum","smsp__inst_executed.sum"\n"","","","","sector","","inst"\n'
    '"0","reduce_interleaved(const int *)","(128, 1, 1)","(4, 1, 1)","64","17","1,000"\n'
)


@pytest.fixture(scope="module")
def run() -> Run:
    return simulate_preset(entry("reduction/interleaved"), "step", "fx5800").launches[0]


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "report.csv"
    path.write_text(REPORT)
    return path


def test_the_visual_profilers_rows(run: Run) -> None:
    table = visual_profiler_table(run)
    rows = {row[0].text: [cell.text for cell in row] for row in table.rows}
    assert rows["gld_64b"][1:4] == ["TPC", "24", "32"]
    assert "scaled to the whole grid" in table.about


def test_the_rows_beside_a_report(run: Run, report: Path) -> None:
    table = nsight_table(run, report)
    roles = {row[1].text: row[4].role for row in table.rows}
    assert roles["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] == "good"
    assert roles["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"] == "error"
    assert roles["smsp__inst_executed.sum"] == "number"
    assert "1 of 2 metrics" in table.about


def test_the_page(qtbot: QtBot, look: Look, run: Run, report: Path) -> None:
    page = ProfilerPage(look)
    qtbot.addWidget(page)
    look.set_scale(1.25)
    assert page.table.rowCount() == 0
    page.show_table(visual_profiler_table(run))
    assert page.table.horizontalHeaderItem(2).text() == "counted"
    page.show_table(nsight_table(run, report))
    assert page.table.rowCount() == 3
    for column in range(page.table.columnCount()):  # a heading stands where its cells do
        aligned = page.table.horizontalHeaderItem(column).textAlignment() & Qt.AlignmentFlag.AlignRight
        assert aligned == page.table.item(0, column).textAlignment() & Qt.AlignmentFlag.AlignRight
    assert not page.table.horizontalHeader().stretchLastSection(), "a number stands beside its neighbours"
    look.set_scale(1.0)
    with pytest.raises(WarpviewError):
        page.show_table(nsight_table(run, report.with_name("none.csv")))
    assert page.table.rowCount() == 3, "what was shown stays"


def test_from_the_menu(window: MainWindow, run: Run, report: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window.session, "run", run)
    window.actions_["visual_profiler"].trigger()
    assert window.pages.shows_no_step
    assert window.profiler.table.rowCount() > 10
    written = report.with_name("visual.csv")
    window.dialogs.ask_save = lambda *_: written
    window.actions_["export_counters"].trigger()
    with written.open(newline="") as file:
        rows = {row["counter"]: row for row in csv.DictReader(file)}
    assert rows["gld_64b"]["extrapolated"] == "32"
    assert rows["instructions"]["extrapolated"].isdigit()  # thousands
    window.escape.leave()
    assert not window.pages.shows_no_step
    window.dialogs.ask_open = lambda *_: report
    window.actions_["nsight"].trigger()
    assert window.profiler.table.rowCount() == 3
    window.profiler.closed.emit()
    assert not window.pages.shows_no_step


def test_what_does_not_fit_is_said(
    window: MainWindow, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window.session, "run", run)
    (tmp_path / "other.csv").write_text("kernel,time\n")
    window.dialogs.ask_open = lambda *_: tmp_path / "other.csv"
    window.actions_["nsight"].trigger()
    assert not window.pages.shows_no_step
    assert window.banner.isVisible()
    window.banner.close_banner()
    window.dialogs.ask_open = lambda *_: None
    window.actions_["nsight"].trigger()
    assert not window.pages.shows_no_step


def test_switches_of_the_device(tmp_path: Path) -> None:
    """Loads around the L1 of CC 2.x, and the banks of CC 3.x."""
    from warpview.ui.session.backend import Setup
    from warpview.ui.session.engine import Engine

    text = (
        "__global__ void shift(const float *in, float *out) {\n"
        "    __shared__ float tile[128];\n    int t = threadIdx.x;\n    tile[t] = in[t + 1];\n"
        "    __syncthreads();\n    out[t] = tile[3 * t % 128];\n}\n"
    )
    setup = Setup("shift.cu", text, str(tmp_path / "shift.cu"), "", "c2050", block=(128, 1, 1),
                  arguments={"in": "iota:129", "out": "zeros:128"})  # fmt: skip

    def counters(device: str, **switches: bool) -> dict[str, object]:
        (measured,) = Engine().measure([("", replace(setup, device=device, **switches))], lambda *_: True)
        assert not measured.problem
        return dict(measured.counters)

    assert counters("c2050")["global_ld_sectors"] == 32
    assert counters("c2050", bypass_l1=True)["global_ld_sectors"] == 20
    assert counters("k40")["shared_ld_wavefronts"] == 4
    assert counters("k40", wide_banks=True)["shared_ld_wavefronts"] == 8
    assert counters("c2050", wide_banks=True)["shared_ld_wavefronts"] == 4, "it has no other banks"


def test_a_launch_that_ended_early_is_no_measure() -> None:
    from warpview.ui.session.backend import Setup
    from warpview.ui.session.engine import Engine

    engine = Engine()
    variant = next(v for f in engine.families() for v in f.variants if v.key == "mistakes/barrier_in_branch")
    setup = Setup(variant.key, variant.text, variant.file_name, variant.entry, "h200").with_preset(variant.presets[0])
    (measured,) = engine.measure([("", setup)], lambda *_: True)
    assert measured.problem.startswith("ended early, ")
    assert not measured.counters


def click_bar(bars: VerdictArea, plot: int, row: int) -> None:
    """Click on the name of a bar, at the left of the plot."""
    view = bars.plots[plot].vb
    place = view.mapViewToScene(QPointF(view.viewRange()[0][0], row)) - QPointF(8, 0)
    QTest.mouseClick(bars.viewport(), Qt.MouseButton.LeftButton, pos=bars.mapFromScene(place))


def test_the_verdict_leads_to_the_step_where_a_cost_shows(window: MainWindow, qtbot: QtBot) -> None:
    window.session.show("transpose/tile_32", "h200", None, Landing())
    qtbot.waitUntil(lambda: not window.runner.busy and window.session.current)
    window.actions_["why"].trigger()
    qtbot.waitUntil(lambda: window.pages.shows_no_step)
    bars = window.profiler.bars
    assert bars.isVisible()
    lines, gains, shares = bars.groups
    names = [row.name for row in gains.rows]
    conflicts = names.index("without conflicts in shared and constant memory")
    assert float(gains.rows[conflicts].figures.removesuffix("×")) > 1.05
    line = int(lines.rows[0].name.split()[0])
    click_bar(bars, 1, conflicts)
    assert not window.pages.shows_no_step
    trace = window.session.run.trace
    assert trace.event(window.selection.now.step).marks & Mark.CONFLICT
    click_bar(bars, 0, 0)
    pc = trace.event(window.selection.now.step).pc
    assert window.session.run.program.instructions[pc].span.line == line
    window.player.first()
    step = window.selection.now.step
    click_bar(bars, 2, [row.name for row in shares.rows].index("shared memory"))  # no single step shows it
    assert window.selection.now.step == step


def test_a_grid_too_small_for_the_device_is_said(run: Run) -> None:
    found = run.verdict()
    table = verdict_table(found, "k")
    assert "multiprocessors have no block: the grid is too small" in table.title
    shares = groups(found)[2]
    lanes = [row.name for row in shares.rows].index("active lanes per warp (branches diverge)")
    assert shares.rows[lanes].figures == f"{float(run.counters['active_lanes_average']):.1f} of 32"
    assert shares.places[lanes] == CostPlace(mark=Mark.DIVERGENCE)
    assert (
        f"Utilisation,active lanes per warp (branches diverge),{shares.rows[lanes].figures}"
        in table.to_csv().splitlines()
    )


def test_all_bars_of_a_verdict_are_percent_and_the_limiter_stands_out(run: Run) -> None:
    found = replace(run.verdict(), limiter="shared memory")
    rows = [row for group in groups(found) for row in group.rows]
    assert all(0 <= row.value <= 100 for row in rows)
    assert [row.name for row in rows if row.colour == "conflict"] == ["shared memory"]
    nothing = groups(replace(found, gains=()))[1]
    assert [row.name for row in nothing.rows] == ["none significant"]
