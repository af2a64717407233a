"""The banner tells of the finding at the step, and a field that is left unreadable says what runs."""

from __future__ import annotations

from PySide6.QtTest import QTest
from ui.stand import Stand


def test_the_banner_follows_the_jumps_to_findings(stand: Stand) -> None:
    with stand.another_run():
        stand.w.session.set_device("h200")
    with stand.another_run():
        stand.w.session.choose("mistakes/not_volatile")
    run, banner = stand.w.session.run, stand.w.banner
    made = {finding.pc for finding in run.findings}
    lines = set()
    for _ in range(12):
        stand.press("F")
        if run.trace.event(stand.step).pc in made:
            assert banner.problems[banner.at].span.line == stand.line
            lines.add(stand.line)
    assert len(lines) > 2


def test_a_field_that_is_left_unreadable_says_what_runs(stand: Stand) -> None:
    field = stand.w.launch_bar.block
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "2000")
    assert field.property("wrong")
    stand.press("Return")
    assert stand.w.banner.isVisible()
    stand.press("Esc")
    assert field.text() == "128"
    assert not field.property("wrong")
