"""Rows of the counter table are modelled without a window."""

from dataclasses import replace

from ui.small_run import small_run

from warpview.profile.counters import COUNTERS, LABEL
from warpview.run import SeriesPosition
from warpview.ui.views.counters.counters_model import CounterTable, arranged, broken, columns_that_fit


def _row(table, key):
    return next(row for row in table.ordered(()) if row.counter.key == key)


def _table(earlier=None):
    table = CounterTable(small_run())
    table.compare(earlier)
    return table


def test_the_run_before_and_how_far_this_one_is_from_it():
    run = small_run()
    instructions = run.counters["inst_executed"]
    table = _table({"inst_executed": 2 * instructions, "barriers": run.counters["barriers"], "divergent_branches": 0})
    assert table.has_earlier
    assert _row(table, "inst_executed").from_earlier.endswith("  −50 %")
    assert _row(table, "barriers").from_earlier.endswith("  =")
    assert _row(table, "thread_inst_executed").from_earlier == "–"
    assert _row(table, "thread_inst_executed").share < 0
    assert _row(table, "inst_executed").share == 0.5
    assert _row(table, "divergent_branches").difference == f"+{run.counters['divergent_branches']}"
    table.compare(None)
    assert not table.has_earlier
    assert _row(table, "inst_executed").earlier is None


def test_many_times_as_much_is_a_factor():
    table = _table({"inst_executed": 1})
    assert _row(table, "inst_executed").difference.endswith("×")


def test_what_only_the_run_before_did_is_a_row_still():
    table = _table({"atomic_collisions": 7})
    assert _row(table, "atomic_collisions").from_earlier == "7  −100 %"
    assert "atomic_collisions" not in {row.counter.key for row in CounterTable(small_run()).rows}


def test_pinned_rows_come_first_even_where_nothing_happened():
    table = CounterTable(small_run())
    rows = table.ordered(("atomic_collisions", "barriers"))
    assert {row.counter.key for row in rows[:2]} == {"atomic_collisions", "barriers"}
    assert [row.counter.key for row in rows[2:]] == [r.counter.key for r in table.rows if r.counter.key != "barriers"]


def test_the_counters_of_a_series():
    run = small_run()
    assert not CounterTable(run).in_series
    table = CounterTable(replace(run, part=SeriesPosition(0, 3, {"barriers": 99})))
    assert table.in_series
    assert _row(table, "barriers").series == 99


def test_a_counter_that_is_asked_for_is_a_row_even_where_nothing_happened():
    rows = CounterTable(small_run()).ordered((), "atomic_collisions")
    assert "atomic_collisions" in {row.counter.key for row in rows}


def test_every_counter_has_a_name_of_its_own_that_a_narrow_table_has_room_for():
    labels = [counter.label for counter in COUNTERS]
    assert [label for label in labels if len(label) > LABEL] == []
    assert len(set(labels)) == len(labels)


def test_columns_are_left_out_rather_than_names_cut():
    widths = {1: 80, 2: 70, 5: 60, 3: 90}
    assert columns_that_fit(widths, 300) == {1, 2, 5, 3}
    assert columns_that_fit(widths, 215) == {1, 2, 5}
    assert columns_that_fit(widths, 145) == {1, 5}
    assert columns_that_fit(widths, 10) == {1}


def test_long_names_are_broken_where_a_part_ends():
    name = "smsp__sass_average_branch_targets_threads_uniform.pct"
    lines = broken(name, 30, len)
    assert "".join(lines) == name
    assert len(lines) == 2
    assert all(len(line) <= 31 and line.rstrip("_.") for line in lines)
    assert broken("Block barriers", 100, len) == ["Block barriers"]


def test_rows_are_filtered_and_sorted_below_the_pinned_ones():
    rows = _table().rows
    keys = [row.counter.key for row in rows]
    assert [row.counter.key for row in arranged(rows, 0, "", (), None)] == keys
    assert [row.counter.key for row in arranged(rows, 0, "block BARRIERS", (), None)] == ["barriers"]
    assert all(row.name(2) for row in arranged(rows, 2, "", (), None))
    for descending in (False, True):
        found = arranged(rows, 0, "", ("barriers",), lambda row: float(row.launch or 0), descending)
        values = [row.launch or 0 for row in found[1:]]
        assert found[0].counter.key == "barriers"
        assert values == sorted(values, reverse=descending)
        assert len(found) == len(rows)
