"""The folder of compiled code gives back what was written, or nothing."""

import logging
import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import platformdirs
import pytest

from warpview.sim.jit import code_cache
from warpview.sim.jit.code_cache import CodeCache

CODE = bytes(range(256)) * 8


@pytest.fixture
def cache(tmp_path):
    folder = tmp_path / "cache"
    folder.mkdir()
    made = CodeCache(folder)
    made.write("unit", CODE)
    made.write("other", b"other" + CODE)
    return made


def test_the_folder_is_that_of_the_sources(tmp_path, monkeypatch):
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda name: str(tmp_path / name))
    assert code_cache.open_cache().folder == tmp_path / "warpview" / f"jit-{code_cache.code_hash()}"


def test_what_was_written_is_read(cache):
    assert cache.read("unit") == CODE
    assert cache.read("unknown") is None
    assert cache.count() == 2


def _flip_a_bit(path):
    content = bytearray(path.read_bytes())
    content[100] ^= 1
    path.write_bytes(content)


def _become_a_folder(path):
    path.unlink()
    path.mkdir()
    (path / "file").touch()


def _become_a_device(path):
    path.unlink()
    path.symlink_to("/dev/zero")


def _become_a_pipe(path):
    path.unlink()
    os.mkfifo(path)


DAMAGES = {
    "empty": lambda path: path.write_bytes(b""),
    "random": lambda path: path.write_bytes(os.urandom(1000)),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:-100]),
    "longer": lambda path: path.write_bytes(path.read_bytes() + b"\0"),
    "one bit": _flip_a_bit,
    "another's": lambda path: path.write_bytes(path.with_stem("other").read_bytes()),
    "folder": _become_a_folder,
}
if sys.platform != "win32":
    DAMAGES |= {"device": _become_a_device, "pipe": _become_a_pipe}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_noticed_and_replaced(cache, damage):
    DAMAGES[damage](cache.folder / "unit.o")
    assert cache.read("unit") is None
    cache.write("unit", CODE)
    assert cache.read("unit") == CODE


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owner here")
def test_code_that_another_user_wrote_is_not_run(cache, monkeypatch):
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    theirs = os.stat_result((0o100644, 1, 1, 1, 54321, 1, len(CODE), 0, 0, 0))
    monkeypatch.setattr(Path, "stat", lambda self, **kwargs: theirs)
    assert cache.read("unit") is None


def test_a_disk_that_is_full_is_told_once(cache, monkeypatch, caplog):
    def full(self, content):
        open(self, "wb").close()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with caplog.at_level(logging.WARNING):
        cache.write("third", CODE)
        cache.write("fourth", CODE)
    assert len(caplog.records) == 1
    assert "No space left on device" in caplog.text
    assert cache.read("third") is None
    assert sorted(path.name for path in cache.folder.iterdir()) == ["other.o", "unit.o"]


def test_a_folder_that_cannot_be_made_costs_no_more_than_time(tmp_path, monkeypatch, caplog):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda name: str(tmp_path / "file" / name))
    cache = code_cache.open_cache()
    cache.write("unit", CODE)
    assert cache.read("unit") is None
    assert cache.count() == 0
    assert "cannot be kept" in caplog.text
    with cache.try_lock() as locked:
        assert locked


def test_only_one_has_the_lock(cache):
    with cache.try_lock() as first, cache.try_lock() as second:
        assert (first, second) == (True, False)
    with cache.try_lock() as again:
        assert again


def test_old_caches_are_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda name: str(tmp_path))
    monkeypatch.setattr(code_cache, "KEPT_CACHES", 3)
    for age in range(6):
        folder = tmp_path / f"jit-{age}"
        folder.mkdir()
        os.utime(folder, (1000 - age, 1000 - age))
    code_cache.open_cache()
    kept = sorted(p.name for p in tmp_path.iterdir())
    assert kept == sorted([f"jit-{code_cache.code_hash()}", "jit-0", "jit-1"])


def test_several_processes_may_remove_old_caches_at_once(tmp_path, monkeypatch):
    """A folder that is listed and gone before it is looked at."""
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda name: str(tmp_path))
    for k in range(40):
        (tmp_path / f"jit-{k}").mkdir()
    listed = Path.glob

    def glob(self, pattern):
        found = list(listed(self, pattern))
        if pattern == "jit-*":
            (tmp_path / "jit-3").rmdir()
        return found

    with monkeypatch.context() as patch:
        patch.setattr(Path, "glob", glob)
        code_cache._remove_old_caches(tmp_path / "jit-0")
    with ThreadPoolExecutor(8) as pool:
        for job in [pool.submit(code_cache._remove_old_caches, tmp_path / "jit-0") for _ in range(8)]:
            job.result()
    assert (tmp_path / "jit-0").exists()


def test_hash_changes_with_any_source(tmp_path, monkeypatch):
    (tmp_path / "isa").mkdir()
    source = tmp_path / "isa" / "ops.py"
    source.write_text("A = 1")
    monkeypatch.setattr(code_cache, "PACKAGE", tmp_path)
    first = code_cache.code_hash()
    source.write_text("A = 2")
    assert code_cache.code_hash() != first


@pytest.mark.parametrize("what", ["get_host_cpu_name", "get_host_cpu_features", "get_default_triple"])
def test_hash_changes_with_the_processor(monkeypatch, what):
    """Of two processors of one name, one may lack what the other has: a virtual machine, or a shared home."""
    first = code_cache.code_hash()
    features = code_cache.llvm.get_host_cpu_features()
    features["avx2"] = not features.get("avx2", False)
    monkeypatch.setattr(code_cache.llvm, what, lambda: features if "features" in what else "another")
    assert code_cache.code_hash() != first


def test_hash_of_a_frozen_application_changes_with_the_program(tmp_path, monkeypatch):
    program = tmp_path / "warpview.exe"
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(program))
    hashes = []
    for length in (1, 2):
        program.write_bytes(b"x" * length)
        hashes.append(code_cache.code_hash())
    assert hashes[0] != hashes[1]


def test_what_jitted_code_imports_is_in_the_hash():
    hashed = {path for pattern in code_cache.SOURCES for path in code_cache.PACKAGE.glob(pattern)}
    for path in (code_cache.PACKAGE / "sim" / "jit").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "warpview.sim.jit.compile import" not in text:
            continue
        for module in re.findall(r"^from warpview\.(\S+) import", text, re.MULTILINE):
            found = code_cache.PACKAGE / module.replace(".", "/")
            assert found.is_dir() or found.with_suffix(".py") in hashed, (path.name, module)
