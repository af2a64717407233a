"""The compiler of the package ziglang builds programs, where it is installed: its first use takes about a minute."""

import pytest
from host.test_course_programs import RECORDED, files_of

import warpview as wv
from warpview.host import toolchain

pytest.importorskip("ziglang")


@pytest.mark.parametrize("name", ["errors", "thrust_vectors"])
def test_a_program_prints_what_the_hardware_printed(name, monkeypatch):
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr(toolchain.shutil, "which", lambda _: None)
    compiler = toolchain.find_compiler()
    assert compiler.name == "zig c++"
    monkeypatch.setattr("warpview.host.program.find_compiler", lambda: compiler)
    result = wv.run_program(files_of(name))
    assert result.output == RECORDED[name]["output"]
    assert result.exit_code == RECORDED[name]["exit_code"]
