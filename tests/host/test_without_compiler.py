"""A launch is read from the text where ``main`` cannot run: sizes that the text does not tell are asked for."""

import pytest

from warpview.cli import main
from warpview.host import toolchain

PROGRAM = r"""
template <typename T, int WIDTH>
__global__ void rowSum(const T *in, T *out, int rows, int columns) {
    int row = blockIdx.x;
    if (threadIdx.x == 0 && row <= rows) {
        T sum = 0;
        for (int k = 0; k < columns; ++k) sum += in[row * columns + k];
        out[row] = sum;
    }
}
__global__ void scale(float *x, float by, int n) { if (threadIdx.x < n) x[threadIdx.x] *= by; }
int main(int argc, char **argv) {
    const int n = 64;
    float *x = nullptr, *y = nullptr;
    rowSum<float, 64><<<n + 1, n>>>(x, y, n, 64);
    scale<<<1, argc * 32>>>(x, 2.0f, argc);
    BODY
}
"""
BUFFERS = ("--arg", "in=constant:4096", "--arg", "out=zeros:64")


def run(path, capfd, *arguments):
    with pytest.raises(SystemExit) as ended:
        main(["run", str(path), *arguments])
    out, err = capfd.readouterr()
    return ended.value.code, out, " ".join(err.split())


@pytest.fixture
def no_compiler(monkeypatch):
    def find():
        raise toolchain.NoCompiler("no C++ compiler was found")

    monkeypatch.setattr("warpview.host.program.find_compiler", find)


@pytest.mark.usefixtures("no_compiler")
def test_what_the_text_does_not_tell_is_asked_for(program, capfd):
    code, _, err = run(program(PROGRAM.replace("BODY", "")), capfd)
    assert code == 2
    assert "main does not run: no C++ compiler was found" in err
    assert "launch 1 of 2 (--launch chooses another) as the text has it: rowSum<float" in err
    assert "rows = 64, columns = 64" in err
    assert "does not tell in, out by its text: give --arg in=zeros:COUNT --arg out=zeros:COUNT" in err


@pytest.mark.usefixtures("no_compiler")
def test_a_launch_that_the_text_does_not_size_needs_options(program, capfd):
    code, _, err = run(program(PROGRAM.replace("BODY", "")), capfd, "--launch", "2")
    assert code == 2
    assert "say how to launch scale: --grid and --block" in err


def test_what_was_assumed_is_said_beside_a_finding(program, capfd):
    path = program(PROGRAM.replace("BODY", ""))
    _, out, _ = run(path, capfd, "--kernel", "rowSum<float,64>", *BUFFERS)
    (line,) = [line for line in out.splitlines() if "out of bounds" in line and "'out'" in line]
    assert "rows = 64, columns = 64" in line
    assert "as the launch in line 15 was read" in line


def test_a_main_that_does_not_compile_is_told_with_its_launches(program, capfd):
    code, _, err = run(program(PROGRAM.replace("BODY", "return missing;")), capfd)
    assert code == 2
    assert "missing" in err
    assert "has it: rowSum<float" in err


@pytest.mark.usefixtures("no_compiler")
def test_a_terminal_is_asked(program, capfd, monkeypatch):
    answers = iter(["constant:4160", "zeros:65"])
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setattr("typer.prompt", lambda *_, **__: next(answers))
    code, out, _ = run(program(PROGRAM.replace("BODY", "")), capfd)
    assert code == 0, out
    assert "grid 65x1x1, block 64x1x1" in out
