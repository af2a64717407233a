"""The folder in which compiled code is kept, and who fills it."""

import json
import os
import re
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import platformdirs
import pytest

from warpview.sim.jit import build, code_cache, machine_code
from warpview.sim.launch import Cancelled


def test_the_folder_is_that_of_the_sources(tmp_path, monkeypatch):
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda name: str(tmp_path / name))
    with code_cache.cache_folder() as folder:
        assert folder == tmp_path / "warpview" / f"jit-{code_cache.source_hash()}"
    assert folder.is_dir()


def test_where_nothing_can_be_kept_it_is_kept_for_the_moment(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda name: str(tmp_path / "file" / name))
    with code_cache.cache_folder() as folder:
        code_cache.write_whole(folder / "some.o", b"code")
    assert not folder.exists()


def test_old_caches_are_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda name: str(tmp_path))
    monkeypatch.setattr(code_cache, "KEPT_CACHES", 3)
    for age in range(6):
        folder = tmp_path / f"jit-{age}"
        folder.mkdir()
        os.utime(folder, (1000 - age, 1000 - age))
    with code_cache.cache_folder():
        kept = sorted(p.name for p in tmp_path.iterdir())
    assert kept == sorted([f"jit-{code_cache.source_hash()}", "jit-0", "jit-1"])


def test_hash_changes_with_any_source(tmp_path, monkeypatch):
    (tmp_path / "isa").mkdir()
    source = tmp_path / "isa" / "ops.py"
    source.write_text("A = 1")
    monkeypatch.setattr(code_cache, "PACKAGE", tmp_path)
    first = code_cache.source_hash()
    source.write_text("A = 2")
    assert code_cache.source_hash() != first


def test_what_jitted_code_imports_is_in_the_hash():
    hashed = {path for pattern in code_cache.SOURCES for path in code_cache.PACKAGE.glob(pattern)}
    for path in (code_cache.PACKAGE / "sim" / "jit").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "warpview.sim.jit.compile import" not in text:
            continue
        for module in re.findall(r"^from warpview\.(\S+) import", text, re.MULTILINE):
            found = code_cache.PACKAGE / module.replace(".", "/")
            assert found.is_dir() or found.with_suffix(".py") in hashed, (path.name, module)


# ---- who fills it

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
    (folder / f"{name}.o").write_text("")
    print(name, flush=True)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "pretender.py").write_text(PRETENDER)
    monkeypatch.setattr(build, "COMMAND", (sys.executable, str(tmp_path / "pretender.py")))
    return tmp_path


def test_units_are_compiled_once_each_and_progress_is_told(folder):
    seen = []

    def progress(*counts):
        seen.append(counts)
        if counts == (2, 3):
            (folder / "go").touch()

    build.fill(folder, progress)
    assert code_cache.is_complete(folder)
    assert sorted((folder / "asked").read_text().split()) == ["a", "b", "c"]
    assert seen == sorted(seen)


def test_a_second_process_waits_for_the_first(folder):
    begun = threading.Event()
    with ThreadPoolExecutor(1) as other:
        first = other.submit(build.fill, folder, lambda done, total: total and begun.set())
        assert begun.wait(20)
        seen = []

        def progress(*counts):
            seen.append(counts)
            if len(seen) == 3:
                (folder / "go").touch()

        build.fill(folder, progress)
        first.result()
    assert len(seen) >= 3
    assert sorted((folder / "asked").read_text().split()) == ["a", "b", "c"]


def test_cancelling_keeps_what_is_there_and_ends_the_processes(folder, monkeypatch):
    started = []
    start = build._start
    monkeypatch.setattr(build, "_start", lambda folder: started.append(start(folder)) or started[-1])

    def progress(done, total):
        if done == 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        build.fill(folder, progress)
    assert started
    assert all(process.poll() is not None for process in started)
    assert code_cache.missing(folder) == ["c"]
    (folder / "go").touch()
    build.fill(folder, lambda *_: None)
    assert code_cache.is_complete(folder)
    assert sorted((folder / "asked").read_text().split()) == ["a", "b", "c", "c"]


def test_what_a_process_ends_with_is_told(folder):
    (folder / "broken").touch()
    with pytest.raises(RuntimeError, match="cannot be compiled: no such instruction"):
        build.fill(folder, lambda *_: None)


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    code_cache.write_units(tmp_path, {"a": 1})
    assert [p.name for p in tmp_path.iterdir()] == [code_cache.TABLE]
    assert json.loads((tmp_path / code_cache.TABLE).read_text()) == {"a": 1}


def test_linking_happens_once_and_needs_no_numba():
    code = "import sys; from warpview.sim.engine_sm import warm_up; warm_up(); warm_up(); print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_progress_is_silent_once_linked():
    machine_code.load()
    steps = []
    machine_code.load(lambda *counts: steps.append(counts))
    assert steps == []
