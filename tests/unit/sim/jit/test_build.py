"""The simulator is compiled by one process, and errors in it are found out."""

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import warpview
from warpview.diagnostics import WarpviewError
from warpview.resources import COMPILER_FLAG
from warpview.sim.jit import build, machine_code
from warpview.sim.jit import compile as compile_module
from warpview.sim.jit.code_cache import CodeCache
from warpview.sim.launch import Cancelled

# Stands for the process that compiles: three units, one of which takes until the file "go" is there.
PRETENDER = """
import json, sys, time
from pathlib import Path
folder = Path(sys.argv[1])
print(json.dumps({"a": 1, "b": 2, "c": 3}), flush=True)
for line in sys.stdin:
    name = line.strip()
    with (folder / "asked").open("a") as asked:
        asked.write(name + "\\n")
    while name == "c" and not (folder / "go").exists():
        time.sleep(0.01)
    if (folder / "broken").exists():
        sys.exit("no such instruction")
    print(f"4\\n{name * 4}", end="", flush=True)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "pretender.py").write_text(PRETENDER)
    monkeypatch.setattr(build, "compiler_command", lambda: [sys.executable, f"{tmp_path}/pretender.py", f"{tmp_path}"])
    return tmp_path


def asked(folder):
    return sorted((folder / "asked").read_text().split())


def test_units_are_compiled_once_each_and_progress_is_told(folder):
    seen = []

    def progress(*counts):
        seen.append(counts)
        if counts == (2, 3):
            (folder / "go").touch()

    units = build.compiled_units(CodeCache(folder), progress)
    assert {name: (unit.n_arguments, unit.code) for name, unit in units.items()} == {
        "a": (1, b"aaaa"), "b": (2, b"bbbb"), "c": (3, b"cccc"),
    }  # fmt: skip
    assert asked(folder) == ["a", "b", "c"]
    assert seen == sorted(seen)
    assert build.compiled_units(CodeCache(folder), progress) == units
    assert asked(folder) == ["a", "b", "c"]


def test_only_what_is_missing_or_damaged_is_compiled_again(folder):
    (folder / "go").touch()
    units = build.compiled_units(CodeCache(folder), lambda *_: None)
    (folder / "b.o").write_bytes((folder / "a.o").read_bytes())
    assert build.compiled_units(CodeCache(folder), lambda *_: None) == units
    assert asked(folder) == ["a", "b", "b", "c"]


def test_a_cache_that_keeps_nothing_is_done_without(folder, monkeypatch):
    (folder / "go").touch()
    cache = CodeCache(folder / "asked")  # a file
    units = build.compiled_units(cache, lambda *_: None)
    assert sorted(units) == ["a", "b", "c"]


def test_a_second_process_waits_for_the_first(folder):
    begun = threading.Event()
    with ThreadPoolExecutor(1) as other:
        first = other.submit(build.compiled_units, CodeCache(folder), lambda done, total: total and begun.set())
        assert begun.wait(20)
        seen = []

        def progress(*counts):
            seen.append(counts)
            if len(seen) == 3:
                (folder / "go").touch()

        units = build.compiled_units(CodeCache(folder), progress)
        assert first.result() == units
    assert len(seen) >= 3
    assert max(seen) <= (3, 3)
    assert asked(folder) == ["a", "b", "c"]


def test_cancelling_keeps_what_is_there_and_ends_the_processes(folder, monkeypatch):
    started = []
    start = build.start_compiler
    monkeypatch.setattr(build, "start_compiler", lambda: started.append(start()) or started[-1])

    def progress(done, total):
        if done == 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        build.compiled_units(CodeCache(folder), progress)
    assert started
    assert all(process.poll() is not None for process in started)
    (folder / "go").touch()
    build.compiled_units(CodeCache(folder), lambda *_: None)
    assert asked(folder) == ["a", "b", "c", "c"]


def test_the_last_words_of_a_compiler_are_told(folder):
    (folder / "broken").touch()
    with pytest.raises(WarpviewError, match=r"cannot be compiled: no such instruction$"):
        build.compiled_units(CodeCache(folder), lambda *_: None)


# As the first thing, after the table, and within an answer.
DEATHS = [
    "os.abort()",
    "print(TABLE, flush=True); input(); os._exit(3)",
    "print(TABLE); print(100, flush=True); input()",
]


@pytest.mark.parametrize("death", DEATHS)
def test_a_compiler_that_dies_without_a_word_is_an_error_in_the_users_terms(tmp_path, monkeypatch, death):
    code = f"import os; TABLE = '{{\"a\": 1}}'; {death}"
    monkeypatch.setattr(build, "compiler_command", lambda: [sys.executable, "-c", code])
    with pytest.raises(WarpviewError, match="the simulator cannot be compiled: the compiling process ended with"):
        build.compiled_units(CodeCache(tmp_path), lambda *_: None)


def test_a_compiler_that_does_not_start_is_an_error_in_the_users_terms(tmp_path, monkeypatch):
    monkeypatch.setattr(build, "compiler_command", lambda: [str(tmp_path / "nothing")])
    with pytest.raises(WarpviewError, match="does not start"):
        build.compiled_units(CodeCache(tmp_path), lambda *_: None)


# ---- the real compiler


def table_of_a_real_compiler():
    with build.start_compiler() as compiler:
        table = build.read_table(compiler)
        codes = {name: build.compile_unit(compiler, name) for name in ("canary", "canary_callee")}
        compiler.kill()
    return table, {name: build.CompiledUnit(table[name], code) for name, code in codes.items()}


def test_the_compiler_runs_nothing_of_the_current_folder(tmp_path, monkeypatch):
    """Nor of the folder of a script, which is the first on sys.path."""
    for folder in ("current", "script"):
        (tmp_path / folder).mkdir()
        for module in ("json", "typing", "numba"):
            (tmp_path / folder / f"{module}.py").write_text(f"open({str(tmp_path / 'executed')!r}, 'w')\n1 / 0\n")
    monkeypatch.chdir(tmp_path / "current")
    monkeypatch.syspath_prepend(str(tmp_path / "script"))
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "current"))
    table, units = table_of_a_real_compiler()
    assert not (tmp_path / "executed").exists()
    assert table["run_blocks"] == 3
    assert machine_code.linked(units)["canary"](1, 0, 0) == -3 ^ (1 << 40)


def test_a_frozen_application_starts_itself_as_the_compiler(tmp_path, monkeypatch):
    program = tmp_path / "warpview-frozen"
    program.write_text(f"#!{sys.executable}\nfrom warpview.__main__ import main\nmain()\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(program))
    assert build.compiler_command() == [str(program), COMPILER_FLAG]
    if sys.platform != "win32":
        _, units = table_of_a_real_compiler()
        assert set(machine_code.linked(units)) == {"canary", "canary_callee"}


def test_code_that_cannot_be_called_is_noticed_before_the_simulator_runs(monkeypatch):
    """A unit that takes its arguments in another order, as with another calling convention."""
    monkeypatch.setattr(compile_module, "UNITS", {})

    @compile_module.unit(3)
    def canary(a, b, c):
        return 3 * b - a + 7 * c

    code = compile_module.object_code(compile_module.UNITS["canary"])
    with pytest.raises(WarpviewError, match="this version of numba is not supported"):
        machine_code.linked({"canary": build.CompiledUnit(3, code)})


def test_another_calling_convention_is_noticed_as_the_simulator_is_compiled():
    module = compile_module.llvm.parse_assembly("define i32 @f(ptr %result, i64 %a) { ret i32 0 }")
    with pytest.raises(WarpviewError, match=r"this version of numba, \S+, is not supported: .* ptr, i64"):
        compile_module._check_convention(module.get_function("f"), compile_module.CompilationUnit(print, 1))


def test_linking_happens_once_and_needs_no_numba():
    code = "import sys; from warpview.sim.engine_sm import warm_up; warm_up(); warm_up(); print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_progress_is_silent_once_linked():
    machine_code.load()
    steps = []
    machine_code.load(lambda *counts: steps.append(counts))
    assert steps == []


def test_the_package_that_runs_is_the_one_that_is_compiled():
    assert str(Path(warpview.__file__).parent) in build.compiler_command()
