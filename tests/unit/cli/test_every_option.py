"""Every option of every command works on a real run: a row here runs it and opens what it wrote or printed.

Whoever adds an option adds its row; the last test says which one is missing.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import typer

from warpview.__main__ import html_report
from warpview.cli import main
from warpview.cli.main import app
from warpview.devices import load_device
from warpview.host.toolchain import NoCompiler, find_compiler
from warpview.profile import export
from warpview.profile.counters import COUNTERS
from warpview.sass import nvrtc

MEASURED = Path(__file__).parents[2] / "truth" / "microbenchmarks_h200.csv"
STEP = ("-p", "step")
KERNELS = """#include <cstdio>
template <int K> __global__ void scaled(const int *in, int *out, int n, float f) {
    extern __shared__ int copy[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    copy[threadIdx.x] = in[i];
    if (threadIdx.x % 2 == 0)
        copy[threadIdx.x] *= K;
    out[i] = copy[threadIdx.x] + EXTRA;
    if (i == 3)
        printf("out[3] is %d\\n", out[3]);
}
__global__ void fused(const float *a, float *b) { b[threadIdx.x] = a[threadIdx.x] * b[threadIdx.x] + 1.0f; }
__global__ void racy(int *out) {
    __shared__ int s[64];
    s[threadIdx.x] = 1;
    out[threadIdx.x] = s[63 - threadIdx.x];
}
"""
PROGRAM = """#include <cstdio>
#include <cstdlib>
__device__ int result;
__global__ void twice(int n) { result = 2 * n; }
#ifdef TWICE
int again(int n);
#else
int again(int n) { return n; }
#endif
int main(int argc, char **argv) {
    int n = atoi(argv[1]), doubled;
    twice<<<1, 1>>>(n);
    cudaMemcpyFromSymbol(&doubled, result, sizeof doubled);
    printf("%d times 2 is %d\\n", n, again(doubled));
}
"""
SCALED = (
    "file.cu", "--kernel", "scaled<5>", "--grid", "2", "--block", "64", "--shared", "256",
    "--arg", "in=file:in.npy", "--arg", "out=blank:128", "--arg", "n=0x80", "--arg", "f=1.5", "--define", "EXTRA=7",
)  # fmt: skip
NSIGHT = (
    '"ID","Kernel Name","Block Size","Grid Size","smsp__inst_executed.sum"\n"","","","","inst"\n'
    '"0","reduce_interleaved(const int *, int *)","(128, 1, 1)","(4, 1, 1)","1,716"\n'
)


@dataclass(frozen=True)
class Result:
    """What a command left: its exit code, its texts, and the folder that it ran in."""

    code: int
    out: str
    err: str
    folder: Path

    def rows(self, name: str) -> list[dict[str, str]]:
        """The rows of a CSV file."""
        with (self.folder / name).open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def value(self, counter: str, column: int = 0) -> float:
        """A number of the printed table of counters."""
        line = next(line for line in self.out.splitlines() if f" {counter} " in line)
        return float(line.split("│")[2 + column].replace(" ", ""))


Check = Callable[[Result], object]


def csv_of_run(result: Result) -> None:
    (row,) = result.rows("a.csv")
    assert list(row) == export.columns()
    assert (row["kernel"], row["device"], row["grid"]) == ("reduce_interleaved", "8800gtx", "4x1x1")
    assert row["global_ld_transactions_64"] == "32"  # 4 blocks of 4 warps, a 64-byte transaction each half-warp


def json_of_run(result: Result) -> None:
    (entry,) = json.loads((result.folder / "a.json").read_text(encoding="utf-8"))
    assert entry["global_ld_requests"] == 16
    assert entry["cycles"] is None


def lines_of_run(result: Result) -> None:
    rows, (total,) = result.rows("lines.csv"), result.rows("a.csv")
    lines = [row for row in rows if not row["instruction"]]
    assert sum(int(row["divergent_branches"]) for row in lines) == int(total["divergent_branches"]) == 96


def names_in(result: Result) -> None:
    assert "smsp__inst_executed.sum" in result.out
    assert int(result.rows("a.csv")[0]["smsp__inst_executed.sum"]) == 1716


def csv_of_sample(result: Result) -> None:
    (row,) = result.rows("a.csv")
    assert row["sample_pct"] == "25"
    assert "a sample of 25 % of the blocks: counters are estimates" in " ".join(result.out.split())
    assert result.value("inst_executed") == int(row["inst_executed"])


def page_of_run(result: Result) -> None:
    page = (result.folder / "a.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert page.endswith("</html>\n")
    assert "Where the time went" in page
    assert "Why is it slow?" in page
    assert "Estimated time" in page


def timeline_of_program(result: Result) -> None:
    assert [row["kind"] for row in result.rows("a.csv")] == ["kernel", "copy from device"]


def calibrated(result: Result) -> None:
    device = load_device(result.folder / "other.toml")
    assert (device.name, device.multiprocessors, device.version) == ("NVIDIA H200", 132, "9.0")


def csv_of_comparison(result: Result) -> None:
    assert [row["kernel"] for row in result.rows("a.csv")] == ["reduce_interleaved", "reduce_sequential"]


def both_codes_of_comparison(result: Result) -> None:
    written, compiled = result.rows("a.csv")
    assert [row["code"] for row in (written, compiled)] == ["written", "nvidia"]
    assert written["global_ld_sectors"] == compiled["global_ld_sectors"]
    assert [row["divergent_branches"] for row in (written, compiled)] == ["96", "0"]
    assert "nvrtc" in result.out


def json_of_comparison(result: Result) -> None:
    entries = json.loads((result.folder / "a.json").read_text(encoding="utf-8"))
    assert [entry["divergent_branches"] for entry in entries] == [96, 24]


def says(*texts: str) -> Check:
    """A check that all the texts were printed."""

    def check(result: Result) -> None:
        for text in texts:
            assert text in result.out

    return check


def counts(counter: str, *values: float) -> Check:
    """A check of a counter's printed values, one for each run."""

    def check(result: Result) -> None:
        assert [result.value(counter, column) for column in range(len(values))] == list(values)

    return check


INTERLEAVED = ("reduction/interleaved", *STEP)
BOTH = ("reduction/interleaved", "reduction/sequential", *STEP)
FUSED = ("file.cu", "-k", "fused", "--grid", "1", "--block", "32", "-a", "a=iota:32", "-a", "b=ones:32", "-D", "EXTRA")
RACY = ("file.cu", "-k", "racy", "--grid", "1", "--block", "64", "-a", "out=zeros:64", "-D", "EXTRA")

# (command, option or "" for the bare command) -> arguments, check
ROWS: dict[tuple[str, str], tuple[tuple[str, ...], Check]] = {
    ("list", ""): ((), says("reduction/interleaved", "matmul/tiled")),
    ("devices", ""): ((), says("8800gtx", "GeForce 8800 GTX", "h200")),
    ("devices", "key"): (("c2050",), says("[caches]", "memory_gtps")),
    ("show", "kernel"): (("reduction/interleaved",), says("if (tid % (2 * s) == 0)")),
    ("show", "--instructions"): (("reduction/interleaved", "--instructions"), says("bar.sync")),
    ("run", "kernel"): (INTERLEAVED, says("reduce_interleaved on NVIDIA H200", "divergent_branches")),
    ("run", "--kernel"): (SCALED, says("scaled<5> on NVIDIA H200", "out[3] is 10")),
    ("run", "--define"): (SCALED, says("out[3] is 10")),
    ("run", "--arg"): (SCALED, counts("global_ld_requests", 5)),  # four warps, and one that reads out[3] again
    ("run", "--grid"): (SCALED, says("grid 2x1x1")),
    ("run", "--block"): (SCALED, says("block 64x1x1")),
    ("run", "--cluster"): ((*SCALED, "--cluster", "2"), says("grid 2x1x1, block 64x1x1, clusters of 2x1x1")),
    ("run", "--shared"): (SCALED, counts("shared_mem_per_block", 256)),
    ("run", "--device"): ((*INTERLEAVED, "--device", "fx5800"), says("Quadro FX 5800")),
    ("run", "--preset"): (("reduction/interleaved", "--preset", "large"), counts("blocks_launched", 32768)),
    ("run", "--engine"): ((*INTERLEAVED, "--engine", "sm"), lambda result: result.value("cycles") > 100),
    ("run", "--registers"): ((*INTERLEAVED, "--registers", "255"), counts("registers_per_thread", 255)),
    ("run", "--as-compiled"): ((*INTERLEAVED, "--as-compiled"), lambda result: result.value("branches") < 272),
    ("run", "--compiler"): (
        (*INTERLEAVED, "--compiler", "nvrtc"),
        says("reduce_interleaved as compiled by NVIDIA on NVIDIA H200"),
    ),
    ("run", "--no-fma"): ((*FUSED, "--no-fma"), counts("inst_executed", 8)),
    ("run", "--no-check"): ((*RACY, "--no-check"), lambda result: "race" not in result.out + result.err),
    ("run", "--no-l1"): ((*INTERLEAVED, "--no-l1", "-d", "c2050"), counts("global_ld_transactions_128", 16)),
    ("run", "--expect"): ((*FUSED, "--expect", "b=fused.npy"), lambda result: "wrong" not in result.out),
    ("run", "--tolerance"): ((*FUSED, "--expect", "b=rounded.npy", "--tolerance", "0.5"), says("fused on")),
    ("run", "--who-wrote"): (
        (*FUSED, "--who-wrote", "b[3]", "--who-wrote", "a[0]"),
        says("thread (3, 0, 0) of block (0, 0, 0) wrote 'b[3]' last, in line 12", "no thread wrote 'a[0]'"),
    ),
    ("run", "--replay"): (
        (*RACY, "--replay"),
        says(
            "replay: executed with the warp of thread",
            "'out[0]' is 1, in the usual order 0",
            "first differ where thread",
        ),
    ),
    ("run", "--why"): (
        ("vector/add", "--why"),
        says("limits the launch", "Estimated time", "costs", "times faster"),
    ),
    ("run", "--bank-width"): ((*INTERLEAVED, "--bank-width", "8", "-d", "gtx680"), says("GeForce GTX 680")),
    ("run", "--sample"): (
        ("reduction/sequential", "--sample", "25", "--csv", "a.csv", "--counters", "inst_executed"),
        csv_of_sample,
    ),
    ("run", "--csv"): ((*INTERLEAVED, "-d", "8800gtx", "--csv", "a.csv"), csv_of_run),
    ("run", "--json"): ((*INTERLEAVED, "--json", "a.json"), json_of_run),
    ("run", "--lines"): ((*INTERLEAVED, "--lines", "lines.csv", "--csv", "a.csv"), lines_of_run),
    ("run", "--report"): ((*INTERLEAVED, "--report", "a.html"), page_of_run),
    ("run", "--counters"): ((*INTERLEAVED, "--counters", "branches,barriers"), counts("barriers", 128)),
    ("run", "--all"): ((*INTERLEAVED, "--all"), counts("inst_local_ld", 0)),
    ("run", "--names"): ((*INTERLEAVED, "--names", "nsight", "--csv", "a.csv"), names_in),
    ("run", "--visual-profiler"): ((*INTERLEAVED, "-d", "fx5800", "--visual-profiler"), says("gld_64b")),
    ("run", "--nsight"): ((*INTERLEAVED, "--nsight", "nsight.csv"), says("smsp__inst_executed.sum", "1716")),
    ("run", "--caches"): ((*INTERLEAVED, "-e", "sm", "--caches"), says("L2", "from DRAM")),
    ("run", "program_arguments"): (("program.cu", "--", "3"), says("3 times 2 is 6")),
    ("run", "--timeline"): (("program.cu", "--timeline", "a.csv", "--", "3"), timeline_of_program),
    ("run", "--time-limit"): (("program.cu", "--time-limit", "60", "--", "3"), says("3 times 2 is 6")),
    ("run", "--launch"): (("program.cu", "--launch", "1", "--", "3"), says("twice on NVIDIA H200")),
    ("run", "--with"): (("program.cu", "--with", "twice.cu", "-D", "TWICE", "--", "3"), says("3 times 2 is 12")),
    ("compare", "kernels"): (BOTH, counts("divergent_branches", 96, 24)),
    ("compare", "--devices"): ((*BOTH, "--devices", "8800gtx"), says("8800gtx")),
    ("compare", "--preset"): (BOTH, counts("blocks_launched", 4, 4)),
    ("compare", "--grid"): ((*BOTH, "--grid", "2"), counts("blocks_launched", 2, 2)),
    ("compare", "--block"): ((*BOTH, "--block", "64"), counts("barriers", 56, 56)),
    ("compare", "--shared"): ((*BOTH, "--shared", "4096"), counts("shared_mem_per_block", 4096, 4096)),
    ("compare", "--arg"): ((*BOTH, "--arg", "n=0"), counts("global_ld_requests", 0, 0)),
    ("compare", "--engine"): ((*BOTH, "--engine", "sm"), lambda result: result.value("cycles", 1) > 100),
    ("compare", "--compiler"): (
        (INTERLEAVED[0], "-p", "step", "--compiler", "warpview,nvrtc", "--csv", "a.csv"),
        both_codes_of_comparison,
    ),
    ("compare", "--as-compiled"): ((*BOTH, "--as-compiled"), lambda result: result.value("branches") < 272),
    ("compare", "--csv"): ((*BOTH, "--csv", "a.csv"), csv_of_comparison),
    ("compare", "--json"): ((*BOTH, "--json", "a.json"), json_of_comparison),
    ("compare", "--counters"): ((*BOTH, "--counters", "barriers"), counts("barriers", 128, 128)),
    ("compare", "--all"): ((*BOTH, "--all"), counts("inst_local_ld", 0, 0)),
    ("compare", "--names"): ((*BOTH, "--names", "visual_profiler"), counts("divergent_branch", 96, 24)),
    ("occupancy", "--device"): (("--device", "c1060"), says("Tesla C1060")),
    ("occupancy", "--threads"): (
        ("--threads", "96", "--registers", "10", "-d", "8800gtx"),
        says("6 blocks, 18 of 24 warps"),
    ),
    ("occupancy", "--registers"): (("--registers", "64"), says("8 blocks, 32 of 64 warps")),
    ("occupancy", "--shared"): (("--shared", "40000"), says("5 blocks, 20 of 64 warps")),
    ("access", "space"): (("shared",), says("conflict")),
    ("access", "--stride"): (("shared", "--stride", "2", "-d", "h200"), says("2-way")),
    ("access", "--offset"): (("--offset", "1", "-d", "h200"), says("5 x 32")),
    ("access", "--width"): (("--width", "16", "-d", "h200"), says("16 x 32")),
    ("access", "--lanes"): (("--lanes", "8", "-d", "h200"), says("1 x 32")),
    ("access", "--store"): (("--store", "--offset", "1", "-d", "c2050"), says("1 x 32 + 1 x 128")),
    ("access", "--devices"): (("--devices", "k40,h200"), says("k40", "h200")),
    ("calibrate", "--from"): (("--from", str(MEASURED)), says("NVIDIA H200", "my_gpu.toml")),
    ("calibrate", "--output"): (("--from", str(MEASURED), "--output", "other.toml"), calibrated),
}


def execute(folder: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> Result:
    """Run a command as the shell does."""
    with pytest.raises(SystemExit) as exit:
        main(list(arguments), html_report)
    captured = capsys.readouterr()
    code = exit.value.code
    return Result(code if isinstance(code, int) else 0, captured.out, captured.err, folder)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with a kernel file, an array and an export of Nsight Compute."""
    (tmp_path / "file.cu").write_text(KERNELS, encoding="utf-8")
    (tmp_path / "program.cu").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "twice.cu").write_text("int again(int n) { return 2 * n; }", encoding="utf-8")
    (tmp_path / "nsight.csv").write_text(NSIGHT, encoding="utf-8")
    np.save(tmp_path / "in.npy", np.arange(128, dtype=np.int32))
    np.save(tmp_path / "fused.npy", np.arange(1, 33, dtype=np.float32))
    np.save(tmp_path / "rounded.npy", np.arange(1, 33) + 0.25)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path


@pytest.mark.parametrize(("command", "option"), ROWS, ids=lambda text: text or "alone")
def test_an_option_does_what_it_says(
    command: str, option: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    arguments, check = ROWS[command, option]
    if "program.cu" in arguments:
        try:
            find_compiler()
        except NoCompiler as error:
            pytest.skip(str(error))
    if any("nvrtc" in argument for argument in arguments) and not nvrtc.is_installed():
        pytest.skip("NVRTC is not installed: pip install 'warpview[nvidia]'")
    result = execute(folder, capfd, command, *arguments)
    assert result.code == (1 if option == "--replay" else 0), result.err  # replayed is a race
    assert check(result) is not False


def test_a_wrong_result_is_told_with_exit_code_1(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = execute(folder, capsys, "run", *FUSED, "--expect", "b=rounded.npy")
    assert result.code == 1
    assert "wrong result: 'b[0]' is 1.0 instead of 1.25 (32 of 32 elements differ)" in result.out
    assert "file.cu:12:" in result.out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--expect", "b"), "not NAME=FILE.npy"), (("--expect", "c=fused.npy"), "no array 'c'"),
        (("--expect", "b=missing.npy"), "cannot read"), (("--expect", "b=file.cu"), "cannot read"),
        (("--who-wrote", "b"), "not an element"), (("--who-wrote", "b[99]"), "does not exist"),
    ],
)  # fmt: skip
def test_a_wrong_expectation_is_refused(
    arguments: tuple[str, ...], says: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = execute(folder, capsys, "run", *FUSED, *arguments)
    assert result.code == 2
    assert says in result.err


def test_every_option_of_every_command_has_a_row() -> None:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    options = {(name, parameter.opts[0]) for name, command in commands.items() for parameter in command.params}
    options |= {(name, "") for name, command in commands.items() if not command.params}
    assert options - set(ROWS) == set()


def test_every_counter_is_in_every_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    execute(folder, capsys, "run", *INTERLEAVED, "-e", "sm", "-d", "c1060", "--csv", "a.csv", "--json", "a.json")
    with (folder / "a.csv").open(encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    (entry,) = json.loads((folder / "a.json").read_text(encoding="utf-8"))
    assert {counter.key for counter in COUNTERS} <= set(row)
    for key, value in entry.items():
        assert row[key] == (str(value) if isinstance(value, str) else export.as_number(value)), key


@pytest.mark.parametrize("option", ["--csv", "--json", "--lines", "--report"])
@pytest.mark.parametrize("place", ["missing/a", "."])
def test_a_file_that_cannot_be_written_is_named(
    option: str, place: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = execute(folder, capsys, "run", *FUSED, option, place)
    assert result.code == 2
    assert f"{option}: cannot write {place}" in result.err


def test_a_table_of_many_runs_is_cut_into_tables_that_fit(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    result = execute(folder, capsys, "compare", *BOTH, "-d", "8800gtx,c2050,h200", "--all")
    lines = [line for line in result.out.splitlines() if line.startswith("│")]
    assert max(map(len, result.out.splitlines())) <= 80
    assert result.out.count("blocks_launched") > 1
    for line in lines:
        cells = [cell.strip() for cell in line.strip("│").split("│")]
        assert cells[-1], line  # a unit stands on every line: nothing was wrapped


def test_a_line_that_looks_like_a_formula_is_text_in_a_spreadsheet(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "formula.cu").write_text("__global__ void k(int *o) {\n  o[0]\n=1+\n-o[1];\n}\n", encoding="utf-8")
    arguments = ("--grid", "1", "--block", "1", "-a", "o=zeros:4", "--lines", "lines.csv")
    assert execute(folder, capsys, "run", "formula.cu", *arguments).code == 0
    texts = [row["text"] for row in Result(0, "", "", folder).rows("lines.csv")]
    assert not [text for text in texts if text[:1] in "=+-@"]
    assert [text for text in texts if text.startswith(("'=", "'-"))]


def test_printf_beyond_what_is_kept_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "chatter.cu").write_text('__global__ void k() { printf("x\\n"); }\n', encoding="utf-8")
    result = execute(folder, capsys, "run", "chatter.cu", "--grid", "100", "--block", "64")
    assert result.out.splitlines().count("x") == 4096
    assert "(2 304 more printf calls are not shown: the first 4 096 of a launch are kept)" in result.out
