"""A result shows itself in a notebook: well-formed HTML with what was launched, its counters, findings and output."""

from xml.etree import ElementTree

import numpy as np

import warpview as wv

SCALE = """
__global__ void scale(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) a[i] *= 2;
    if (i == 3) printf("a[3] < %g\\n", a[i]);
}"""


def parts_of(shown):
    """The texts of the elements of a page, by tag; the page is parsed as XML, which is stricter than HTML."""
    root = ElementTree.fromstring(f"<page>{shown._repr_html_()}</page>")
    return {tag: ["".join(e.itertext()) for e in root.iter(tag)] for tag in ("b", "tr", "pre", "li")}


def launched(engine="profile"):
    program = wv.compile(SCALE)
    return wv.simulate(program, grid=4, block=64, args=[np.ones(100, np.float32), 100], device="h200", engine=engine)


def test_a_run_shows_counters_findings_and_output():
    run = launched("sm")
    parts = parts_of(run)
    assert parts["b"] == [f"scale on NVIDIA H200, grid 4x1x1, block 64x1x1: {run.time_us:.4g} µs"]
    assert f"Warp instructions{run.counters['inst_executed']}" in "\n".join(parts["tr"])
    assert len(run.findings) == 2
    assert parts["pre"] == ["\n".join(finding.render() for finding in run.findings), "a[3] < 2\n"]


def test_a_run_without_a_time_or_a_finding_shows_neither():
    run = wv.simulate(wv.compile(SCALE), grid=1, block=32, args=[np.ones(64, np.float32), 40], device="c2050")
    parts = parts_of(run)
    assert parts["b"] == [f"scale on {run.device.name}, grid 1x1x1, block 32x1x1"]
    assert len(parts["pre"]) == 1


def test_a_series_shows_its_counters_in_total():
    step = wv.Step(wv.compile(SCALE), grid=1, block=64, args=[np.ones(64, np.float32), 63])
    series = wv.simulate_series([step, step], device="c2050")
    parts = parts_of(series)
    assert parts["b"][0].startswith("scale and 1 more launch on ")
    assert f"Warp instructions{series.counters['inst_executed']}" in "\n".join(parts["tr"])
    assert parts["pre"] == ["a[3] < 2\na[3] < 4\n"]


def test_long_output_is_cut():
    source = '__global__ void talk() { printf("%d %s\\n", threadIdx.x, "and a text of twenty letters"); }'
    run = wv.simulate(wv.compile(source), grid=8, block=64, args=[], device="h200")
    (text,) = parts_of(run)["pre"]
    whole = "".join(run.output)
    assert text == f"{whole[:10_000]}\n({len(whole) - 10_000:,} more characters)"


def test_a_verdict_shows_a_line_for_each_statement():
    verdict = launched("sm").verdict()
    assert parts_of(verdict)["li"] == verdict.text().splitlines()
