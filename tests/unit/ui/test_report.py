import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from html import unescape
from types import SimpleNamespace

import numpy as np
import pyqtgraph as pg
import pytest
from support.pages import page_tree

from warpview.diagnostics import SourceText, Span
from warpview.profile.counters import BY_KEY
from warpview.sim.checks.findings import Finding
from warpview.sim.raw_counts import N_RAW
from warpview.ui.drawing import palette
from warpview.ui.drawing.picture import Picture
from warpview.ui.drawing.theme import LIGHT
from warpview.ui.export import report as module
from warpview.ui.export.report import ReportExtras, report
from warpview.ui.export.report_views import ReportViews
from warpview.ui.session.backend import Measured
from warpview.ui.views.lanes import lanes_model

SVG = "{http://www.w3.org/2000/svg}"


def test_views_are_drawn_as_vectors_that_follow_the_theme(qapp, scenes):
    """Of each kind of step, hatching and texts that are markup among them."""
    context = scenes().on("branch", nth=2)
    views = ReportViews(context.run)
    drawn = [views.view(key, context, 300) for key in ("lanes", "divergence")]
    drawn.append(views.picture(lambda picture: picture.text(5, 5, "a < b & c"), 40))
    trees = [ElementTree.fromstring(text) for text in drawn]
    assert trees[0].attrib["aria-label"] == context_words(context)
    assert [t.text for t in trees[2].iter(f"{SVG}text")] == ["a < b & c"]
    texts = [t.text for t in trees[0].iter(f"{SVG}text")]
    assert {"w0", "lane"} <= set(texts)
    assert all(f"var(--c{palette.colour(LIGHT, 'active').name()[1:]})" in text for text in drawn[:2])
    assert not any(tree.find(f".//{SVG}image") is not None for tree in trees)
    names = [element.attrib["id"] for tree in trees for element in tree.iter() if "id" in element.attrib]
    assert len(names) == len(set(names))  # in one page


def context_words(context):
    """What the model of the lanes says of a step."""
    said = Picture(900, 300, 15)
    lanes_model.draw(context, said, None)
    return said.spoken


@pytest.fixture
def run(qapp, scenes):
    return reported(scenes)


def reported(scenes):
    """A run with a finding, a line that is busy and two counters."""
    made = scenes().run
    counts = np.zeros((len(made.program.instructions), N_RAW), np.int64)
    counts[14, 0] = 1234
    return SimpleNamespace(
        sample=1.0,
        program=made.program, device=made.device, launch=made.launch, trace=made.trace, counts=counts,
        counters={"inst_executed": 4321, "active_lanes_average": 17.5}, time_us=12.5, time_error_us=0.0,
        findings=[FINDING], allocations=(), registers_per_thread=9, shapes={},
    )  # fmt: skip


FINDING = Finding(
    "race", "thread 3 read <nothing>", Span(SourceText("k.cu", "\n" * 9), 7, 1), 0, (0, 0, 0), (3, 0, 0),
    address=0, count=2,
)  # fmt: skip


def texts(page):
    return list(page_tree(page).itertext())


@pytest.fixture(scope="module")
def page(qapp, scenes):
    """The report of a run without anything besides."""
    return report(reported(scenes), ReportExtras())


def test_a_report_is_one_page_with_nothing_from_outside(run):
    page = report(run, ReportExtras("A reduction", "What it teaches", (5,)))
    page_tree(page)
    assert page.startswith("<!DOCTYPE html>")
    assert "<h1>A reduction</h1>" in page
    assert "What it teaches" in page
    assert "The first divergent branch" in page
    assert "step 5 of" in page
    assert "<b>Race</b>: thread 3 read &lt;nothing&gt; (line 7, 2 times)" in page
    outside = r"\b(src|href)\s*=\s*[\"'](?!#|data:image/png)|url\((?!#|data:font)|@import|http(?!://www.w3.org/(2000/svg|1999/xlink))"
    assert not re.search(outside, page)
    assert page.count("<svg") == page.count("</svg>") >= 4


def test_the_source_is_warm_where_it_is_busy_and_shown_as_it_is(run):
    run.program = replace(run.program, source=SourceText("<b>.cu", "<script>alert(1)</script>\n" * 20))
    page = report(run, ReportExtras("<script>alert(2)</script>"))
    found = texts(page)
    assert page.count("<script") == 1  # the slider's own
    assert "<script>alert" not in page
    assert found.count("<script>alert(1)</script>") >= 20
    assert "<script>alert(2)</script>" in found
    assert re.search(r"background:rgba\(230,159,0,0\.62\)\">&lt;script&gt;alert\(1\)", page)
    assert "1\u202f234</td>" in page


def test_every_colour_that_is_used_is_given_for_light_and_dark(page):
    used = set(re.findall(r"var\((--[\w-]+)\)", page))
    light, dark = (set(re.findall(r"(--[\w-]+):", part)) for part in page.split("prefers-color-scheme")[:2])
    assert used <= light
    assert used <= dark
    assert "lane5" not in page or "--lane5" in light


def test_the_sentences_of_the_steps_are_there(page):
    assert '<li value="1">' in page
    assert "<details>" in page


def test_no_step_is_told_and_only_axes_are_laid_out_twice(run, monkeypatch):
    told, settled = [], []
    caption, settle = module.caption, ReportViews.settle
    monkeypatch.setattr(module, "caption", lambda frame, *rest: told.append(frame.step) or caption(frame, *rest))
    monkeypatch.setattr(ReportViews, "settle", lambda self, scene: settled.append(scene) or settle(self, scene))
    report(run, ReportExtras())
    assert len(told) == len(set(told)) > 10
    assert settled
    assert all(any(isinstance(item, pg.AxisItem) for item in scene.items()) for scene in settled)


def test_counters_carry_their_definitions(page):
    title = re.search(r'<abbr title="([^"]*)">Warp instructions</abbr>', page)
    assert title is not None
    assert BY_KEY["inst_executed"].description in unescape(title.group(1))


def test_a_comparison_is_told_if_there_was_one(run):
    counters = {"inst_executed": 100}, {"inst_executed": 50}
    runs = [Measured(f"run <{n}>", "k", "h200", values) for n, values in enumerate(counters)]
    run.trace = None
    page = report(run, ReportExtras(compared=runs, comparison="two & two"))
    found = texts(page)
    assert "Comparison: two & two" in found
    assert "−50 %" in found
    assert "Comparison" not in report(run, ReportExtras(compared=runs[:1]))


def test_the_roofline_names_the_ladder_that_stands_on_it(run):
    counters = {"time_us": 10.0, "flop_count_sp": 1_000_000, "dram_bytes": 320_000}
    runs = [Measured(f"rung {n}", "k", "h200", counters) for n in range(2)]
    run.trace = None
    page = report(run, ReportExtras(compared=runs, comparison="two & two"))
    assert "Roofline of two & two: FLOP" in texts(page)
    assert page.count('d="M0.5,0 C') >= 2  # points are shapes
    assert "<image" not in page
    run.counters |= counters
    assert "Roofline: FLOP" in texts(report(run, ReportExtras(comparison="of another kernel")))


def test_a_report_without_a_history_has_its_tables(run):
    run.trace = None
    page = report(run, ReportExtras())
    assert "<svg" not in page
    assert "Counters of the whole launch" in page
