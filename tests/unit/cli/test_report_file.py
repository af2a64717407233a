"""``warpview run --report`` writes a page of a real run that is well formed and says what the run did."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.pages import page_tree

from warpview.__main__ import html_report
from warpview.cli import main


@pytest.mark.parametrize("kernel", ["reduction/interleaved", "matmul/tiled"])
def test_the_report_of_a_real_run_is_a_whole_page(kernel: str, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    with pytest.raises(SystemExit) as exit:
        main(["run", kernel, "-p", "step", "-d", "c2050", "--report", str(path)], html_report)
    assert exit.value.code in (0, None)
    page = path.read_text(encoding="utf-8")
    assert "Where the time went" in list(page_tree(page).itertext())
    assert page.endswith("</html>\n")
    assert page.count("<svg") == page.count("</svg>") >= 4
    assert not re.search(r"\bnan\b|Traceback", page)


RACY = """__global__ void reverse(const int *in, int *out) {
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = s[63 - threadIdx.x];
}
"""


def test_the_report_draws_a_race_in_both_orders(tmp_path: Path) -> None:
    source, path = tmp_path / "racy.cu", tmp_path / "page.html"
    source.write_text(RACY)
    words = ["--grid", "1", "--block", "64", "--arg", "in=iota:64", "--arg", "out=zeros:64", "--report", str(path)]
    with pytest.raises(SystemExit):
        main(["run", str(source), *words], html_report)
    page = path.read_text(encoding="utf-8")
    section = page[page.index('<section class="replay">') :].partition("</section>")[0]
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", section)
    assert "In the usual order" in texts
    assert sum(text.startswith("Executed ") for text in texts) == 1
    reads = [text for text in texts if text.startswith("reads s[")]
    assert len(reads) == 2
    assert reads[0] != reads[1]
    assert len([text for text in texts if text.startswith("out[")]) == 2
    assert any(text.startswith("writes s[") for text in texts)
    assert {text for text in texts if text.startswith("line ")} >= {"line 4: out[threadIdx.x] = s[63 - threadIdx.x];"}


def test_a_report_without_races_has_no_replay(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    with pytest.raises(SystemExit):
        main(["run", "vector/add", "-p", "step", "--report", str(path)], html_report)
    assert 'class="replay"' not in path.read_text(encoding="utf-8")


WITHOUT_GRAPHICS = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name == "PySide6.QtGui":
            raise ImportError("libEGL.so.1: cannot open shared object file")

sys.meta_path.insert(0, Missing())
from warpview.__main__ import main

sys.argv = ["warpview", *sys.argv[1:]]
main()
"""


@pytest.mark.parametrize("window", [True, False])
def test_a_system_without_graphics_is_told_what_qt_lacks(window: bool, tmp_path: Path) -> None:
    page, table = tmp_path / "page.html", tmp_path / "counters.csv"
    with_page = ["run", "reduction/interleaved", "-p", "step", "--report", str(page), "--csv", str(table)]
    words = ["reduction/interleaved"] if window else with_page
    command = [sys.executable, "-P", "-c", WITHOUT_GRAPHICS, *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 2
    assert "warpview: Qt cannot be loaded: libEGL.so.1" in done.stderr
    assert "Traceback" not in done.stderr
    assert not page.exists()
    # The counters, which need no picture, are written before.
    assert window or "interleaved" in table.read_text(encoding="utf-8")
