"""Run whole programs under test: they need a C++ compiler, and say so where there is none."""

import shutil
from hashlib import sha256
from pathlib import Path

import pytest

from warpview.host.toolchain import NoCompiler, find_compiler

PROGRAMS = Path(__file__).parent / "programs"


@pytest.fixture(autouse=True)
def _compiler():
    try:
        find_compiler()
    except NoCompiler as error:
        pytest.skip(str(error))


@pytest.fixture
def tmp_path(request):
    """An empty folder of the test, at the same place in every session: a program that lies where it did is compiled
    once, for its path is a part of it."""
    folder = request.config.cache.mkdir("host") / sha256(request.node.nodeid.encode()).hexdigest()[:16]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


@pytest.fixture
def program(tmp_path):
    """Write a program to a file of its own; returns its path."""

    def write(text, name="program.cu"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write
