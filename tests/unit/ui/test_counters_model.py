"""Rows of the counter table, without a window."""

from ui.fakes import make_run

from warpview.run import Part
from warpview.ui.views.counters_model import CounterTable


def _row(table, key):
    return next(row for row in table.ordered(()) if row.counter.key == key)


def test_the_run_before_and_how_far_this_one_is_from_it():
    run = make_run()
    instructions = run.counters["inst_executed"]
    table = CounterTable(run, {"inst_executed": 2 * instructions, "barriers": run.counters["barriers"]})
    assert table.has_earlier
    assert _row(table, "inst_executed").from_earlier.endswith("  −50 %")
    assert _row(table, "barriers").from_earlier.endswith("  =")
    assert _row(table, "thread_inst_executed").from_earlier == "–"


def test_what_only_the_run_before_did_is_a_row_still():
    table = CounterTable(make_run(), {"atomic_collisions": 7})
    assert _row(table, "atomic_collisions").from_earlier == "7  −100 %"
    assert "atomic_collisions" not in {row.counter.key for row in CounterTable(make_run()).rows}


def test_pinned_rows_come_first_even_where_nothing_happened():
    table = CounterTable(make_run())
    rows = table.ordered(("atomic_collisions", "barriers"))
    assert {row.counter.key for row in rows[:2]} == {"atomic_collisions", "barriers"}
    assert [row.counter.key for row in rows[2:]] == [r.counter.key for r in table.rows if r.counter.key != "barriers"]


def test_the_counters_of_a_series():
    run = make_run()
    assert not CounterTable(run).in_series
    run.part = Part(0, 3, {"barriers": 99})
    table = CounterTable(run)
    assert table.in_series
    assert _row(table, "barriers").series == 99
