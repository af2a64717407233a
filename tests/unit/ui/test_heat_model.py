"""A counter is told by line and by instruction."""

from __future__ import annotations

import pytest
from ui.small_run import small_run

from warpview.ui.views.instructions.heat_model import Heat, choices, instruction_heat, line_heat


@pytest.mark.parametrize("key", [None, "inst_executed", "thread_inst_executed", "shared_ld_wavefronts"])
def test_lines_and_instructions_add_up_to_the_counter(key: str | None) -> None:
    run = small_run()
    total = run.counters[key or "inst_executed"]
    for heat in (line_heat(run, key), instruction_heat(run, key)):
        assert max(heat.share.values()) == 1.0
        assert sum(heat.share.values()) * _most(heat) == pytest.approx(total)


def _most(heat: Heat) -> float:
    return float(heat.most.split(" ")[0].replace("\u202f", ""))


def test_it_says_the_counter_the_value_and_the_part() -> None:
    run = small_run()
    heat = line_heat(run, "divergent_branches")
    assert heat.title == "Divergent branches"
    assert heat.scale.startswith("heat: Divergent branches, up to ")
    assert all("%" in words for words in heat.words.values())
    assert "%)" not in "".join(line_heat(run, "branch_efficiency_pct").words.values())
    assert Heat().scale == "heat"
    assert line_heat(run, "no counter").title == "Warp instructions"


def test_only_what_was_counted_can_be_chosen() -> None:
    run = small_run()
    keys = {counter.key for counters in choices(run).values() for counter in counters}
    assert {"inst_executed", "divergent_branches", "shared_ld_wavefronts"} <= keys
    assert "inst_local_ld" not in keys
    assert "cycles" not in keys


def test_a_heat_that_is_the_same_everywhere_is_weak() -> None:
    even, uneven, single = Heat(share={1: 1.0, 2: 1.0}), Heat(share={1: 1.0, 2: 0.5}), Heat(share={1: 1.0})
    assert 0 < even.strength(1) == even.strength(2) < uneven.strength(2) < uneven.strength(1) == single.strength(1)
    assert even.strength(3) == 0
