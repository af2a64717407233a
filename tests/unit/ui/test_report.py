import re
import xml.etree.ElementTree as ElementTree
from types import SimpleNamespace

import numpy as np
import pytest

from warpview.sim.layout import N_RAW
from warpview.ui import palette
from warpview.ui.export.report import report
from warpview.ui.export.svg import to_svg
from warpview.ui.picture import Box
from warpview.ui.theme import LIGHT
from warpview.ui.views import divergence_model, lanes_model


def colours(token):
    return palette.colour(LIGHT, token).name()


def test_a_picture_becomes_well_formed_svg(scenes, picture):
    p = picture()
    context = scenes().pc(11, nth=2)
    lanes_model.draw(context, p, None)
    divergence_model.draw(context, p)
    p.rect(Box(1, 1, 5, 5), None, "barrier", hatch="barrier", dash=True)
    p.cover(Box(0, 0, 20, 20))
    p.text(5, 5, "a < b & c")
    tree = ElementTree.fromstring(to_svg(p, colours))
    assert tree.attrib["aria-label"] == p.spoken
    texts = [t.text for t in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert "a < b & c" in texts
    assert {text for text, _ in p.text_boxes()} <= set(texts)
    assert tree.find(".//{http://www.w3.org/2000/svg}pattern") is not None


@pytest.fixture
def run(scenes):
    made = scenes().run
    counts = np.zeros((len(made.program.instructions), N_RAW), np.int64)
    counts[14, 0] = 1234
    return SimpleNamespace(
        program=made.program, device=made.device, launch=made.launch, trace=made.trace, counts=counts,
        counters={"warp_instructions": 4321, "instructions_executed": 4321}, time_us=12.5,
        findings=[SimpleNamespace(message="thread 3 read <nothing>")],
    )  # fmt: skip


def test_a_report_is_one_page_with_nothing_from_outside(run):
    page = report(run, steps=[5], title="A reduction")
    assert page.startswith("<!DOCTYPE html>")
    assert "<h1>A reduction</h1>" in page
    assert "The first divergence" in page
    assert "A step chosen: step 5" in page
    assert "1\u202f234</b>" in page
    assert "thread 3 read &lt;nothing&gt;" in page
    assert not re.search(r'(src|href)\s*=\s*"', page)
    assert page.count("<svg") == page.count("</svg>") >= 4


def test_a_report_without_a_history_has_its_tables(run):
    run.trace = None
    page = report(run)
    assert "<svg" not in page
    assert "Counters of the whole launch" in page
